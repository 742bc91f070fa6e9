import type { Announcement, IncidentAnnouncement } from '../model/announcement.ts';
import { type Command, kubectl, listOf } from '../model/command.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import type { Link, Notification } from '../model/notification.ts';
import { kindNameOf, kindOf, nameOf, namespaceOf } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import { mayRead, wholeCluster } from '../model/view.ts';
import { acknowledgedInWords } from './parts/acknowledged.ts';
import { type Case, caseOf } from './parts/case.ts';
import { cleanLine, cleanLines, cleanNotification } from './parts/clean.ts';
import type { NarrateContext } from './parts/context.ts';
import { withoutEventQuotes } from './parts/event-quotes.ts';
import { faceOf, ownersOf } from './parts/face.ts';
import { factsOf } from './parts/facts.ts';
import { impactOf, isWhollyTold } from './parts/impact.ts';
import { describeRoot, editedSettings } from './parts/next.ts';
import { proofInWords } from './parts/proof.ts';
import { silenceLink } from './parts/silence.ts';
import { clockTime } from './parts/times.ts';
import { revertOf, undoOf } from './parts/undo.ts';
import { ordinal } from './parts/words.ts';
import { alsoAlerts } from './phrases/cluster/alert.ts';
import { phraseOf, sentenceOf } from './phrases/phrases.ts';
import { nextOfSign, ownSign, signQuoted, suffering } from './phrases/signs/sign.ts';
import { causeOf, leadOf } from './sentences/lead.ts';
import { noteOf } from './sentences/notes.ts';
import type { Speech } from './sentences/speech.ts';
import { statementOf } from './sentences/statement.ts';
import { narrateSummary } from './sentences/summary.ts';
import { titleOf } from './sentences/title.ts';

/** Proofs that people read. */
const maxEvidence = 3;

/** Finds the words for something to tell: structured, without markup, redacted, the same for the same facts. */
export function narrate(announcement: Announcement, context: NarrateContext): Notification {
  const told = context.settings.evidence.events ? announcement : withoutEventQuotes(announcement);
  return cleanNotification('incident' in told ? narrateIncident(told, context) : narrateSummary(told, context));
}

/** What it says in two sentences, as a Kubernetes Event does: for the same facts those of the whole message. */
export function narrateShortly(announcement: IncidentAnnouncement, { settings, now }: NarrateContext): string {
  const told = settings.evidence.events ? announcement : withoutEventQuotes(announcement);
  const { explanation: part } = told.incident;
  const speech: Speech = { announcement: told, part, about: caseOf(part, part.reason), now };
  const title = titleOf(speech, settings.app.clusterName);
  return statementOf({ title: cleanLine(title), lead: cleanLine(leadOf(speech, title)) });
}

function narrateIncident(announcement: IncidentAnnouncement, context: NarrateContext): Notification {
  const { incident, act, audience } = announcement;
  const { settings, now } = context;
  const { reason, severity } = incident.explanation;
  const part = incident.explanation;
  const about = caseOf(part, reason);
  const speech: Speech = { announcement, part, about, now };
  const title = titleOf(speech, settings.app.clusterName);
  const over = act === 'resolve';
  const excerpt = over ? undefined : excerptOf(announcement, part, about, context);
  const impact = over ? undefined : impactOf(part);
  const evidence = over ? noEvidence : evidenceOf(speech, title, excerpt?.lines ?? []);
  const isImpactSaid = impact !== undefined && isWhollyTold(part, title);
  const note = noteOf(announcement.notes, { audience, now, settings });
  return {
    act,
    severity,
    title,
    lead: leadOf(speech, title),
    evidence: evidence.sentences,
    ...(impact !== undefined && { impact }),
    ...((evidence.inTitle > 0 || isImpactSaid) && {
      inTitle: { ...(evidence.inTitle > 0 && { evidence: evidence.inTitle }), ...(isImpactSaid && { impact: true }) },
    }),
    ...(!over && nextStepOf(part, about, audience, excerpt !== undefined)),
    ...(excerpt && { excerpt }),
    facts: [
      ...acknowledgedFact(incident, now),
      ...ownerFact(part),
      ...(over ? [] : [...revertOf(part), ...factsOf(phraseOf(about).facts, about)]),
    ],
    links: [
      ...linksOf(part, reason, settings),
      ...(over || audience !== wholeCluster ? [] : silenceLink(announcement.incident.id, settings)),
    ],
    ...(note !== undefined && { note }),
    cluster: settings.app.clusterName,
    at: now,
    incident: faceOf(announcement, part, causeOf(speech), now),
  };
}

/** Who has taken it on, and when. */
function acknowledgedFact(incident: Incident, now: number): Notification['facts'] {
  const value = acknowledgedInWords(incident, now);
  return value === undefined ? [] : [{ name: 'Acknowledged', value }];
}

/** Who answers for it. */
function ownerFact(part: Explanation): Notification['facts'] {
  const owners = ownersOf(part);
  return owners.length === 0 ? [] : [{ name: owners.length === 1 ? 'Owner' : 'Owners', value: owners.join(', ') }];
}

/** Whether a title gives all that a sentence of the evidence says, but for who says it. */
function isSaid(sentence: string, title: string): boolean {
  const text = sentence.replace(/^[A-Z][\w -]* says: /, '').replace(/\.$/, '');
  return title.includes(text) || title.includes(`${text.charAt(0).toLowerCase()}${text.slice(1)}`);
}

/** The evidence, and how many of its first sentences the title says already. */
type Evidence = { readonly sentences: readonly string[]; readonly inTitle: number };
const noEvidence: Evidence = { sentences: [], inTitle: 0 };

/** What proves it, and how often it was so before. What the title says takes no room from the rest. */
function evidenceOf(speech: Speech, title: string, shown: readonly string[]): Evidence {
  const { announcement, part, about, now } = speech;
  const told = phraseOf(about).evidence?.(about);
  const said = told !== undefined && isSaid(told, title) ? [told] : [];
  const own = said.length > 0 ? undefined : told;
  // Of a workload the impact says what else its controller counts.
  const more = kindOf(about.root) === 'Node' ? part.members.filter(({ subject }) => subject.ref === about.root) : [];
  const also = more
    .filter(({ reason }) => reason !== about.reason && reason !== 'ExternalAlert')
    .map((other) => sentenceOf(other).replace(/\.$/, ` (since ${clockTime(other.since, now)}).`));
  const proofs = part.proof.map((proof) => proofInWords(proof, about.root, now));
  const sign = ownSign(part) ?? suffering(part);
  const quote = sign && !shown.some((line) => line.includes(sign.line)) ? [signQuoted(sign)] : [];
  const evidence = [...(own === undefined ? [] : [own]), ...quote, ...proofs, ...also].slice(0, maxEvidence);
  const alerts = alsoAlerts(part, now);
  if (alerts !== undefined) evidence.push(alerts);
  const times = announcement.incident.previous?.times;
  const often = times === undefined ? [] : [`This is the ${ordinal(times)} time within a week.`];
  return { sentences: [...said, ...evidence, ...often], inTitle: said.length };
}

/** What to run next: the way back, where it is sure, or what shows more. None where a name cannot stand in a command. */
function nextStepOf(
  part: Explanation,
  about: Case,
  audience: string,
  isLogShown: boolean,
): Pick<Notification, 'nextStep'> {
  const next = nextOf(part, about, audience);
  // The log stands above: what was edited does not, nor what the kubelet and the controllers say of the Pod.
  const command = isLogShown && next?.startsWith('kubectl logs ') ? (editedSettings(about) ?? next) : next;
  const nextStep = undoOf(part) ?? (command && { command, changesCluster: false });
  return nextStep ? { nextStep } : {};
}

/** A read-only line; a tenant may look at its own namespace only. */
function nextOf(part: Explanation, about: Case, audience: string): Command | undefined {
  if (!mayRead(audience, about.root)) return kubectl('get', listOf('pods', audience), '-o', 'wide');
  const sign = ownSign(part);
  const command = sign && nextOfSign(sign);
  // What the program lacks may be where this audience may not look.
  const mayRun = audience === wholeCluster || command?.includes(` -n ${audience}`);
  if (command !== undefined && mayRun) return command;
  const own = phraseOf(about).next(about);
  return audience === wholeCluster || own?.includes(` -n ${audience}`) ? own : describeRoot(about);
}

/** Ends of a container that never ran: the message is the runtime's, which the evidence quotes. */
const runtimeErrors = new Set(['StartError', 'ContainerCannotRun']);

/** Log lines that were fetched, else what the container itself left as its termination message. */
function excerptOf(
  announcement: IncidentAnnouncement,
  part: Explanation,
  { facts }: Case,
  context: NarrateContext,
): Notification['excerpt'] {
  const { evidence, settings } = context;
  const max = settings.evidence.logLines;
  // Fetched for the whole incident: lines of a Pod that this audience may read, or of nobody's.
  const maySee = announcement.audience === wholeCluster || part.samplePod !== undefined;
  if (evidence && maySee && evidence.lines.length > 0)
    return { source: evidence.source, lines: cleanLines(evidence.lines, max) };
  const said = facts.terminationMessage;
  if (typeof said !== 'string' || said.trim() === '' || runtimeErrors.has(String(facts.exitReason))) return undefined;
  const container = facts.container;
  const source = `termination message${container === undefined ? '' : ` of container ${container}`}`;
  return { source, lines: cleanLines(said.split('\n'), max) };
}

/** The runbook of the reason and the dashboard of the object; only web addresses, names encoded. */
function linksOf({ root: { ref } }: Explanation, reason: string, { messages }: Settings): readonly Link[] {
  const places: Readonly<Record<string, string>> = {
    namespace: namespaceOf(ref),
    name: nameOf(ref),
    kind: kindNameOf(ref),
  };
  const template = messages.dashboardURL;
  // A board by namespace says nothing of an object that has none.
  const fits = template !== undefined && !(places.namespace === '' && template.includes('{namespace}'));
  const dashboard = template?.replace(/\{(namespace|name|kind)\}/g, (_, key: string) =>
    encodeURIComponent(places[key] ?? ''),
  );
  return [
    { title: 'Runbook', url: messages.runbooks[reason] },
    { title: 'Dashboard', url: fits ? dashboard : undefined },
  ].flatMap(({ title, url }) => (url !== undefined && /^https?:\/\//.test(url) ? [{ title, url }] : []));
}

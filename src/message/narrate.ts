import type { Facts } from '../model/finding.ts';
import type { Link, Notification } from '../model/notification.ts';
import { describeRef, kindOf, nameOf, namespaceOf } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { IncidentTelling, Telling } from '../model/telling.ts';
import { cleanLines, cleanNotification } from './clean.ts';
import type { NarrateContext } from './context.ts';
import { faceOf } from './face.ts';
import { namedFacts } from './facts.ts';
import { describeChange, describeHit, leadOf, podCount } from './lead.ts';
import { type Part, partFor } from './part.ts';
import { phrases, type Scene } from './phrases.ts';
import { narrateSummary } from './summary.ts';
import { count, isWorkload, list, sentence, subjectOf } from './words.ts';

/** Proofs that people read. */
const maxEvidence = 3;
/** Workloads named in the impact. */
const maxWorkloads = 4;

/** Finds the words for something to tell: structured, without markup, redacted, the same for the same facts. */
export function narrate(telling: Telling, context: NarrateContext): Notification {
  return cleanNotification(
    'incident' in telling ? narrateIncident(telling, context) : narrateSummary(telling, context),
  );
}

function narrateIncident(telling: IncidentTelling, context: NarrateContext): Notification {
  const { incident, act, note } = telling;
  const { settings, now } = context;
  const { explanation } = incident;
  const { reason, severity } = explanation;
  const part = partFor(telling.audience, explanation);
  const facts = factsOf(part, reason);
  const over = act === 'resolve';
  const excerpt = over ? undefined : excerptOf(telling, part, facts, context);
  const impact = over ? undefined : impactOf(part, workloadFacts(part));
  return {
    act,
    severity,
    title: `[${over ? 'resolved' : severity}] ${reason} · ${describeRef(part.root.ref)}`,
    lead: leadOf(telling, part, facts, now),
    evidence: over ? [] : part.proof.slice(0, maxEvidence),
    ...(impact !== undefined && { impact }),
    ...(!over && { nextStep: { command: phrases[reason].next(sceneOf(part)), changesCluster: false } }),
    ...(excerpt && { excerpt }),
    facts: over ? [] : listFacts(part, facts),
    links: linksOf(part, reason, settings),
    ...(note !== undefined && { note }),
    cluster: settings.app.clusterName,
    at: now,
    incident: faceOf(telling, part, causeOf(telling, part, facts, now), now),
  };
}

/** The facts of the finding that gave the title its reason, else of the first. */
function factsOf({ members, root }: Part, reason: string): Facts {
  const same = members.filter((member) => member.reason === reason);
  return (same.find(({ subject }) => subject.ref === root.ref) ?? same[0] ?? members[0])?.facts ?? {};
}

/** The root's own counts, whatever reason is in the title. */
function workloadFacts({ members, root }: Part): Facts {
  return members.find(({ subject, facts }) => subject.ref === root.ref && facts.wanted !== undefined)?.facts ?? {};
}

function sceneOf({ root, samplePod, members }: Part): Scene {
  if (samplePod) return { root: root.ref, pod: samplePod };
  const pod = [root.ref, ...members.map(({ subject }) => subject.ref)].find((ref) => kindOf(ref) === 'Pod');
  return pod === undefined ? { root: root.ref } : { root: root.ref, pod: { ref: pod, previous: false } };
}

/** Whom it hits, named, and what is left where the finding counts it. */
function impactOf(part: Part, { wanted, available, ready }: Facts): string | undefined {
  const others = part.workloads.filter((ref) => ref !== part.root.ref);
  const pods = podCount(part);
  const left = available ?? ready;
  // One or two are named in the lead.
  if (others.length > 2)
    return `${describeHit({ ...part, workloads: [] })} of ${list(others.map(subjectOf), maxWorkloads)}.`;
  if (wanted !== undefined && left !== undefined)
    return `${left} of ${wanted} replicas ${left === 1 ? 'is' : 'are'} ${available === undefined ? 'ready' : 'available'}.`;
  return kindOf(part.root.ref) === 'Pod' || pods === 0 || others.length > 0
    ? undefined
    : `${count(pods, 'pod is', 'pods are')} affected.`;
}

/** The cause in one sentence, `undefined` when it is not known. */
function causeOf({ incident }: IncidentTelling, part: Part, facts: Facts, now: number): string | undefined {
  const { confidence, reason } = incident.explanation;
  if (confidence === 'unknown') return undefined;
  if (part.change) return `${sentence(describeChange(part.change, '//', now))}.`;
  if (isWorkload(part.root.ref) && part.proof[0] !== undefined) return part.proof[0];
  return `${subjectOf(part.root.ref)} ${phrases[reason].doing(facts)}.`;
}

/** Log lines that were fetched, else what the container itself left as its termination message. */
function excerptOf(
  telling: IncidentTelling,
  part: Part,
  facts: Facts,
  context: NarrateContext,
): Notification['excerpt'] {
  const { evidence, settings } = context;
  const max = settings.evidence.logLines;
  const maySee = telling.audience === '' || part.samplePod !== undefined;
  if (evidence && maySee && evidence.lines.length > 0)
    return { source: evidence.source, lines: cleanLines(evidence.lines, max) };
  const said = facts.terminationMessage;
  if (typeof said !== 'string' || said.trim() === '') return undefined;
  const container = facts.container;
  const source = `termination message${container === undefined ? '' : ` of container ${container}`}`;
  return { source, lines: cleanLines(said.split('\n'), max) };
}

function listFacts(part: Part, facts: Facts): Notification['facts'] {
  const namespace = namespaceOf(part.root.ref);
  const { ref, node } = part.root;
  const known = node !== undefined && facts.node === undefined && kindOf(ref) !== 'Node' ? { ...facts, node } : facts;
  return [...(namespace === '' ? [] : [{ name: 'Namespace', value: namespace }]), ...namedFacts(known)];
}

/** The runbook of the reason and the dashboard of the object; only web addresses, names encoded. */
function linksOf({ root: { ref } }: Part, reason: string, { messages }: Settings): readonly Link[] {
  const places: Readonly<Record<string, string>> = {
    namespace: namespaceOf(ref),
    name: nameOf(ref),
    kind: kindOf(ref),
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

/** What people must never read, counted over what was told: by its texts and the raw objects, not by what the core makes of them. */
import type { Ref } from '../../../src/model/ref.ts';
import { compareSeverity } from '../../../src/model/severity.ts';
import type { Message } from './play.ts';
import type { Outage, Times } from './times.ts';

/** What is worded wrongly, one sentence each. */
export type Wording = {
  /** Titles that name a symptom which the object they name cannot have: no ConfigMap crashes. */
  readonly impossible: readonly string[];
  /** Outages of what others use that were told, and not as critical. */
  readonly tooMild: readonly string[];
  /** Messages of a high severity, or a critical one, that say that all of what is hit still serves. */
  readonly tooSevere: readonly string[];
  /** Updates that are less sure of an edit than the message before. */
  readonly lessSure: readonly string[];
};

/** `Secret shop/db is missing`, `quota shop/q refuses …`: a kind, a name, and what it does. */
const named = /^(?:[Tt]he )?([A-Za-z]+) (\S+) (.*)$/;
/** `shop/api crashes`, `shop/api and shop/web crash`: workloads stand without a kind. */
const workloads = /^[a-z0-9…][\w.…-]*\/[\w.…-]+(?:(?:, | and )[a-z0-9…][\w.…-]*\/[\w.…-]+)* (.*)$/;
/** Kinds that have Pods, or are part of one. */
const withPods: ReadonlySet<string> = new Set(['Pod', 'Job', 'CronJob', 'Container', 'container', 'workloads', 'pods']);

/** What Pods do, and those who have some. */
const ofPods =
  /^(?:crash(?:es)?\b|(?:is|are) OOM-killed|cannot pull (?:its|their) images?|cannot start(?! new)|does not start|fails? (?:its|their) (?:readiness|startup) probe|keeps? failing (?:its|their) liveness probe|cannot be scheduled|(?:was|were|is|are) evicted|(?:is|are) rejected by the kubelet|keeps? exiting|failed: exit code|(?:has|have) never been ready|keeps? losing readiness)/;
/** What Nodes, volumes, Services, Secrets and quotas do, and no workload. */
const ofOthers =
  /^(?:(?:is|are) lost\b|rebooted|lost (?:its volume|\d+ of)|(?:is|are) short of|evicts pods|selects? no pods|expire[sd]? on|does not exist|holds? (?:credentials|a key)|gets? no volume|refuses? new pods|has no (?:address|key)|cannot start new pods|has a (?:kernel|file system))/;

/** What a title says without the news in front and the impact at its end. */
const clauseOf = (title: string): string => (title.split(' — ').at(-1) ?? title).split(' · ')[0] ?? title;

/** Whether a title says of an object what its kind cannot do. */
export function isImpossible(title: string): boolean {
  const clause = clauseOf(title);
  const [, did] = workloads.exec(clause) ?? [];
  if (did !== undefined) return ofOthers.test(did);
  const [, kind = '', , does = ''] = named.exec(clause) ?? [];
  return ofPods.test(does) && !withPods.has(kind) && !/^\d/.test(clause);
}

/** Whether an impact says that all of what is hit still serves, and nothing else. */
export function isAllWell(impact: string): boolean {
  if (!/still serves?\b/.test(impact)) return false;
  if (/\bdown\b|Nothing answers|no ready endpoint|Also affected|\bfails? |the other/.test(impact)) return false;
  const counts = [...impact.matchAll(/\((\d+) of (\d+) ready\)/g)];
  return counts.every(([, ready, wanted]) => Number(ready) >= Number(wanted));
}

const isOpen = ({ delivery }: Message): boolean => delivery.act !== 'resolve';

/** Within so long (ms) of its begin people must have been told how bad an outage is. */
const toldWithinMs = 120_000;

/** An outage that is over sooner is how all Pods are replaced; what fails sooner after it was made has served nobody yet (ms). */
const shortest = { outage: 60_000, service: 120_000 };

/** Whether what others use was out for a time that counts. */
const isOutageOfMany = ({ from, until = Number.POSITIVE_INFINITY }: Outage, madeAt: number): boolean =>
  until - from >= shortest.outage && from - madeAt >= shortest.service;

/** Whether an outage was told by an incident, and not as critical when it was to be. */
function isTooMild(
  ref: Ref,
  { from, until = Number.POSITIVE_INFINITY }: Outage,
  messages: readonly Message[],
): boolean {
  const due = Math.min(from + toldWithinMs, until);
  const last = messages.findLast(({ at }) => at <= Math.max(due, messages[0]?.at ?? 0));
  // What was over before anybody was told, or is told by another incident.
  if (last === undefined || !isOpen(last) || last.at >= until) return false;
  const { incident, severity } = last.notification;
  const isAbout = incident?.root === ref || incident?.affected.sample.includes(ref) === true;
  return isAbout && severity !== 'critical';
}

const describe = ({ notification }: Message, why: string): string => `${notification.title} (${why})`;

/** Of an edit that is still blamed, whether it is said with less certainty. */
function isLessSure(message: Message, before: Message | undefined): boolean {
  const [now, was] = [message.notification.incident, before?.notification.incident];
  if (!now || !was || !isOpen(message) || now.cause !== was.cause || now.root !== was.root) return false;
  return (
    was.confidence === 'high' &&
    /: probably |probably because (?!of it)/.test(`${message.notification.title} ${message.notification.lead}`)
  );
}

/** How the messages of one incident are worded, the first one first. */
export function wordingOf(messages: readonly Message[], { outages, used }: Times): Wording {
  const open = messages.filter(isOpen);
  const mild = [...outages].flatMap(([ref, all]) => {
    const madeAt = used.get(ref);
    if (madeAt === undefined) return [];
    const long = all.filter((outage) => isOutageOfMany(outage, madeAt));
    return long.some((outage) => isTooMild(ref, outage, messages)) ? [ref] : [];
  });
  return {
    impossible: open.flatMap(({ notification: { title } }) => (isImpossible(title) ? [title] : [])),
    tooMild: mild.map(
      (ref) => `${ref}: ${open.map((one) => describe(one, one.notification.severity)).join(', then ')}`,
    ),
    tooSevere: open
      .filter(
        ({ notification: { severity, impact = '' } }) => compareSeverity(severity, 'high') <= 0 && isAllWell(impact),
      )
      .map((one) => describe(one, `${one.notification.severity}; ${one.notification.impact}`)),
    lessSure: messages
      .filter((one, index) => isLessSure(one, messages[index - 1]))
      .map((one) => one.notification.title),
  };
}

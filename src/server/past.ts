import { cleanLine } from '../message/parts/clean.ts';
import type { Incident } from '../model/incident.ts';
import type { Notification } from '../model/notification.ts';
import { describeRef, kindNameOf, nameOf, namespaceOf } from '../model/ref.ts';

/** An incident with the words that its message has. */
export type InWords = { readonly incident: Incident; readonly words: Notification };

/** What history is asked for. Times are epoch milliseconds; absent: any. */
export type HistoryQuestion = {
  /** Words that must all be there, some of them with where: `reason:OOMKilled namespace:shop image`. */
  readonly search?: string;
  readonly namespace?: string;
  /** It was open at this time or after. */
  readonly since?: number;
  /** It had begun by then. */
  readonly until?: number;
  readonly state?: 'open' | 'over';
};

/** The parts of an incident that a word may be looked for in. All in lower case. */
export type Searchable = {
  readonly [Part in 'id' | 'object' | 'reason' | 'severity' | 'cause' | 'namespace' | 'text']: string;
};
/** Parts that a word may name: `cause:image`. */
const parts: ReadonlySet<string> = new Set(['id', 'object', 'reason', 'severity', 'cause', 'namespace', 'text']);

/** Words of a search that are looked at, and how long each is at most. */
const mostTerms = 12;
const longestTerm = 120;

/** What of an incident can be found. */
export function searchable({ incident, words }: InWords): Searchable {
  const { id, explanation } = incident;
  const { root, reason, severity, workloads, affected } = explanation;
  const objects = [root.ref, ...workloads, ...affected.map(({ ref }) => ref)];
  const cause = [words.incident?.cause ?? '', ...words.evidence].join(' ');
  const named = objects.map((ref) => `${describeRef(ref)} ${kindNameOf(ref)}/${namespaceOf(ref)}/${nameOf(ref)}`);
  const lower = (text: string): string => text.toLowerCase();
  return {
    ...{ id, severity, reason: lower(reason), object: lower([...new Set(named)].join(' ')), cause: lower(cause) },
    namespace: [...namespacesOf(incident)].join(' '),
    text: lower([words.title, words.lead, words.impact ?? '', ...(words.excerpt?.lines ?? [])].join(' ')),
  };
}

/** The namespaces in which something of it failed or was hit. */
export function namespacesOf({ explanation }: Pick<Incident, 'explanation'>): ReadonlySet<string> {
  const { root, workloads, affected, members } = explanation;
  const refs = [
    root.ref,
    ...workloads,
    ...affected.map(({ ref }) => ref),
    ...members.map(({ subject }) => subject.ref),
  ];
  return new Set(refs.map(namespaceOf).filter((namespace) => namespace !== ''));
}

/** Whether all words of a search are found: each where it says, or anywhere. A word that names no part is looked for as it is. */
export function isFound(of: Searchable, search: string): boolean {
  const terms = search.toLowerCase().trim().split(/\s+/).slice(0, mostTerms);
  return terms.every((written) => {
    const term = written.slice(0, longestTerm);
    const [part = '', ...rest] = term.split(':');
    if (parts.has(part) && rest.length > 0) return of[part as keyof Searchable].includes(rest.join(':'));
    return Object.values(of).some((text) => text.includes(term));
  });
}

/** Whether it is of the time, the state and the namespace that are asked for. */
export function isOfTime(incident: Incident, { namespace, since = 0, until, state }: HistoryQuestion): boolean {
  const { startedAt, resolvedAt = Number.POSITIVE_INFINITY } = incident;
  const isOver = incident.state === 'Resolved';
  return (
    (state === undefined || (state === 'over') === isOver) &&
    startedAt <= (until ?? Number.POSITIVE_INFINITY) &&
    resolvedAt >= since &&
    (namespace === undefined || namespacesOf(incident).has(namespace))
  );
}

/** What is taken for the cause, in one line; absent: nothing. */
export function causeIn({ words }: InWords): string | undefined {
  const cause = words.incident?.cause ?? words.evidence[0];
  return cause === undefined ? undefined : cleanLine(cause, 300);
}

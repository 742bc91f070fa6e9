import type { IncidentFace, Link, ListedIncident, Notification } from '../../model/notification.ts';

/** What a text is, for those that treat some differently: a log line keeps its spaces, a title is shorter. */
export type TextKind = 'title' | 'sentence' | 'name' | 'line';

/** Rewrites one text of a notification. */
export type TextMap = (text: string, kind: TextKind) => string;

type Walk<T> = (value: T, map: TextMap) => T;
/** One row for each field, so that the compiler names the one that is forgotten. */
type Walks<T> = { readonly [K in keyof T]-?: Walk<NonNullable<T[K]>> };

const noText = <T>(value: T): T => value;
const text =
  (kind: TextKind): Walk<string> =>
  (value, map) =>
    map(value, kind);
const each =
  <T>(walk: Walk<T>): Walk<readonly T[]> =>
  (values, map) =>
    values.map((value) => walk(value, map));

function fields<T extends object>(walks: Walks<T>): Walk<T> {
  return (value, map) => {
    const copy = { ...value };
    for (const key of Object.keys(walks) as (keyof T)[]) {
      const held = value[key];
      if (held !== undefined && held !== null) copy[key] = walks[key](held, map);
    }
    return copy;
  };
}

const texts = fields<Notification>({
  act: noText,
  severity: noText,
  title: text('title'),
  lead: text('sentence'),
  evidence: each(text('sentence')),
  impact: text('sentence'),
  inTitle: noText,
  nextStep: noText,
  excerpt: fields<NonNullable<Notification['excerpt']>>({ source: text('name'), lines: each(text('line')) }),
  facts: each(fields<Notification['facts'][number]>({ name: text('name'), value: text('sentence') })),
  links: each(fields<Link>({ title: text('name'), url: noText })),
  note: text('sentence'),
  cluster: text('name'),
  at: noText,
  over: noText,
  list: fields<NonNullable<Notification['list']>>({
    entries: each(
      fields<ListedIncident>({
        ...{ severity: noText, reason: noText, root: noText, affected: noText, startedAt: noText, over: noText },
        says: text('sentence'),
      }),
    ),
    ...{ total: noText, bySeverity: noText },
  }),
  incident: fields<IncidentFace>({
    ...{ id: noText, alertKey: noText, revision: noText, status: noText, reason: noText, root: noText },
    ...{ previousSeverity: noText, ring: noText, confidence: noText, affected: noText, podCount: noText },
    ...{ startedAt: noText, updatedAt: noText, resolvedAt: noText, acknowledged: noText },
    cause: text('sentence'),
    owners: each(text('name')),
    pods: each(
      fields<IncidentFace['pods'][number]>({
        name: text('name'),
        namespace: text('name'),
        node: text('name'),
        container: text('name'),
      }),
    ),
    labels: (labels, map) =>
      Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, map(value, 'name')])),
  }),
});

/**
 * The notification with each of its texts rewritten by `map`: the one walk that whoever cleans, shortens or silences them takes.
 * Identities (refs, ids), times, commands and the addresses of links are no texts and stay as they are.
 */
export function mapTexts(notification: Notification, map: TextMap): Notification {
  return texts(notification, map);
}

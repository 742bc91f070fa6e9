import type { Taken } from './faulty-receiver.ts';

/** One thing that was broken on purpose, and mended again. Epoch milliseconds. */
export type Break = {
  readonly deployment: string;
  readonly brokenAt: number;
  mendedAt?: number;
};

/** What became of every break, held against what the receivers took. */
export type Audit = {
  readonly breaks: number;
  /** Nobody was told of it. */
  readonly neverOpened: readonly string[];
  /** Nobody was told that it is well again. */
  readonly neverResolved: readonly string[];
  /** Openings that are about nothing that was broken. */
  readonly falseAlarms: readonly string[];
  /** Messages taken twice. */
  readonly repeats: number;
  /** Messages about no incident, by type. */
  readonly plain: Readonly<Record<string, number>>;
  /** Seconds from the break to the opening, sorted. */
  readonly openLags: readonly number[];
  /** Seconds from the repair to the resolution, sorted. */
  readonly resolveLags: readonly number[];
};

const openings: ReadonlySet<string> = new Set(['incident.opened', 'incident.reopened']);

/** Holds the breaks against the messages. A break is told by the first opening about its Deployment before the next break of it. */
export function auditOf(breaks: readonly Break[], messages: readonly Taken[]): Audit {
  const sorted = messages.toSorted((a, b) => a.at - b.at);
  const used = new Set<Taken>();
  const neverOpened: string[] = [];
  const neverResolved: string[] = [];
  const openLags: number[] = [];
  const resolveLags: number[] = [];
  for (const { deployment, brokenAt, mendedAt } of breaks) {
    const next = breaks.find((other) => other.deployment === deployment && other.brokenAt > brokenAt);
    const until = next?.brokenAt ?? Number.POSITIVE_INFINITY;
    const mine = sorted.filter(
      ({ at, incident }) =>
        incident?.root.kind === 'Deployment' && incident.root.name === deployment && at >= brokenAt && at < until,
    );
    const label = `${deployment} broken at ${new Date(brokenAt).toISOString()}`;
    const opened = mine.find(({ type }) => openings.has(type));
    if (opened) {
      used.add(opened);
      openLags.push((opened.at - brokenAt) / 1000);
    } else neverOpened.push(label);
    if (mendedAt === undefined) continue;
    const resolved = mine.find(
      ({ type, incident }) => type === 'incident.resolved' && incident?.id === opened?.incident?.id,
    );
    if (resolved) resolveLags.push((resolved.at - mendedAt) / 1000);
    else neverResolved.push(label);
  }
  const seen = new Set<string>();
  const repeated = new Set(sorted.filter(({ id }) => seen.size === seen.add(id).size));
  const plain: Record<string, number> = {};
  for (const { type, incident } of sorted) if (!incident) plain[type] = (plain[type] ?? 0) + 1;
  return {
    breaks: breaks.length,
    neverOpened,
    neverResolved,
    falseAlarms: sorted
      .filter((message) => openings.has(message.type) && !used.has(message) && !repeated.has(message))
      .map(({ at, title }) => `${new Date(at).toISOString()} ${title}`),
    repeats: repeated.size,
    plain,
    openLags: openLags.toSorted((a, b) => a - b),
    resolveLags: resolveLags.toSorted((a, b) => a - b),
  };
}

/** The value below which `share` of sorted values lie; NaN of none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

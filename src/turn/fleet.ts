import { overridden } from '../explain/solve/severity.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import type { ClusterHit, MemberReport, OutsideCause } from '../model/hub.ts';
import { earliest } from '../model/instants.ts';
import type { Reason } from '../model/reason.ts';
import type { Ref } from '../model/ref.ts';
import type { Override } from '../model/settings.ts';
import { compareSeverity, worse } from '../model/severity.ts';

/** What is down for one cluster is down for others, which notice within seconds: so long nobody is told of the first alone (ms). */
const gatherMs = 4_000;
/**
 * What so many clusters have at once does not lie within any of them, so that nobody waits for each to be sure of that: it must only last so long
 * (ms).
 */
const together = { clusters: 3, lastMs: 40_000 };

/** A cause with the cluster that reports it. */
type Reported = OutsideCause & Pick<ClusterHit, 'cluster' | 'name'>;

/** What the reports about one root came to last. */
type Made = { readonly from: string; readonly explanation: Explanation };

/** Whether some cluster is sure of it by itself. */
const isSure = (all: readonly Reported[]): boolean => all.some(({ isUnsettled }) => !isUnsettled);
const areTogether = (all: readonly Reported[]): boolean =>
  new Set(all.map(({ cluster }) => cluster)).size >= together.clusters;

const byName = (a: Reported, b: Reported): number =>
  a.name === b.name ? (a.cluster < b.cluster ? -1 : 1) : a.name < b.name ? -1 : 1;

/**
 * What other clusters report of the causes outside, as explanations like those of what this cluster sees: one for each root, joined with its own
 * of the same. What has not changed stays the same object.
 */
export class Fleet {
  readonly #reports = new Map<string, MemberReport>();
  readonly #made = new Map<Ref, Made>();
  readonly #firstAt = new Map<Ref, number>();
  /** What holds by the reports, until one changes or the overrides do. */
  #reported: { readonly overrides: readonly Override[]; readonly all: ReadonlyMap<Ref, Explanation> } | undefined;
  readonly #joined = new WeakMap<Explanation, { readonly with: Explanation; readonly explanation: Explanation }>();

  /** Takes the last report of a cluster. */
  take(report: MemberReport): void {
    this.#reported = undefined;
    if (report.causes.length === 0) this.#reports.delete(report.cluster);
    else this.#reports.set(report.cluster, report);
  }

  /** When a report ends by not being repeated (epoch milliseconds); `Infinity`: none does. */
  wakeAt(): number {
    return earliest([...this.#reports.values()].map(({ until }) => until));
  }

  /** All that holds: what is explained here, and what is reported. `now`: epoch milliseconds. */
  join(own: readonly Explanation[], overrides: readonly Override[], now: number): readonly Explanation[] {
    this.#expire(now);
    if (this.#reports.size === 0 && this.#made.size === 0) return own;
    if (this.#reported?.overrides !== overrides)
      this.#reported = { overrides, all: this.#explanations(overrides, now) };
    const reported = new Map(this.#reported.all);
    const known = own.map((explanation) => {
      const same = reported.get(explanation.root.ref);
      if (same === undefined) return explanation;
      reported.delete(explanation.root.ref);
      return this.#both(explanation, same);
    });
    return [...known, ...reported.values()];
  }

  #expire(now: number): void {
    for (const { cluster, until } of this.#reports.values()) {
      if (until > now) continue;
      this.#reports.delete(cluster);
      this.#reported = undefined;
    }
  }

  #explanations(overrides: readonly Override[], now: number): Map<Ref, Explanation> {
    const causes = [...this.#reports.values()].flatMap(({ cluster, name, causes: all }) =>
      all.filter(({ isClear }) => !isClear).map((cause): Reported => ({ ...cause, cluster, name })),
    );
    const byRoot = Map.groupBy(causes, ({ root }) => root);
    for (const [root, all] of byRoot) if (!isSure(all) && !areTogether(all)) byRoot.delete(root);
    for (const root of this.#made.keys()) if (!byRoot.has(root)) this.#forget(root);
    return new Map(
      [...byRoot].map(([root, all]) => [root, this.#explanationOf(root, all.sort(byName), overrides, now)]),
    );
  }

  #forget(root: Ref): void {
    this.#made.delete(root);
    this.#firstAt.delete(root);
  }

  #explanationOf(root: Ref, all: readonly Reported[], overrides: readonly Override[], now: number): Explanation {
    const before = this.#made.get(root);
    const from = JSON.stringify([all, overrides]);
    if (before?.from === from) return before.explanation;
    const firstAt = this.#firstAt.get(root) ?? now;
    this.#firstAt.set(root, firstAt);
    const reason = reasonOf(all, before?.explanation.reason);
    const lasted = isSure(all) ? 0 : earliest(all.map(({ since }) => since)) + together.lastMs;
    const made = explanationOf(root, all, reason, Math.max(firstAt + gatherMs, lasted));
    const severity = overridden(made, overrides);
    const explanation = severity === made.severity ? made : { ...made, severity };
    this.#made.set(root, { from, explanation });
    return explanation;
  }

  /** What is seen here, with what others report of the same. */
  #both(own: Explanation, reported: Explanation): Explanation {
    const known = this.#joined.get(own);
    if (known?.with === reported) return known.explanation;
    const { members, clusters, severity, trace, awaits = 0 } = reported;
    const explanation = {
      ...own,
      awaits: Math.max(own.awaits ?? 0, awaits),
      ...(clusters && { clusters }),
      severity: worse(own.severity, severity),
      members: [...own.members, ...members],
      trace: [...own.trace, ...trace],
    };
    this.#joined.set(own, { with: reported, explanation });
    return explanation;
  }
}

/** The reason that is told: as before while some cluster has it, else that of the worst, and of those that of most. */
function reasonOf(all: readonly Reported[], before: Reason | undefined): Reason {
  const reasons = [...Map.groupBy(all, ({ reason }) => reason)].map(([reason, those]) => ({ reason, those }));
  const worst = (those: readonly Reported[]): OutsideCause['severity'] =>
    those.map(({ severity }) => severity).reduce(worse);
  reasons.sort(
    (a, b) =>
      Number(b.reason === before) - Number(a.reason === before) ||
      compareSeverity(worst(a.those), worst(b.those)) ||
      b.those.length - a.those.length ||
      (a.reason < b.reason ? -1 : 1),
  );
  const [first] = reasons;
  if (first === undefined) throw new RangeError('nobody reports it');
  return first.reason;
}

/** `awaits`: until when others may join (epoch milliseconds). */
function explanationOf(root: Ref, all: readonly Reported[], reason: Reason, awaits: number): Explanation {
  const severity = all.map((one) => one.severity).reduce(worse);
  const pullCause = all.find((one) => one.reason === reason && one.pullCause !== undefined)?.pullCause;
  const subject = { ref: root, labels: {} };
  const finding: Finding = {
    // What this cluster finds of it by itself is another finding.
    ...{ subject, scope: 'clusters', reason, severity, conclusive: true, names: [] },
    since: earliest(all.map(({ since }) => since)),
    facts: pullCause === undefined ? {} : { pullCause },
  };
  const clusters = all.map(({ cluster, name, reason: own, severity: bad, since, affected }): ClusterHit => {
    return { cluster, name, reason: own, severity: bad, since, affected };
  });
  return {
    ...{ root: subject, reason, severity, confidence: 'high', members: [finding] },
    ...{ affected: [], workloads: [], clusters, awaits, proof: [], trace: [] },
  };
}

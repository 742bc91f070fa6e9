import type { Finding } from '../../model/finding.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import type { Candidate } from './candidates.ts';

/** A finding with what could explain it. */
export type Entry = {
  readonly finding: Finding;
  readonly workload: Ref;
  readonly candidates: readonly Candidate[];
  /** The workloads behind its object, whose trouble it may be a sign of. */
  readonly behind: readonly Ref[];
  /** The workloads that it may fail for want of: whatever is wrong with them is weighed together with it. */
  readonly needs: ReadonlySet<Ref>;
  /** The sentence that its program ended with, where nobody can read it: who says the same is weighed together with it. */
  readonly sentence: Ref | undefined;
  /** Everything looked at on the way, healthy objects too. */
  readonly walked: ReadonlySet<Ref>;
  /** Whether its object is in sight. */
  readonly isSeen: boolean;
  /** The bundle it belongs to. */
  readonly bundle: string;
};

/**
 * Findings of Pods of one workload with the same reason and the same possible causes: they are weighed as one, so that the
 * cost of a solve is that of its workloads, however many Pods these have. What is not of a Pod is a bundle of its own.
 */
export type Bundle = {
  readonly key: string;
  readonly workload: Ref;
  /** By their keys; never empty. */
  readonly members: readonly Finding[];
  /** The one that began first speaks for all. */
  readonly first: Finding;
  /** What could explain the first, and with it the others. */
  readonly pairs: readonly Pair[];
  /** The workloads behind their object. */
  readonly behind: readonly Ref[];
  /** Whether their objects are in sight. */
  readonly isSeen: boolean;
};

/** A bundle with a cause that could explain it, by a row. `effect` is the first of its findings. */
export type Pair = Candidate & { readonly bundle: Bundle };

function causeKey({ rule, cause }: Candidate): string {
  const since = rule.cause.basis === 'named' ? '' : `@${cause.since}`;
  const edited = cause.change === undefined ? '' : `/${cause.change.field},${cause.change.also?.join() ?? ''}`;
  return `${rule.id}<${cause.key}${since}${edited}${cause.endedAt === undefined ? '' : '!'}`;
}

/** The key of the bundle that a finding belongs to. */
export function bundleKey({
  finding,
  workload,
  candidates,
  behind,
  isSeen,
  sentence,
}: Omit<Entry, 'needs' | 'walked' | 'bundle'>): string {
  const { subject, reason } = finding;
  const own = kindOf(subject.ref) === 'Pod' ? '' : subject.ref;
  return [workload, own, reason, isSeen ? '' : '?', sentence ?? '', ...candidates.map(causeKey), ...behind].join('|');
}

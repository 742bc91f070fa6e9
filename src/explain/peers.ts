import type { Finding } from '../model/finding.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { World } from '../world/world.ts';
import type { Candidate } from './candidates.ts';
import { type Family, familyOf } from './families.ts';
import { isNewRevision, podsOf, workloadOf } from './workload.ts';

/** Siblings looked at per workload: enough to tell a share. */
const sampleSize = 64;

/** A Pod of the same workload, with what it shows. */
export type Peer = {
  readonly pod: PodView;
  readonly families: ReadonlySet<Family>;
  readonly isNew: boolean;
};

/** The Pods of workloads that are hit, each looked at once per solve. */
export type Peers = {
  of(workload: Ref): readonly Peer[];
  /** Siblings that do not depend on the cause, with whether they fail alike. `undefined`: every one depends on it. */
  apart(candidate: Candidate): { readonly well: number; readonly failing: number } | undefined;
};

/** Causes of a kind that the row could blame: a sibling on another failing node says nothing against this one. */
function independent(candidate: Candidate, peer: Peer, findings: (ref: Ref) => readonly Finding[]): boolean {
  const { rule, cause } = candidate;
  if (rule.via === 'owners') return !peer.isNew;
  if (rule.via !== 'runs-on') return false;
  const { node } = peer.pod;
  if (node === undefined || rule.cause.basis !== 'finding') return false;
  const other: Ref = `Node//${node}`;
  const { reasons } = rule.cause;
  return other !== cause.ref && !findings(other).some(({ reason }) => reasons === 'any' || reasons.includes(reason));
}

/** Makes the view of siblings over a world and its findings. */
export function createPeers(world: World, findings: (ref: Ref) => readonly Finding[]): Peers {
  const seen = new Map<Ref, readonly Peer[]>();
  const counted = new Map<string, { well: number; failing: number } | undefined>();
  const of = (workload: Ref): readonly Peer[] => {
    let peers = seen.get(workload);
    if (peers === undefined) {
      peers = podsOf(world, workload, sampleSize)
        .filter((pod) => pod.deletionAt === undefined && pod.phase !== 'Succeeded')
        .map((pod) => ({
          pod,
          families: new Set(findings(pod.ref).map(({ reason }) => familyOf(reason))),
          isNew: isNewRevision(world, pod),
        }));
      seen.set(workload, peers);
    }
    return peers;
  };
  const apart: Peers['apart'] = (candidate) => {
    const { cause, rule, effect } = candidate;
    if (kindOf(effect.subject.ref) !== 'Pod') return undefined;
    const workload = workloadOf(world, effect.subject.ref);
    const family = familyOf(effect.reason);
    const key = `${workload}|${cause.key}|${rule.id}|${family}`;
    if (counted.has(key)) return counted.get(key);
    const others = of(workload).filter((peer) => independent(candidate, peer, findings));
    const failing = others.filter((peer) => peer.families.has(family)).length;
    const result = others.length === 0 ? undefined : { well: others.length - failing, failing };
    counted.set(key, result);
    return result;
  };
  return { of, apart };
}

import type { Finding } from '../../model/finding.ts';
import type { Ref } from '../../model/ref.ts';
import type { World } from '../../world/world.ts';
import type { Candidate } from '../candidates.ts';
import type { Peers } from '../peers.ts';

/** What the scorers may look at. */
export type Scene = {
  readonly world: World;
  readonly peers: Peers;
  findings(ref: Ref): readonly Finding[];
  workload(ref: Ref): Ref;
  /** All candidates with this cause. */
  effectsOf(causeKey: string): readonly Candidate[];
};

/** Judges a pair of cause and effect: from -1 (speaks against it) over 0 (says nothing) to 1 (speaks for it). */
export type Scorer = (candidate: Candidate, scene: Scene) => number;

import type { World } from '../../world/view/world.ts';
import type { Pair } from '../candidates/bundle.ts';
import type { Peers } from '../candidates/peers.ts';

/**
 * What the programs that fail say of a cause that could explain them. `supports`: they say what they would say where it is this one. `silent`:
 * they ended and said nothing that is known, and nothing but a link and the time speaks for it. `refutes`: they say something else. Only what
 * is not asked, or supports, explains anything.
 */
export type Testimony = 'supports' | 'silent' | 'refutes';

/** What the scorers may look at. */
export type Scene = {
  readonly world: World;
  readonly peers: Peers;
  /** All pairs with this cause. */
  effectsOf(causeKey: string): readonly Pair[];
  /** What the programs of a pair say of its cause. */
  testimony(pair: Pair): Testimony | undefined;
};

/** Judges a pair of cause and effect: from -1 (speaks against it) over 0 (says nothing) to 1 (speaks for it). */
export type Judge = (pair: Pair, scene: Scene) => number;

/** A scorer with what its full answer adds to the strength of a row, or takes from it. */
export type Scorer = {
  readonly name: string;
  readonly weight: number;
  /** What its full "no" takes, where that is more than its full "yes" adds. */
  readonly against?: number;
  /** It would say something else if the cause were another: without one such, nothing is certain. */
  readonly evidence?: true;
  readonly judge: Judge;
};

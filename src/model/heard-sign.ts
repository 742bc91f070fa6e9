import type { Ref } from './ref.ts';
import type { Sign } from './sign.ts';

/** Where a program said it: at the end of the log of a run that is over or goes on, or in its termination message. */
export type SignSource = 'previousLog' | 'log' | 'termination';

/** A sign that a container gave. */
export type HeardSign = Sign & {
  readonly container: string;
  readonly source: SignSource;
  /** When it was heard, or its container ended with it; epoch milliseconds. */
  readonly at: number;
};

/** The most telling sign behind an explanation, and which Pod gave it. */
export type TellingSign = HeardSign & {
  readonly pod: Ref;
  /** What its target is, as far as that is known: a Service, a Pod, a Node, or an address outside the cluster. */
  readonly to?: Ref;
};

import type { ClusterOptions } from '../cluster/options.ts';
import type { Output } from '../output.ts';

/** What the user asked of `tocsin ack`. */
export type AckArguments = ClusterOptions & {
  readonly incident: string;
  /** Of Tocsin. */
  readonly namespace: string;
  readonly by?: string;
  readonly undo: boolean;
  readonly output: Output;
};

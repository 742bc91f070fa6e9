import type { ClusterOptions } from '../cluster/options.ts';
import type { Output } from '../output.ts';

/** What the user asked of an AlertProvider. */
export type ProviderArguments = ClusterOptions & {
  /** Its name. */
  readonly provider: string;
  readonly namespace: string;
  readonly output: Output;
  /** How long the outcome is waited for. */
  readonly timeoutSeconds: number;
};

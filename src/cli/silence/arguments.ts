import type { Selector } from '../../model/selector.ts';
import type { ClusterOptions } from '../cluster/options.ts';
import type { Output } from '../output.ts';

/** What the user asked of `tocsin silence add`. */
export type AddArguments = ClusterOptions &
  Selector & {
    /** `deployment/shop/api`: an object instead of kinds, names and namespaces. */
    readonly object?: string;
    /** Where the Silence is made. */
    readonly namespace: string;
    /** Its name; without one the API server makes one. */
    readonly name?: string;
    /** How long, in seconds; or until when (RFC 3339). */
    readonly forSeconds?: number;
    readonly until?: string;
    readonly from?: string;
    readonly comment?: string;
    readonly by?: string;
    /** Print it, do not make it. */
    readonly dryRun: boolean;
    readonly output: Output;
  };

/** What the user asked of `tocsin silence expire`. */
export type ExpireArguments = ClusterOptions & {
  readonly name: string;
  readonly namespace: string;
  readonly output: Output;
};

import type { ClusterOptions } from '../cluster/options.ts';

type Duration = { readonly ms: number; readonly text: string };

/** What the user asked of `tocsin diagnose`. */
export type DiagnoseArguments = ClusterOptions & {
  readonly namespace?: string;
  readonly allNamespaces?: true;
  /** As for `kubectl get -l`. */
  readonly selector?: string;
  /** A folder, an archive, a file, or `-`: what was written down of a cluster. */
  readonly from?: string;
  readonly since?: Duration;
  readonly watch?: Duration;
  readonly output: 'text' | 'json' | 'yaml' | 'markdown' | 'html';
};

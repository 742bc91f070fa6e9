import type { ClusterOptions } from '../cluster/options.ts';
import type { Output } from '../output.ts';

/** What `tocsin install` and `tocsin upgrade` are asked. */
export type InstallArguments = ClusterOptions & {
  readonly namespace: string;
  readonly image?: string;
  readonly clusterName?: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly timeoutSeconds: number;
  readonly output: Output;
};

/** What `tocsin uninstall` is asked. */
export type UninstallArguments = ClusterOptions & {
  readonly namespace: string;
  readonly keepConfiguration: boolean;
  readonly yes: boolean;
  readonly timeoutSeconds: number;
};

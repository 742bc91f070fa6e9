/** What the user asked of `tocsin redeliver`. */
export type RedeliverArguments = {
  readonly provider: string;
  readonly namespace: string;
  /** Also what a fallback has told. */
  readonly all: boolean;
  readonly output: 'text' | 'json';
  /** How long the outcome is waited for. */
  readonly timeoutSeconds: number;
  readonly kubeconfig?: string;
  readonly context?: string;
};

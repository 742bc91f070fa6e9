/** What the user asked of lint. */
export type LintArguments = {
  readonly names: readonly string[];
  /** Namespace of Tocsin, and of objects that name none. */
  readonly namespace: string;
  readonly output: 'text' | 'json' | 'github';
  readonly strict: boolean;
  readonly check: boolean;
  readonly cluster: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
};

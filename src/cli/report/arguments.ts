import type { OperatorOptions } from '../running/operator.ts';

/** What the user asked of report. Times are RFC 3339. */
export type ReportArguments = OperatorOptions & {
  /** A recording; absent: the running operator. */
  readonly file?: string;
  readonly object?: string;
  readonly from?: string;
  readonly until?: string;
};

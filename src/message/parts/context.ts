import type { Settings } from '../../model/settings.ts';
import type { Evidence } from '../../model/turn.ts';

/** What is needed besides the announcement to find the words. */
export type NarrateContext = {
  readonly settings: Settings;
  /** Epoch milliseconds of the decision. */
  readonly now: number;
  /** Log lines that came in time. */
  readonly evidence?: Evidence;
  /** Of Tocsin, for the startup summary. */
  readonly version: string;
};

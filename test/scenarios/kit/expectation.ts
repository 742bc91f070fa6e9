import type { Edition } from '../../../src/model/edition.ts';
import type { ExpectedIncident, Origin, Scenario } from './scenario.ts';

/** What a scenario is judged by. No incidents: a quiet scenario, nobody must hear of anything. */
export type Expectation = {
  readonly description: string;
  readonly recordedFrom: Origin;
  /** Default Community. */
  readonly edition?: Edition;
  readonly incidents: readonly ExpectedIncident[];
  /** Messages that are about no single incident; default 0. */
  readonly summaries?: number;
};

/** What a story expects. */
export function expectationOf({ description, recordedFrom, edition, incidents, summaries }: Scenario): Expectation {
  const judged = edition === 'Community' ? {} : { edition };
  return { description, recordedFrom, ...judged, incidents, ...(summaries > 0 && { summaries }) };
}

import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { Edition } from '../../../src/model/edition.ts';
import type { ExpectedIncident, Origin, Scenario } from './scenario.ts';

/** What `expect.yaml` holds. No incidents: a quiet scenario, nobody must hear of anything. */
export type Expectation = {
  readonly description: string;
  readonly recordedFrom: Origin;
  /** Default Community. */
  readonly edition?: Edition;
  readonly incidents: readonly ExpectedIncident[];
  /** Messages that are about no single incident; default 0. */
  readonly summaries?: number;
};

/** What a story expects, as it is written to its folder. */
export function expectationOf({ description, recordedFrom, edition, incidents, summaries }: Scenario): Expectation {
  const judged = edition === 'Community' ? {} : { edition };
  return { description, recordedFrom, ...judged, incidents, ...(summaries > 0 && { summaries }) };
}

/** Writes `expect.yaml` into a scenario's folder. */
export function writeExpectation(folder: URL, story: Scenario): void {
  writeFileSync(new URL('expect.yaml', folder), stringify(expectationOf(story), { lineWidth: 120 }));
}

/** Reads `expect.yaml` of a scenario's folder. */
export function readExpectation(folder: URL): Expectation {
  return parse(readFileSync(new URL('expect.yaml', folder), 'utf8')) as Expectation;
}

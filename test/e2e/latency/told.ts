import { type Severity, severities } from '../../../src/model/severity.ts';
import type { ProducedCase } from '../produced/case.ts';
import { judge } from '../produced/judge.ts';
import type { Outcome, Played } from '../produced/play.ts';
import type { Message } from '../receiver.ts';

/** Cases that are not told by then wait for longer on purpose: their rows say why. */
export const concludesWithinSeconds = 120;

/** A case that was told in time, and how long that took from the first failing observation. */
export type Told = { readonly row: ProducedCase; readonly severity: Severity; readonly seconds: number };

/** Whether a message opens an incident that is about a namespace. */
export const isAbout = (message: Message, ns: string): boolean =>
  message.type === 'incident.opened' && JSON.stringify(message).includes(ns);

const isSeverity = (text: string): text is Severity => severities.some((each) => each === text);

/** How a case was told; `undefined`: it was not. `began`: when all of this began (epoch milliseconds). */
function toldOf(row: ProducedCase, played: Played, messages: readonly Message[], began: number): Told | undefined {
  const message = messages.find((each) => isAbout(each, played.ns));
  const { found } = judge(row, played);
  const dated = found.reduce((first, { finding }) => Math.min(first, finding.since), Number.POSITIVE_INFINITY);
  // What had been so before it was made here (a certificate that ended last year) could be observed once it was.
  const since = dated < began ? played.settledAt : dated;
  if (!message || !isSeverity(message.severity) || !Number.isFinite(since)) return undefined;
  return { row, severity: message.severity, seconds: (message.receivedAt - since) / 1000 };
}

/** What became of the cases: those that were told in time, those that were not, and those that did not come about, with why. */
export type Tally = {
  readonly told: readonly Told[];
  readonly later: readonly ProducedCase[];
  readonly failed: readonly (readonly [row: ProducedCase, error: string])[];
};

/** Sorts what was played by what became of it. `began`: when all of this began (epoch milliseconds). */
export function tallyOf(
  outcomes: ReadonlyMap<ProducedCase, Outcome>,
  messages: readonly Message[],
  began: number,
): Tally {
  const [told, later, failed]: [Told[], ProducedCase[], [ProducedCase, string][]] = [[], [], []];
  for (const [row, played] of outcomes) {
    const found = 'error' in played ? undefined : toldOf(row, played, messages, began);
    if ('error' in played) failed.push([row, played.error]);
    else if (found) told.push(found);
    else later.push(row);
  }
  return { told, later, failed };
}

/** The seconds that a share of those that were told took at most; 0 of none. */
export function quantile(told: readonly Told[], share: number): number {
  const sorted = told.map(({ seconds }) => seconds).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** A row of a table: how many, and half, 95 % and all of them within so many seconds. */
export function line(name: string, told: readonly Told[]): string {
  if (told.length === 0) return `| ${name} | 0 |  |  |  |`;
  const figures = [0.5, 0.95, 1].map((share) => `${quantile(told, share).toFixed(1)} s`);
  return `| ${name} | ${told.length} | ${figures.join(' | ')} |`;
}

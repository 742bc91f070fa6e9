import { type Expectation, expectationOf } from './expectation.ts';
import { judge, type Verdict } from './judge.ts';
import { type Log, readLog } from './log.ts';
import { tellsOfSecrets } from './of-secrets.ts';
import { type Played, play } from './play.ts';
import type { Scenario } from './scenario.ts';
import { type ScenarioSet, setOf } from './sets.ts';

/** A scenario replayed and judged. */
export type Run = {
  /** `<set>/<name>`. */
  readonly name: string;
  readonly set: ScenarioSet;
  readonly expectation: Expectation;
  readonly played: Played;
  readonly verdict: Verdict;
};

/** Those that were replayed: several tests look at the same. */
const runs = new Map<Scenario, Run>();

/** Replays the committed log of a scenario, once, and judges it by what its story expects. */
export function run(name: string, story: Scenario): Run {
  const known = runs.get(story) ?? runOf(name, story, readLog(name));
  runs.set(story, known);
  return known;
}

/** The same as an installation tells it that may not see Secrets, not even their names; `undefined`: in its log none is edited. */
export function runWithoutSecrets(name: string, story: Scenario): Run | undefined {
  const log = readLog(name);
  if (!log.lines.some(({ inputs }) => inputs.some(tellsOfSecrets))) return undefined;
  const lines = log.lines.map((line) => ({ ...line, inputs: line.inputs.filter((input) => !tellsOfSecrets(input)) }));
  return runOf(name, story, { ...log, lines });
}

function runOf(name: string, story: Scenario, log: Log): Run {
  const expectation = expectationOf(story);
  const played = play(log, expectation.edition);
  return { name, set: setOf(name), expectation, played, verdict: judge(log, played, expectation) };
}

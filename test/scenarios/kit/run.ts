import { type Expectation, expectationOf } from './expectation.ts';
import { judge, type Verdict } from './judge.ts';
import { readLog } from './log.ts';
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

/** Replays the committed log of a scenario and judges it by what its story expects. */
export function run(name: string, story: Scenario): Run {
  const log = readLog(name);
  const expectation = expectationOf(story);
  const played = play(log, expectation.edition);
  return { name, set: setOf(name), expectation, played, verdict: judge(log, played, expectation) };
}

import { type Expectation, readExpectation } from './expectation.ts';
import { judge, type Verdict } from './judge.ts';
import { readLog } from './log.ts';
import { type Played, play } from './play.ts';
import { folderOf, type ScenarioSet, setOf } from './stories.ts';

/** A scenario replayed and judged. */
export type Run = {
  /** `<set>/<name>`. */
  readonly name: string;
  readonly set: ScenarioSet;
  readonly expectation: Expectation;
  readonly played: Played;
  readonly verdict: Verdict;
};

/** Replays the committed log of a scenario and judges it by its `expect.yaml`. */
export function run(name: string): Run {
  const folder = folderOf(name);
  const log = readLog(new URL('log.jsonl', folder));
  const expectation = readExpectation(folder);
  const played = play(log, expectation.edition);
  return { name, set: setOf(name), expectation, played, verdict: judge(log, played, expectation) };
}

import { type Reason, reasons } from '../../src/model/reason.ts';
import { reasonCases, type Tell } from '../detect/reason-cases.ts';
import { at } from '../world/objects.ts';
import { toldReasons } from './reasons.ts';
import type { ClusterStory } from './shop.ts';

const hour = 3_600_000;

const places = Object.keys(toldReasons);
/** Where a reason stands in the tables; behind them all where it has a file of its own. */
function placeOf(reason: Reason): number {
  const place = places.indexOf(reason);
  return place < 0 ? places.length : place;
}

/** A story of the detectors as one that is told: Tocsin begins to watch at `at(0)`, and an hour after its end all of it has been told. */
function toldOf(tell: Tell): ClusterStory {
  return (k8s) => {
    let now = at(0);
    let hasStarted = false;
    const until = (next: number): void => {
      if (!hasStarted && next > at(0)) {
        hasStarted = true;
        k8s.start(at(0));
      }
      now = Math.max(now, next);
    };
    const step =
      <A extends unknown[]>(act: (next: number, ...rest: A) => void) =>
      (next: number, ...rest: A): void => {
        until(next);
        act(next, ...rest);
      };
    tell({ put: step(k8s.put), gone: step(k8s.gone), wait: step(k8s.wait) });
    until(now + hour);
    k8s.wait(now);
  };
}

/** The story in which a reason comes about. */
export function storyOf(reason: Reason): ClusterStory {
  const [own, cases] = [toldReasons[reason], reasonCases.get(reason)];
  if (own && cases) throw new Error(`${reason} has two stories: take it out of test/message/reasons.ts`);
  const [tell] = Object.values(cases?.fires ?? {});
  const story = own ?? (tell && toldOf(tell));
  if (!story) throw new Error(`no story shows ${reason}: tell it in test/detect/cases/${reason}.ts`);
  return story;
}

/** Every reason with its story, in the order of the tables, then of the files: short messages are kept in it. */
export const reasonStories: readonly (readonly [Reason, ClusterStory])[] = reasons
  .map((reason) => [reason, storyOf(reason)] as const)
  .toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));

import type { ObjectEvent, RawObject } from '../../src/model/raw-object.ts';
import { type Reason, reasons } from '../../src/model/reason.ts';
import { storyOf } from '../message/reason-stories.ts';

/** What happens in a story: objects come, change or go at an instant (epoch milliseconds). Without events time passes until then. */
export type Step = { readonly at: number; readonly events: readonly ObjectEvent[] };

/** A story in which a reason comes about. */
export type ToldStory = { readonly reason: Reason; readonly steps: readonly Step[] };

/** The story of a reason as what its sources say, step by step. */
function stepsOf(reason: Reason): readonly Step[] {
  const steps: Step[] = [];
  const note =
    (is: ObjectEvent['is']) =>
    (at: number, ...raws: readonly RawObject[]): void => {
      steps.push({ at, events: raws.map((raw) => ({ is, raw })) });
    };
  storyOf(reason)({
    start: (at) => steps.push({ at, events: [] }),
    put: note('put'),
    gone: note('gone'),
    wait: (at) => steps.push({ at, events: [] }),
    logs: () => undefined,
    ask: () => undefined,
    told: () => [],
    deliveries: () => [],
  });
  return steps;
}

/** A story for every reason there is, made of the shapes that real objects have. */
export const toldStories: readonly ToldStory[] = reasons.map((reason) => ({ reason, steps: stepsOf(reason) }));

import { type Edge, edges } from './adapter.ts';
import { bystanderFault, everyTime, everyTrouble } from './bystanders.ts';
import { fallsInNoise, standsWithoutItsCause } from './facts.ts';
import { isBlamedForPanics } from './innocents.ts';
import { limits, sampleStep } from './limits.ts';

/** What one gate found: of so many stories those that are told wrongly, by name. */
export type Gate = {
  readonly key: keyof (typeof limits)['all'];
  readonly what: string;
  readonly stories: number;
  readonly wrong: readonly string[];
  /** How many may be wrong: it only falls. */
  readonly limit: number;
};

/** How one story of a gate ended. */
type Answer = { readonly story: string; readonly fault: string | undefined };

/** About one edge of `step`, by its name, so that the sample stays when others come or go. */
const sampled = (all: readonly Edge[], step: number): readonly Edge[] =>
  all.filter(({ id }) => [...id].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % step === 0);

/** Every gate of honesty, over all edges or a sample of them. */
export async function gates(over: keyof typeof limits): Promise<readonly Gate[]> {
  const picked = sampled(await edges(), over === 'all' ? 1 : sampleStep);
  const beside = picked.flatMap((edge) =>
    everyTrouble.flatMap((trouble) =>
      everyTime.map((time) => ({
        story: `${edge.id}, ${trouble}, ${time}`,
        fault: bystanderFault(edge, trouble, time),
      })),
    ),
  );
  const asked = (ask: (edge: Edge) => boolean | undefined): readonly Answer[] =>
    picked.flatMap((edge) => {
      const answer = ask(edge);
      return answer === undefined ? [] : [{ story: edge.id, fault: answer ? 'wrong' : undefined }];
    });
  const gate = (key: Gate['key'], what: string, answers: readonly Answer[], fault: string): Gate => ({
    ...{ key, what, stories: answers.length, limit: limits[over][key] },
    wrong: answers.flatMap((each) => (each.fault === fault ? [each.story] : [])),
  });
  return [
    gate('lost', 'who fails of his own beside the trouble of others is not told', beside, 'lost'),
    gate('accused', 'somebody is surely blamed for him, or he for others', beside, 'accused'),
    gate('blamed', 'the same, not surely', beside, 'blamed, not surely'),
    gate(
      'innocent',
      'the suspect is surely blamed for programs that panic of their own',
      asked(isBlamedForPanics),
      'wrong',
    ),
    gate('mutation', 'the claim stands where its cause never was', asked(standsWithoutItsCause), 'wrong'),
    gate('noise', 'the claim changes beside 500 irrelevant objects and edits', asked(fallsInNoise), 'wrong'),
  ];
}

import type { Finding } from '../../model/finding.ts';
import { earliest } from '../../model/instants.ts';
import { kindOf, type Ref, refOf } from '../../model/ref.ts';
import { isTelling } from '../../world/memory/last-words.ts';
import { longestBackOffMs, siblingsAsked, strangers } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { endsInSilence } from '../evidence/says.ts';
import type { Explained } from './chain.ts';

/** So many workloads that end with the same sentence within so long (ms) of each other are one story. */
const [minWorkloads, alikeMs] = [strangers, longestBackOffMs];

/**
 * What stands for the sentence with which the program of a Pod ended, where nobody can read it: others that end with the same are weighed
 * together with it.
 */
export function sentenceOf(finding: Finding, world: World): Ref | undefined {
  const { ref } = finding.subject;
  if (kindOf(ref) !== 'Pod' || !endsInSilence(finding, world)) return undefined;
  const words = world.lastWords(ref) ?? '';
  return isTelling(words) ? refOf('Sentence', '', `“${words}”`) : undefined;
}

/**
 * Workloads for which there is no cause, and which ended within minutes of each other with the same sentence: they have one, whatever it is,
 * and what is known of it is the sentence.
 */
export function joinSameWords(groups: readonly Explained[], world: World): readonly Explained[] {
  const bySentence = Map.groupBy(groups, ({ cause, bundles, loose }) =>
    cause === undefined && bundles.length === 0
      ? loose
          .slice(0, siblingsAsked)
          .map((finding) => sentenceOf(finding, world))
          .find((sentence) => sentence !== undefined)
      : undefined,
  );
  return [...bySentence].flatMap(([sentence, saying]) => {
    const since = ({ loose }: Explained): number => earliest(loose.map((finding) => finding.since));
    const first = earliest(saying.map(since));
    const together = saying.filter((group) => since(group) <= first + alikeMs);
    if (sentence === undefined || new Set(together.map(({ root }) => root)).size < minWorkloads) return saying;
    const one: Explained = { root: sentence, bundles: [], loose: together.flatMap(({ loose }) => loose), pairs: [] };
    return [one, ...saying.filter((group) => !together.includes(group))];
  });
}

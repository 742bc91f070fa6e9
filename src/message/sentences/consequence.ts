import type { Explanation } from '../../model/explanation.ts';
import { kindOf } from '../../model/ref.ts';
import type { Confidence } from '../../model/severity.ts';
import type { Subject } from '../../model/subject.ts';
import type { Case } from '../parts/case.ts';
import { describeHit } from '../parts/impact.ts';
import { fullNames, type Naming } from '../parts/names.ts';
import { isWorkload } from '../parts/words.ts';
import { phraseOf } from '../phrases/phrases.ts';
import { actorsOf, happeningOf } from './clause.ts';

/** Of Nodes that are lost with their zone, of requests that wait and of whoever calls in vain the statement itself tells. */
const toldAlready: ReadonlySet<string> = new Set([
  ...['Node', 'CertificateSigningRequest', 'APIService', 'CustomResourceDefinition'],
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
]);
const isHit = ({ ref }: Subject): boolean => !toldAlready.has(kindOf(ref));

/** Whether workloads are known to need it that have no finding of their own yet. */
const waits = ({ affected, workloads, root }: Explanation): boolean =>
  affected.length === 0 && workloads.some((ref) => ref !== root.ref);

/** What the phrase of the reason says that becomes of others; `undefined` where the root is one of those who fail. */
function hitsOf(part: Explanation, about: Case): { readonly words: string | undefined } | undefined {
  const { hits } = phraseOf(about);
  const { it } = actorsOf(part);
  const isOther = it === part.root.ref && !isWorkload(it);
  if (!isOther || !(part.affected.some(isHit) || (hits !== undefined && waits(part)))) return undefined;
  return { words: typeof hits === 'function' ? hits(about) : hits };
}

const links: Readonly<Record<Confidence, string>> = {
  high: ' because of it',
  likely: ', probably because of it',
  unknown: ' too',
};

/** What others suffer from a root that is no workload: `5 pods of 3 workloads are failing because of it`. */
export function consequenceOf(part: Explanation, about: Case): string | undefined {
  const hits = hitsOf(part, about);
  if (hits === undefined) return undefined;
  const { words, several } = describeHit(part);
  // Of those who have no more than that in common the statement itself says so.
  if (hits.words === happeningOf(part, about, fullNames).predicate) return undefined;
  return hits.words === undefined
    ? `${words} ${several ? 'are' : 'is'} failing${links[part.confidence]}`
    : `${words} ${hits.words}`;
}

/** The same for a title: `5 pods of 3 workloads fail`. */
export function shortConsequence(part: Explanation, about: Case, name: Naming): string | undefined {
  const hits = hitsOf(part, about);
  if (hits === undefined || hits.words === happeningOf(part, about, name).predicate) return undefined;
  const { words, several } = describeHit(part, name);
  if (hits.words === undefined) return `${words} ${several ? 'fail' : 'fails'}`;
  return `${words} ${hits.words.replace(/ (?:because of it|without it|without the volume)$/, '')}`;
}

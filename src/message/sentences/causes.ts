import type { Explanation } from '../../model/explanation.ts';
import type { Case } from '../parts/case.ts';
import { shortChange } from '../parts/change.ts';
import { fullNames, type Naming } from '../parts/names.ts';
import { phraseOf } from '../phrases/phrases.ts';
import { endShort, ownSign, saysWhy, signShort } from '../phrases/signs/sign.ts';
import { actorsOf, happeningOf } from './clause.ts';

/** What errors begin with before they say anything: each layer that passes one on puts its own word before it. */
const preambles =
  /^(?:Internal error occurred: |failed calling webhook "[^"]*": |(?:Get|Post|Put) "[^"]*": |rpc error: code = \w+ desc = |dial tcp \S+: (?:connect: )?|Exec lifecycle hook .*? failed(?:: | - (?:error: )?)|admission webhook "[^"]*" denied the request: |Multi-Attach error for volume "[^"]*" |(?:[Ff]ailed to|[Ee]rror|[Cc]ould not|[Uu]nable to|Translation failed|Scale-up failed|invalid ingress spec)(?:[^:"]|"[^"]*")*: )+/;

/** The end of an error, which says what is wrong; the evidence quotes it in full. */
const gist = (text: string): string => text.replace(/\s+/g, ' ').replace(preambles, '');

/** How sure, before a cause that stands after a colon. */
const sure = { high: '', likely: 'probably ', unknown: '' } as const;
/** The same before what others suffer from. */
const root = { high: '', likely: 'probably ', unknown: 'all depend on ' } as const;

/** The edit that is blamed. */
function changed(part: Explanation, about: Case, name: Naming): string | undefined {
  const { change, confidence } = part;
  if (change === undefined || confidence === 'unknown') return undefined;
  return `${sure[confidence]}${withoutEcho(shortChange(change, actorsOf(part).it, name), part, about)}`;
}

/** Of an image that cannot be pulled or used the change says which, and not once more what. */
function withoutEcho(change: string, part: Explanation, about: Case): string {
  const namesIt = /\bits image\b/.test(happeningOf(part, about, fullNames).predicate);
  return namesIt ? change.replace(/^image (?=\S+ → )/, '') : change;
}

/** What those who fail depend on, where that is the root and not they. */
function blamed(part: Explanation, name: Naming): string | undefined {
  const isRoot = part.change !== undefined || actorsOf(part).it === part.root.ref;
  return isRoot ? undefined : `${root[part.confidence]}${name(part.root.ref)}`;
}

/** What the program says that it lacks. */
function complained(part: Explanation): string | undefined {
  const sign = actorsOf(part).several ? undefined : ownSign(part);
  return sign && saysWhy(sign) ? signShort(sign) : undefined;
}

/** What its program ended with, which says more than the exit code. */
function endedWith(part: Explanation): string | undefined {
  const sign = actorsOf(part).several ? undefined : ownSign(part);
  return sign && endShort(sign);
}

/**
 * Why it happens, in few words each (`image 1.4.2 → 1.5.0`, `Secret shop/db is missing`), the best first; how it ended where nothing else is
 * known. What the API itself names as missing says more than the edit that asked for it.
 */
export function causesOf(part: Explanation, about: Case, name: Naming): readonly string[] {
  const { why, ended } = phraseOf(about);
  const reason = why?.(about);
  const stated = reason === undefined ? undefined : gist(reason);
  const others = [changed(part, about, name), blamed(part, name), complained(part)];
  const isNamed = about.facts.missing !== undefined;
  const causes = (isNamed ? [stated, ...others] : [...others, stated]).filter((cause) => cause !== undefined);
  const how = causes.length === 0 ? (endedWith(part) ?? ended?.(about)) : undefined;
  return how === undefined ? causes : [how];
}

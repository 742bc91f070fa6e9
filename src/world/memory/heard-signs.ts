import type { HeardSign, SignSource } from '../../model/heard-sign.ts';
import { number, oneOf, record, type Shape, set, text, word } from '../../model/shape.ts';
import type { Sign, SignTarget } from '../../model/sign.ts';
import { unreachedSigns } from '../../model/sign-groups.ts';
import { readSigns } from '../../signs/read.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import { lastEnd } from './facets.ts';
import { lastLineIn, lastWordsIn } from './last-words.ts';

/** Kept of what one run of a container says, and of one Pod with all its containers. */
const maxOfRun = 3;
const maxOfPod = 12;
/** In the order in which they are believed: a log tells more of a crash than its last words, and what is over more than what goes on. */
const sources: readonly SignSource[] = ['previousLog', 'log', 'termination'];

/** Signs of a Pod with those that a container gave now in the place of what it gave the same way before. Silence takes nothing back. */
export function withSigns(known: readonly HeardSign[], fresh: readonly HeardSign[]): readonly HeardSign[] {
  const [first] = fresh;
  if (first === undefined) return known;
  const isLog = first.source !== 'termination';
  const isReplaced = ({ container, source }: HeardSign): boolean =>
    container === first.container && (source !== 'termination') === isLog;
  const all = [...fresh, ...known.filter((sign) => !isReplaced(sign))];
  return all.sort((a, b) => sources.indexOf(a.source) - sources.indexOf(b.source)).slice(0, maxOfPod);
}

/** The signs in lines of a container, as they are kept. `at`: epoch milliseconds. */
export function signsIn(
  lines: readonly string[],
  { container, source, at }: Pick<HeardSign, 'container' | 'source' | 'at'>,
): readonly HeardSign[] {
  return readSigns(lines)
    .slice(0, maxOfRun)
    .map((sign: Sign) => ({ ...sign, container, source, at }));
}

/** What was heard of a Pod, with the last line of it: signs, and the last words where these are none. */
type Heard = {
  readonly signs: readonly HeardSign[];
  readonly words?: string | undefined;
  readonly line?: string | undefined;
};

/** The same with what containers have left as their termination messages since the Pod was seen before (`undefined`: never). */
export function heardAfter(known: Heard, before: PodView | undefined, after: PodView, now: number): Heard {
  let { signs, words, line } = known;
  for (const state of after.containers) {
    const end = lastEnd(state);
    if (end?.message === undefined || end.exitCode === 0) continue;
    const last = before?.containers.find(({ name }) => name === state.name);
    const seen = last && lastEnd(last);
    if (seen?.message === end.message && seen.finishedAt === end.finishedAt) continue;
    const said = { container: state.name, source: 'termination', at: end.finishedAt ?? now } as const;
    const lines = end.message.split('\n');
    const fresh = signsIn(lines, said);
    signs = withSigns(signs, fresh);
    words = (fresh.length === 0 && lastWordsIn(lines, [after.ref])) || words;
    line = lastLineIn(lines) ?? line;
  }
  return { signs, words, line };
}

/** What was heard before a restart, with what was heard anew. */
export function joinedSigns(before: readonly HeardSign[], met: readonly HeardSign[]): readonly HeardSign[] {
  let signs = before;
  for (const fresh of Map.groupBy(met, ({ container, source }) => `${source} ${container}`).values())
    signs = withSigns(signs, fresh);
  return signs;
}

/** What a sign looks like as it is saved. */
export const heardSign: Shape<HeardSign> = record<HeardSign>(
  { kind: word(), container: text, source: oneOf(sources), at: number, line: text },
  { target: record<SignTarget>({ host: text }, { port: number }), name: text, closing: set },
);

/** Whom somebody says that they could not reach, as it is read of the last line of any program; `undefined`: it says nothing of the kind. */
export const unreachedIn = (line: string): Sign | undefined =>
  readSigns([line]).find(({ kind, target }) => unreachedSigns.includes(kind) && target !== undefined);

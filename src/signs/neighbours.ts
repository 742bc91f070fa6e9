import type { SignKind, SignTarget } from '../model/sign.ts';
import { addressIn } from './address.ts';
import type { Entry } from './entry.ts';
import { reaching } from './sentence.ts';
import { bare, type Ranked } from './told.ts';

/** What a line says that only tells whom, and leaves why to the line beside it. */
const wrapping: ReadonlySet<SignKind> = new Set<SignKind>([...bare, 'HostUnreachable', 'CallFailed']);
/** A line that tells of a failure: what stands beside one by chance does not. */
const failing =
  /\b(?:fail(?:ed|ure|ing)?|error connecting|could not|couldn't|can(?:no|')t|unable|unreachable|giving up)\b/i;

/** A line that only tells what was being done, or what was answered. */
const calling =
  /\bHTTP Request: [A-Z]{3,7} https?:|^\s{0,20}(?:while|when|during|calling|connecting|requesting|fetching|request to|call to|upstream|target|url|host|endpoint)\b/i;

/** Why and whom are often said on two lines: a reason without an address has the one of the line behind it, or before it. */
export function withNeighbours(ranked: readonly Ranked[], entries: readonly Entry[]): readonly Ranked[] {
  const byPlace = new Map(ranked.map((each) => [each.at, each]));
  const wrappers = new Set<number>();
  const placed = ranked.map((each): Ranked => {
    if (each.sign.target || !reaching.has(each.sign.kind) || wrapping.has(each.sign.kind)) return each;
    for (const beside of [each.at + 1, each.at - 1]) {
      const { text = '' } = entries[beside] ?? {};
      const other = byPlace.get(beside)?.sign;
      const says = other === undefined || wrapping.has(other.kind) || other.kind === each.sign.kind;
      const wraps = says && (other !== undefined || failing.test(text) || calling.test(text));
      const target = wraps ? (other?.target ?? addressIn(text)) : undefined;
      if (target === undefined) continue;
      wrappers.add(beside);
      return { ...each, sign: { ...each.sign, target } };
    }
    return each;
  });
  return placed.filter(({ at }) => !wrappers.has(at));
}

const addressed = ({ host, port = 0 }: SignTarget): string => `${host} ${port}`;

/** The numbers that one trace gives a name are those of the same name where another trace says them alone. */
export function withNames(told: readonly Ranked[]): readonly Ranked[] {
  const names = new Map(
    told.flatMap(({ numbers, sign }) => (numbers && sign.target ? [[addressed(numbers), sign.target]] : [])),
  );
  return told.map((each) => {
    const name = each.sign.target && names.get(addressed(each.sign.target));
    return name ? { ...each, sign: { ...each.sign, target: name } } : each;
  });
}

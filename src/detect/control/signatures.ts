import { earliest } from '../../model/instants.ts';
import { kindNameOf, kindOf, namespaceOf } from '../../model/ref.ts';
import { globsMatch } from '../../model/selector.ts';
import { holdsPattern, type Signature } from '../../model/signature.ts';
import { signatureKinds } from '../../model/signature-kinds.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import type { Detector, LookAgain, Problem, Thresholds } from '../kit/detector.ts';

/** A Warning stands for what it tells of for so long (ms): what goes on is told again. */
const quietMs = 15 * 60_000;

/** What of an object fits a signature: the text, and since when it is so. */
type Fit = { readonly since: Problem['since']; readonly detail?: string; readonly until?: number };

function isOf({ ref }: Projection, signature: Signature): boolean {
  const { kinds = [], namespaces = [] } = signature;
  if (kinds.length > 0 && !kinds.includes(kindOf(ref)) && !kinds.includes(kindNameOf(ref))) return false;
  return namespaces.length === 0 || globsMatch(namespaces, [namespaceOf(ref)]);
}

function byCondition(object: Projection, wanted: NonNullable<Signature['condition']>): Fit | undefined {
  const found = conditionOf(object, wanted.type);
  if (found === undefined || found.status !== (wanted.status ?? 'False')) return undefined;
  if (!holdsPattern(found.reason, wanted.reason) || !holdsPattern(found.message, wanted.message)) return undefined;
  return { since: found.since, detail: found.message };
}

function byEvent({ ref }: Projection, wanted: NonNullable<Signature['event']>, world: ObservedWorld, now: number) {
  const fitting = world
    .events(ref)
    .filter(
      ({ isWarning, lastAt, reason, message }) =>
        isWarning &&
        lastAt + quietMs > now &&
        holdsPattern(reason, wanted.reason) &&
        holdsPattern(message, wanted.message),
    );
  const last = fitting.at(-1);
  if (last === undefined) return undefined;
  const since = fitting.reduce((first, { firstAt }) => Math.min(first, firstAt), last.firstAt);
  return { since, detail: last.message, until: earliest(fitting.map(({ lastAt }) => lastAt)) + quietMs };
}

function byLastLine(object: Projection, pattern: string, world: ObservedWorld): Fit | undefined {
  if (object.kind !== 'Pod' || isReady(object)) return undefined;
  const line = world.lastLine(object.ref);
  return line !== undefined && holdsPattern(line, pattern) ? { since: 'observed', detail: line } : undefined;
}

function fitOf(object: Projection, signature: Signature, world: ObservedWorld, now: number): Fit | undefined {
  const { condition, event, lastLine } = signature;
  if (condition) return byCondition(object, condition);
  if (event) return byEvent(object, event, world, now);
  return lastLine === undefined ? undefined : byLastLine(object, lastLine, world);
}

function judge(
  object: Projection,
  world: ObservedWorld,
  now: number,
  { signatures }: Thresholds,
): false | readonly (Problem | LookAgain)[] {
  // As a rule nobody has written any.
  if (signatures.length === 0) return false;
  for (const signature of signatures) {
    const fit = isOf(object, signature) ? fitOf(object, signature, world, now) : undefined;
    if (fit === undefined) continue;
    const { name, says, severity, forSeconds, lastLine } = signature;
    return [
      {
        scope: name,
        since: fit.since,
        facts: { signature: name, says, ...(lastLine !== undefined && { quotes: 'log' }) },
        ...given({ severity, forSeconds, detail: fit.detail, lookAgainAt: fit.until }),
      },
    ];
  }
  return false;
}

/** What people know failures of their own by. */
export const signatureDetectors: readonly Detector[] = signatureKinds.map((judges) => ({
  id: 'E5',
  judges,
  reasons: [{ reason: 'OwnSignature', family: 'named', sure: 'likely' }],
  severity: 'medium',
  settings: ['signatures'],
  source: '`signatures` of the AlertConfig',
  exemptions: ['terminating'],
  predicate:
    'a condition, a Warning, or the last line of a Pod that is not ready fits a signature, and has done so for its `forSeconds`. The first that fits an object counts; its severity is the one that the signature gives',
  clears:
    'the condition has another status or text; no such Warning has come for 15 min; the Pod is ready, or ends with another line',
  symptom: 'events',
  patience: '`forSeconds` of the signature; none unless it says so',
  isNot: 'what fits none; a line that is not the last',
  judge,
}));

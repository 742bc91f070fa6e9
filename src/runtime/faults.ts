import type { Fault, Faults } from '../model/faults.ts';
import { kindOf } from '../model/ref.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

const said: Readonly<Record<Fault['step'], string>> = {
  take: 'this object cannot be read as it is now: it counts as out of sight until it changes',
  judge:
    'this object cannot be judged by one detector: what that had found of it stands, and it is tried again in 10 minutes',
  explain: 'the causes of this cannot be looked for: it is told without, and it is tried again in 10 minutes',
  follow: 'this incident cannot be gone on with: it stays as it is, and is tried again in 10 minutes',
  list: 'what this is owed, or reads in a list, cannot be gathered: it hears nothing of that, and it is tried again in 10 minutes',
  tell: 'there are no words for this message: it was told in plain ones',
};

/** Says, once, what a turn has set aside: each is a bug of ours, and all else goes on. */
export function reportFaults(
  faults: Pick<Faults, 'takeFresh'>,
  { log, metrics }: { readonly log: Logger; readonly metrics: Pick<Metrics, 'add'> },
): void {
  for (const { step, about, by, error } of faults.takeFresh()) {
    metrics.add('tocsin_set_aside_total', { step }, 1);
    const where = { step, object: about, ...(by !== '' && { by }) };
    log.error({ ...where, err: error }, `${said[step]}; this is a bug, please report it with this log line`);
  }
}

/** How many objects of each kind are not judged as they should be. */
export function notJudged(faults: Iterable<Fault>): ReadonlyMap<string, number> {
  const objects = new Set<Fault['about']>();
  for (const { step, about } of faults) if (step === 'take' || step === 'judge') objects.add(about);
  const counts = new Map<string, number>();
  for (const ref of objects) counts.set(kindOf(ref), (counts.get(kindOf(ref)) ?? 0) + 1);
  return counts;
}

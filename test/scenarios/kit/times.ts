import type { RawObject } from '../../../src/model/raw-object.ts';
import { type Ref, refOf } from '../../../src/model/ref.ts';
import { fieldAt } from '../../../src/sandbox/object.ts';
import { isFailing } from './failing.ts';
import type { Log } from './log.ts';

/** When what happened to objects of a log (epoch milliseconds), as the raw objects alone show it. */
export type Times = {
  /** Since when a workload that served has served nothing although it should. */
  readonly outages: ReadonlyMap<Ref, number>;
  /** When the last failing observation of an object was over; absent while it fails. */
  readonly healthyAt: ReadonlyMap<Ref, number>;
};

/** How many Pods of a workload are ready, and how many it wants; absent for kinds that serve nobody. */
function counts({ kind, spec, status }: RawObject): { readonly ready: number; readonly wants: number } | undefined {
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  if (kind === 'Deployment' || kind === 'StatefulSet')
    return { ready: number(fieldAt(status, 'readyReplicas')), wants: number(fieldAt(spec, 'replicas')) };
  if (kind !== 'DaemonSet') return undefined;
  return { ready: number(fieldAt(status, 'numberReady')), wants: number(fieldAt(status, 'desiredNumberScheduled')) };
}

/** Reads a log once for both. */
export function timesOf(log: Log): Times {
  const outages = new Map<Ref, number>();
  const healthyAt = new Map<Ref, number>();
  const failing = new Set<Ref>();
  const served = new Set<Ref>();
  const seen = new Map<Ref, RawObject>();
  for (const { now, inputs } of log.lines)
    for (const input of inputs)
      for (const { is, raw } of input.kind === 'objects' ? input.events : []) {
        const ref = refOf(raw.kind ?? '', raw.metadata.namespace, raw.metadata.name);
        const fails = is === 'put' && isFailing(raw, seen.get(ref));
        if (fails) failing.add(ref);
        else if (failing.delete(ref)) healthyAt.set(ref, now);
        if (fails) healthyAt.delete(ref);
        const count = is === 'put' ? counts(raw) : undefined;
        if (count && count.ready > 0) served.add(ref);
        if (count && count.ready === 0 && count.wants > 0 && served.has(ref) && !outages.has(ref))
          outages.set(ref, now);
        if (is === 'put') seen.set(ref, raw);
        else seen.delete(ref);
      }
  return { outages, healthyAt };
}

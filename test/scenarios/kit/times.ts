import { type Fields, fieldAt, isFields } from '../../../sandbox/object.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { type Ref, refOf } from '../../../src/model/ref.ts';
import { isFailing } from './failing.ts';
import type { Log } from './log.ts';

/** From when a workload served nothing (epoch milliseconds), and until when; absent: to the end of the log. */
export type Outage = { readonly from: number; readonly until?: number };

/** When what happened to objects of a log (epoch milliseconds), as the raw objects alone show it. */
export type Times = {
  /** When a workload that served served nothing although it should; a replacement of all its Pods may do so for a moment. */
  readonly outages: ReadonlyMap<Ref, readonly Outage[]>;
  /** Workloads whose Pods a Service selects, with when they were made. */
  readonly used: ReadonlyMap<Ref, number>;
  /** When the last failing observation of an object was over; absent while it fails. */
  readonly healthyAt: ReadonlyMap<Ref, number>;
  /** What fails at the end of the log; of a Pod that has crashed no object says when it is well again. */
  readonly failing: ReadonlySet<Ref>;
};

/** How many Pods of a workload are ready, and how many it wants; absent for kinds that serve nobody. */
function counts({ kind, spec, status }: RawObject): { readonly ready: number; readonly wants: number } | undefined {
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  if (kind === 'Deployment' || kind === 'StatefulSet')
    return { ready: number(fieldAt(status, 'readyReplicas')), wants: number(fieldAt(spec, 'replicas')) };
  if (kind !== 'DaemonSet') return undefined;
  return { ready: number(fieldAt(status, 'numberReady')), wants: number(fieldAt(status, 'desiredNumberScheduled')) };
}

/** What a Service selects, and what a workload labels its Pods with, by namespace. */
type Labelled = {
  readonly ref: Ref;
  readonly namespace: string;
  readonly labels: Fields;
  readonly madeAt: number;
};

function labelled(raw: RawObject, ref: Ref, ...path: readonly string[]): Labelled[] {
  const labels = fieldAt(raw, 'spec', ...path);
  return isFields(labels) && Object.keys(labels).length > 0
    ? [
        {
          ref,
          namespace: raw.metadata.namespace ?? '',
          labels,
          madeAt: Date.parse(String(raw.metadata.creationTimestamp)),
        },
      ]
    : [];
}

/** The workloads that a Service of their namespace selects. */
function selected(services: readonly Labelled[], workloads: readonly Labelled[]): ReadonlyMap<Ref, number> {
  const picks = (service: Labelled, { namespace, labels }: Labelled): boolean =>
    service.namespace === namespace && Object.entries(service.labels).every(([name, value]) => labels[name] === value);
  const used = workloads.filter((one) => services.some((service) => picks(service, one)));
  return new Map(used.map(({ ref, madeAt }) => [ref, madeAt]));
}

/** Begins an outage, or ends the one that there is. */
function noteOutage(outages: Map<Ref, Outage[]>, ref: Ref, isOut: boolean, now: number): void {
  const known = outages.get(ref) ?? [];
  const last = known.at(-1);
  const holds = last !== undefined && last.until === undefined;
  if (isOut && !holds) outages.set(ref, [...known, { from: now }]);
  if (!isOut && holds) outages.set(ref, [...known.slice(0, -1), { ...last, until: now }]);
}

/** Reads a log once for both. */
export function timesOf(log: Log): Times {
  const outages = new Map<Ref, Outage[]>();
  const healthyAt = new Map<Ref, number>();
  const failing = new Set<Ref>();
  const served = new Set<Ref>();
  const seen = new Map<Ref, RawObject>();
  const [services, workloads] = [new Map<Ref, Labelled[]>(), new Map<Ref, Labelled[]>()];
  for (const { now, inputs } of log.lines)
    for (const input of inputs)
      for (const { is, raw } of input.kind === 'objects' ? input.events : []) {
        const ref = refOf(raw.kind ?? '', raw.metadata.namespace, raw.metadata.name);
        const fails = is === 'put' && isFailing(raw, seen.get(ref));
        if (fails) failing.add(ref);
        else if (failing.delete(ref)) healthyAt.set(ref, now);
        if (fails) healthyAt.delete(ref);
        const count = is === 'put' ? counts(raw) : undefined;
        if (is === 'put' && raw.kind === 'Service') services.set(ref, labelled(raw, ref, 'selector'));
        if (count) workloads.set(ref, labelled(raw, ref, 'template', 'metadata', 'labels'));
        if (count && count.ready > 0) served.add(ref);
        if (count && served.has(ref)) noteOutage(outages, ref, count.ready === 0 && count.wants > 0, now);
        if (is === 'put') seen.set(ref, raw);
        else seen.delete(ref);
      }
  return { outages, used: selected([...services.values()].flat(), [...workloads.values()].flat()), healthyAt, failing };
}

import { type NearMiss, nearMiss } from '../../model/near-miss.ts';
import { describeRef, namespaceOf } from '../../model/ref.ts';
import type { Labels } from '../../model/subject.ts';
import type { ServiceView } from '../../world/kinds/network/service.ts';
import { given } from '../../world/reading/fields.ts';
import { isExposed } from '../../world/view/exposure.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector } from '../kit/detector.ts';

/** Kinds of Pods of a namespace that are compared with a selector that matches none. */
const maxKinds = 500;

const daySeconds = 24 * 3600;
/** Nobody leaves a Service behind that traffic from outside is sent to. */
const exposedSeconds = 600;

/** Another Service is for these Pods already: this one may wait for others. */
function isServed({ ref }: Pick<ServiceView, 'ref'>, labels: Labels, world: ObservedWorld): boolean {
  return Iterator.from(world.servicesFor(namespaceOf(ref), labels)).some((other) => other !== ref);
}

/** The Pods of its namespace that a Service just misses, if no other Service is for them. */
function missed(service: ServiceView, wanted: Labels, world: ObservedWorld): NearMiss | undefined {
  for (const labels of Iterator.from(world.podLabels(namespaceOf(service.ref))).take(maxKinds)) {
    const miss = nearMiss(wanted, labels);
    if (miss && !isServed(service, labels, world)) return miss;
  }
  return undefined;
}

/** An edit of the selector is remembered for so long (ms). */
const editMs = 30 * 60_000;

/** The labels that a selector wanted before it was edited: `app=api,tier=web`. */
const labelsIn = (text: string): Labels => Object.fromEntries(text.split(',').map((pair) => pair.split('=')));

/** What the selector wanted before it was edited a moment ago, where Pods or workloads with these labels are still there. */
function leftBehind({ ref }: ServiceView, world: ObservedWorld, now: number): string | undefined {
  const { from = '' } = world.changes(ref, now - editMs).findLast(({ field }) => field === 'selector') ?? {};
  if (from === '') return undefined;
  const wanted = Object.entries(labelsIn(from));
  const isThere = Iterator.from(world.podLabels(namespaceOf(ref)))
    .take(maxKinds)
    .some((labels) => wanted.every(([key, value]) => labels[key] === value));
  return isThere ? wanted.map((pair) => pair.join(': ')).join(', ') : undefined;
}

/** Whether the selector was edited a moment ago, nobody knows from what, and Pods are there that no Service is for. */
function isEdited(service: ServiceView, world: ObservedWorld, now: number): boolean {
  const { ref } = service;
  const edit = world.changes(ref, now - editMs).findLast(({ field }) => field === 'selector');
  if (edit === undefined || edit.from !== undefined) return false;
  return Iterator.from(world.podLabels(namespaceOf(ref)))
    .take(maxKinds)
    .some((labels) => !isServed(service, labels, world));
}

/** A workload that took the labels of its Pods away from a selector, with what both say. */
type Taken = NearMiss & { readonly by: string };

/** Workloads looked at for one whose labels were edited. */
const maxWorkloads = 20_000;

/** The workload whose Pods a selector matched until its template was edited a moment ago, and which has Pods still. */
function takenAway({ ref }: ServiceView, wanted: Labels, world: ObservedWorld, now: number): Taken | undefined {
  for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet'] as const)
    for (const view of Iterator.from(world.all(kind)).take(maxWorkloads)) {
      if (!('replicas' in view) || view.replicas === 0 || namespaceOf(view.ref) !== namespaceOf(ref)) continue;
      const edit = world
        .changes(view.ref, now - editMs)
        .findLast(({ field, from }) => field === 'metadata' && from !== undefined);
      const [before, after] = [labelsIn(edit?.from ?? ''), labelsIn(edit?.to ?? '')];
      const unmet = Object.keys(wanted).find((key) => after[key] !== wanted[key]);
      if (edit === undefined || unmet === undefined || isServed({ ref }, after, world)) continue;
      if (!Object.entries(wanted).every(([key, value]) => before[key] === value)) continue;
      const has = after[unmet] === undefined ? `no label ${unmet}` : `${unmet}: ${after[unmet]}`;
      return { wants: `${unmet}: ${wanted[unmet]}`, has, by: describeRef(view.ref) };
    }
  return undefined;
}

const isNone = (refs: Iterable<unknown>): boolean => Iterator.from(refs).next().done === true;

const serviceSelectsNothing = detector({
  id: 'T2',
  reasons: [{ reason: 'ServiceSelectsNothing', family: 'named', sure: 'high' }],
  judges: 'Service',
  reads: ['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
  severity: 'low',
  forSeconds: daySeconds,
  source: 'core/v1 Service spec.selector against the labels of Pods and of the templates of workloads',
  predicate:
    'the selector of a Service matches no Pod and no workload: for 20 s where Pods miss it by a slip of one label, or where it, or the labels of a workload that still has Pods, was edited and it matched Pods before, or may have (high), for 10 min where traffic from outside reaches it (medium), else for a day',
  clears: 'it matches a Pod or a workload',
  symptom: 'service',
  patience: '20 s for what is applied together, a day for what somebody will still deploy',
  isNot:
    'a workload that was scaled to 0; labels that differ in a number (`v1`, `v2`), or by another word (`blue`, `green`), or whose Pods have a Service already',
  judge: (service, world, now) => {
    const { ref, selector, isElection } = service;
    if (selector === undefined || isElection || world.get(`Pod/${namespaceOf(ref)}/`) === 'unknown') return false;
    if (!isNone(world.linked(ref, 'selects', 'out', 1)) || !isNone(world.linked(ref, 'fronts', 'out', 1))) return false;
    const selectorText = Object.entries(selector.labels)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ');
    const taken = takenAway(service, selector.labels, world, now);
    const miss = taken ?? missed(service, selector.labels, world);
    const before = leftBehind(service, world, now);
    const facts = { selector: selectorText, ...given({ wants: miss?.wants, has: miss?.has, before, by: taken?.by }) };
    const exposed = isExposed(world, ref);
    if (miss || before !== undefined || isEdited(service, world, now))
      return {
        since: 'observed',
        forSeconds: 20,
        severity: exposed ? 'critical' : 'high',
        settle: 'conclusive',
        stands: true,
        facts,
      };
    return exposed
      ? { since: 'observed', forSeconds: exposedSeconds, severity: 'medium', facts }
      : { since: 'observed', facts };
  },
});

/** Services that select nothing. */
export const selectorDetectors: readonly Detector[] = [serviceSelectsNothing];

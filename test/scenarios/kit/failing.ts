import { type Fields, fieldAt, isFields } from '../../../sandbox/object.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { type Ref, refOf } from '../../../src/model/ref.ts';
import type { Log } from './log.ts';

/** Something in a log that anybody would call a failure, judged by the raw object alone. */
export type Observation = { readonly at: number; readonly ref: Ref };

const listAt = (object: unknown, ...path: readonly string[]): readonly Fields[] => {
  const found = fieldAt(object, ...path);
  return Array.isArray(found) ? found.filter(isFields) : [];
};

const condition = (raw: RawObject, type: string): Fields | undefined =>
  listAt(raw, 'status', 'conditions').find((one) => one.type === type);

/** Waiting reasons of a container that is on its way. */
const onItsWay = new Set(['ContainerCreating', 'PodInitializing', '']);

const containersOf = (raw: RawObject): readonly Fields[] => [
  ...listAt(raw, 'status', 'initContainerStatuses'),
  ...listAt(raw, 'status', 'containerStatuses'),
];

const isStuck = (raw: RawObject): boolean =>
  containersOf(raw).some(({ state }) => !onItsWay.has(String(fieldAt(state, 'waiting', 'reason') ?? '')));

function podFails(raw: RawObject, before: RawObject | undefined): boolean {
  if (raw.metadata.deletionTimestamp !== undefined) return false;
  const statuses = containersOf(raw);
  const crashed = statuses.some(({ state, lastState }) =>
    [fieldAt(state, 'terminated', 'exitCode'), fieldAt(lastState, 'terminated', 'exitCode')].some(
      (code) => Number(code ?? 0) > 0,
    ),
  );
  const wasReady = before !== undefined && condition(before, 'Ready')?.status === 'True';
  const unready =
    wasReady && condition(raw, 'Ready')?.status === 'False' && fieldAt(raw, 'status', 'phase') === 'Running';
  // Who was ended for good, as by an eviction, need not have left an exit code.
  const isOver = fieldAt(raw, 'status', 'phase') === 'Failed';
  return crashed || isOver || isStuck(raw) || unready || condition(raw, 'PodScheduled')?.status === 'False';
}

/** Conditions of a Node that are bad when they are True, besides those that node-problem-detector writes. */
const pressures: ReadonlySet<unknown> = new Set([
  'MemoryPressure',
  'DiskPressure',
  'PIDPressure',
  'NetworkUnavailable',
]);

/** What failing looks like, by kind. A Pod of a Job may fail, but not be stuck: its Job may not fail. */
const fails: Readonly<Record<string, (raw: RawObject, before: RawObject | undefined) => boolean>> = {
  Pod: (raw, before) =>
    listAt(raw, 'metadata', 'ownerReferences').some(({ kind }) => kind === 'Job')
      ? isStuck(raw)
      : podFails(raw, before),
  Job: (raw) => condition(raw, 'Failed')?.status === 'True',
  Node: (raw) =>
    listAt(raw, 'status', 'conditions').some(({ type, status }) =>
      type === 'Ready'
        ? status !== 'True'
        : status === 'True' && (pressures.has(type) || type === 'ReadonlyFilesystem'),
    ),
  Deployment: (raw) => condition(raw, 'Progressing')?.status === 'False',
  ReplicaSet: (raw) => condition(raw, 'ReplicaFailure')?.status === 'True',
  APIService: (raw) => condition(raw, 'Available')?.status === 'False',
  PersistentVolumeClaim: (raw) => fieldAt(raw, 'status', 'phase') === 'Lost',
};

/** Whether anybody would call an object failing; `before`: as it was seen last. */
export function isFailing(raw: RawObject, before: RawObject | undefined): boolean {
  return fails[raw.kind ?? '']?.(raw, before) ?? false;
}

/**
 * What kubelets say of a Pod whose status shows no more than that it is on its way, and controllers of what they cannot make Pods for, by the kind
 * that it is said of.
 */
const heldUp: Readonly<Record<string, readonly unknown[]>> = {
  Pod: ['FailedCreatePodSandBox', 'FailedMount', 'FailedAttachVolume'],
  Job: ['FailedCreate'],
};

/** The object that an Event says to be held up. */
function saidHeldUp(raw: RawObject): Ref | undefined {
  if (raw.kind !== 'Event') return undefined;
  const { kind, namespace, name } = isFields(raw.regarding) ? raw.regarding : {};
  if (typeof kind !== 'string' || typeof namespace !== 'string' || typeof name !== 'string') return undefined;
  return heldUp[kind]?.includes(raw.reason) ? refOf(kind, namespace, name) : undefined;
}

/** The first failing observation of each object of a log. */
export function failingObservations(log: Log): readonly Observation[] {
  const first = new Map<Ref, Observation>();
  const seen = new Map<Ref, RawObject>();
  for (const { now, inputs } of log.lines)
    for (const input of inputs)
      for (const { is, raw } of input.kind === 'objects' ? input.events : []) {
        const said = saidHeldUp(raw);
        if (is === 'put' && said !== undefined && !first.has(said)) first.set(said, { at: now, ref: said });
        const ref = refOf(raw.kind ?? '', raw.metadata.namespace, raw.metadata.name);
        if (is === 'put' && !first.has(ref) && isFailing(raw, seen.get(ref))) first.set(ref, { at: now, ref });
        if (is === 'put') seen.set(ref, raw);
        else seen.delete(ref);
      }
  return [...first.values()].sort((a, b) => a.at - b.at);
}

/** Whether an EndpointSlice leads to anybody who is ready. */
const leads = (raw: RawObject): boolean =>
  listAt(raw, 'endpoints').some(({ conditions }) => fieldAt(conditions, 'ready') !== false);

/**
 * When Services first led nowhere that had led somewhere, and when objects went: a failure where nothing else of them looks like one, and
 * otherwise the moment between two Pods.
 */
export function lapses(log: Log): readonly Observation[] {
  const first = new Map<Ref, Observation>();
  const leading = new Set<Ref>();
  for (const { now, inputs } of log.lines)
    for (const input of inputs)
      for (const { is, raw } of input.kind === 'objects' ? input.events : []) {
        const { kind = '', metadata } = raw;
        const service =
          kind === 'EndpointSlice' ? fieldAt(metadata, 'labels', 'kubernetes.io/service-name') : undefined;
        const ref =
          typeof service === 'string'
            ? refOf('Service', metadata.namespace, service)
            : refOf(kind, metadata.namespace, metadata.name);
        if (is === 'put' && leads(raw)) leading.add(ref);
        const isLost = typeof service === 'string' ? is === 'put' && !leads(raw) && leading.has(ref) : is === 'gone';
        if (isLost && !first.has(ref)) first.set(ref, { at: now, ref });
      }
  return [...first.values()].sort((a, b) => a.at - b.at);
}

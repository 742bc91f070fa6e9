import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../../../sandbox/object.ts';
import type { ObjectEvent, RawObject } from '../../../src/model/raw-object.ts';
import type { Input } from '../../../src/model/turn.ts';
import type { ContainerLog } from '../../../src/runtime/recording/container-logs.ts';
import { type LoggedInput, LoggedObjects } from '../../../src/runtime/recording/log-changes.ts';
import { redactObject } from '../../../src/runtime/recording/recorder.ts';
import { isRead } from '../../../src/world/kinds/cluster/event.ts';
import { ServiceNames } from '../../../src/world/reading/service-names.ts';
import { keepLog, logText } from './recorded.ts';

/** First line: the one of a recorded run, and that the lines are what happened, not turns: wake-ups are the replayer's. */
export type LogHeader = {
  readonly tocsinLog: 1;
  readonly clusterId: string;
  readonly version: string;
  readonly turns: 'events';
};

/** Every further line: what happened at one instant (epoch milliseconds). */
export type LogLine = {
  readonly now: number;
  readonly inputs: readonly Input[];
  /** Tocsin starts again: what it knew is gone. */
  readonly restart?: true;
  readonly logs?: readonly ContainerLog[];
  /** What was to be brought about is there, and from here on nothing changes. */
  readonly settled?: true;
};

/** A log as it is replayed. */
export type Log = { readonly header: LogHeader; readonly lines: readonly LogLine[] };

/** The committed log of a scenario. */
export const readLog = (name: string): Log => parseLog(logText(name));

/** The log that is written in a text. Throws on one that is no log of a scenario. */
export function parseLog(text: string): Log {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const header = JSON.parse(first) as LogHeader;
  if (header.tocsinLog !== 1 || header.turns !== 'events') throw new Error(`no log of a scenario: ${first}`);
  const objects = new LoggedObjects();
  const lines = rest.map((written): LogLine => {
    const { inputs, ...line } = JSON.parse(written) as Omit<LogLine, 'inputs'> & {
      readonly inputs: readonly LoggedInput[];
    };
    return { ...line, inputs: inputs.flatMap((input) => objects.read(input)) };
  });
  return { header, lines };
}

/** Writes a log: of an object that was told before only what changed, of many sources that came to be so at once one input. */
export function writeLog(name: string, { header, lines }: Log): void {
  const objects = new LoggedObjects();
  const written = lines.map(({ now, inputs, ...line }) => ({
    now,
    ...line,
    inputs: grouped(inputs, now).map((input) => ('sources' in input ? input : objects.write(input))),
  }));
  keepLog(name, `${[header, ...written].map((line) => JSON.stringify(line)).join('\n')}\n`);
}

type Sources = Extract<LoggedInput, { readonly kind: 'sources' }>;

/** How each source came to stand at an instant, in one input for all that stand alike; the objects come first, the baseline last. */
function grouped(inputs: readonly Input[], now: number): readonly (Input | Sources)[] {
  const states = inputs.flatMap((input) => (input.kind === 'source' ? [input.coverage] : []));
  const last = [...new Map(states.map((coverage) => [coverage.source, coverage])).values()];
  const alike = Map.groupBy(last, ({ state, reason }) => `${state} ${reason}`);
  const sources = [...alike.values()].flatMap((group): readonly Sources[] => {
    const [first] = group;
    if (!first) return [];
    const { state, reason } = first;
    const listed = group.map(({ source, kind, required }) => [source, kind, required] as const);
    return [{ kind: 'sources', state, reason, since: now, sources: listed }];
  });
  const of = (kinds: readonly Input['kind'][]): readonly Input[] => inputs.filter(({ kind }) => kinds.includes(kind));
  const others = inputs.filter(({ kind }) => kind !== 'objects' && kind !== 'source' && kind !== 'baseline');
  return [...of(['objects']), ...others, ...sources, ...of(['baseline'])];
}

/** Where managedFields tell what the world reads of them: who last wrote these fields. */
const keptFields: readonly (readonly string[])[] = [
  ['f:spec'],
  ['f:data'],
  ['f:binaryData'],
  ['f:spec', 'f:template'],
  ['f:spec', 'f:replicas'],
  ['f:spec', 'f:taints'],
  ['f:spec', 'f:unschedulable'],
  ['f:spec', 'f:selector'],
  ['f:spec', 'f:ports'],
  ['f:spec', 'f:type'],
  ['f:spec', 'f:scaleTargetRef'],
  ['f:rules'],
  ['f:subjects'],
  ['f:roleRef'],
];

/** The keys of data, and nothing below. */
const keysOf = (data: Record<string, unknown>): Record<string, object> =>
  Object.fromEntries(Object.keys(data).map((key) => [key, {}]));

/** Of FieldsV1 only whether the fields above are owned, and the keys of data. */
function ownedOf(fields: unknown, kind: string | undefined): Record<string, unknown> {
  const owned: Record<string, Record<string, object>> = {};
  for (const [first = '', second] of keptFields) {
    const found = isFields(fields) ? fields[first] : undefined;
    // Nobody asks who edited a Pod.
    if (!isFields(found) || kind === 'Pod') continue;
    if (second === undefined) owned[first] = first === 'f:spec' ? {} : keysOf(found);
    else if (Object.hasOwn(found, second)) owned[first] = { ...owned[first], [second]: {} };
  }
  return owned;
}

/** Fields of Pods that repeat the API server's defaults or say where the simulated machine is, and that nobody reads. */
const unread = new Set([
  ...['terminationMessagePath', 'terminationMessagePolicy', 'securityContext', 'tolerations'],
  ...['dnsPolicy', 'schedulerName', 'enableServiceLinks', 'preemptionPolicy', 'serviceAccount', 'qosClass'],
  ...['hostIP', 'hostIPs', 'podIP', 'podIPs', 'containerID', 'imageID', 'serviceAccountToken', 'downwardAPI'],
  ...['lastProbeTime', 'nodeInfo', 'daemonEndpoints', 'generateName', 'internalTrafficPolicy', 'sessionAffinity'],
  ...[
    'kubernetes.io/description',
    'kubernetes.io/peer-advertise-address',
    'fullyLabeledReplicas',
    'distinguisherMethod',
  ],
]);

/**
 * Every cluster has it, no story is about it, and nobody is judged by it: API groups that the API server serves itself, its own flow
 * schemas, accounts of the controllers. And Events that the world does not keep.
 */
export function isStock(raw: RawObject): boolean {
  const { kind, metadata, spec } = raw;
  if (kind === 'Event') return !isRead({ isWarning: raw.type === 'Warning', reason: String(raw.reason) });
  if (kind === 'APIService') return isFields(spec) && spec.service === undefined;
  if (kind === 'FlowSchema')
    return isFields(metadata.annotations) && 'apf.kubernetes.io/autoupdate-spec' in metadata.annotations;
  // What comes with a cluster; who fails may be bound to a role for people.
  if (isFields(metadata.labels) && 'kubernetes.io/bootstrapping' in metadata.labels)
    return metadata.name.startsWith('system:');
  return kind === 'ServiceAccount' && metadata.namespace === 'kube-system';
}

/** A host with a dot or a port, or a URL without credentials. */
const address =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?[a-z0-9-]+(?:[.:][a-z0-9-]+)+(?:\/[^@\s]*)?$|^[a-z][a-z0-9+.-]*:\/\/[a-z0-9-]+(?:\/[^@\s]*)?$/;
/** Who logs in, before the host of a URL. */
const user = /(?<=:\/\/)[^@\s/]*@/g;

/** Whom a variable names, without the user before it; `undefined`: nobody that a template is read for. */
function addressOf(name: string, value: string): string | undefined {
  if (address.test(value)) return value;
  const hosts = new ServiceNames();
  hosts.setting(name, value);
  return (hosts.all() ?? hosts.hosts()) && value.replace(user, '');
}

/** Redacted, but for variables that say who is depended on: the clusters of stories hold no secrets, and who needs whom must be seen. */
function redacted(raw: RawObject): RawObject {
  const addresses: Record<string, string> = {};
  const text = JSON.stringify(raw, (key, value: unknown) => {
    if (key === 'env' && Array.isArray(value))
      for (const entry of value.filter(isFields))
        if (typeof entry.value === 'string') {
          const named = addressOf(String(entry.name), entry.value);
          if (named !== undefined) addresses[String(entry.name)] = named;
        }
    return value;
  });
  const safe = redactObject(JSON.parse(text) as RawObject);
  if (Object.keys(addresses).length === 0) return safe;
  const restored = JSON.stringify(safe, (key, value: unknown) =>
    key === 'env' && Array.isArray(value)
      ? value.map((entry) =>
          isFields(entry) && String(entry.name) in addresses
            ? { ...entry, value: addresses[String(entry.name)] }
            : entry,
        )
      : value,
  );
  return JSON.parse(restored) as RawObject;
}

/** An object without what nobody reads: redacted, defaults left out, managedFields cut down. */
export function compact(raw: RawObject): RawObject {
  const text = JSON.stringify(redacted(raw), (key, value: unknown) =>
    unread.has(key) || value === null ? undefined : value,
  );
  // Fields were left out and none made.
  const { metadata, ...rest } = JSON.parse(text) as RawObject;
  const { managedFields, selfLink, ...kept } = metadata;
  const entries = (Array.isArray(managedFields) ? managedFields : []).filter(isFields).flatMap((entry) => {
    const fieldsV1 = ownedOf(entry.fieldsV1, raw.kind);
    return entry.subresource === 'status' || Object.keys(fieldsV1).length === 0 ? [] : [{ ...entry, fieldsV1 }];
  });
  return { ...rest, metadata: { ...kept, ...(entries.length > 0 && { managedFields: entries }) } };
}

/** Of several states of an object seen at once the last: a turn takes what is there. A deletion is never passed over. */
export function coalesce(inputs: readonly Input[]): Input[] {
  const keyOf = ({ raw }: ObjectEvent): string => `${raw.kind}/${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;
  const events = inputs.flatMap((input) => (input.kind === 'objects' ? input.events : []));
  const next = new Map<string, ObjectEvent>();
  const passed = new Set<ObjectEvent>();
  for (const event of events.toReversed()) {
    if (event.is === 'put' && next.get(keyOf(event))?.is === 'put') passed.add(event);
    next.set(keyOf(event), event);
  }
  return inputs.flatMap((input): Input[] => {
    if (input.kind !== 'objects') return [input];
    const kept = input.events.filter((event) => !passed.has(event));
    return kept.length === 0 ? [] : [{ ...input, events: kept }];
  });
}

/** One renewal of a Lease within so long is enough: who renews it no more is three of its durations behind. */
const renewalMs = 20_000;

/** What stays the same when nothing happened but a heartbeat. */
function essence({ metadata, ...rest }: RawObject): unknown {
  const { resourceVersion, managedFields, ...kept } = metadata;
  const text = JSON.stringify(
    { metadata: rest.kind === 'Lease' ? kept : { ...kept, managedFields }, ...rest },
    (key, value) =>
      key === 'lastHeartbeatTime' ? null : key === 'renewTime' ? Math.floor(Date.parse(value) / renewalMs) : value,
  );
  return JSON.parse(text);
}

/** Leaves out events that say nothing new. One for each recording. */
export function createSieve(): (event: ObjectEvent) => boolean {
  const known = new Map<string, unknown>();
  return ({ is, raw }) => {
    const key = `${raw.kind}/${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;
    if (is === 'gone') return known.delete(key) || true;
    const next = essence(raw);
    if (isDeepStrictEqual(known.get(key), next)) return false;
    known.set(key, next);
    return true;
  };
}

const day = 86_400_000;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** CronJobs that had never run when they were first seen: a day older they would have missed every run of that day. */
function neverRun(value: unknown): ReadonlySet<string> {
  const seen = new Map<string, boolean>();
  JSON.stringify(value, (_, item: unknown) => {
    if (isFields(item) && item.kind === 'CronJob' && isFields(item.metadata)) {
      const key = `${item.metadata.namespace}/${item.metadata.name}`;
      if (!seen.has(key)) seen.set(key, isFields(item.status) && item.status.lastScheduleTime !== undefined);
    }
    return item;
  });
  return new Set([...seen].flatMap(([key, hasRun]) => (hasRun ? [] : [key])));
}

/** Whether an object is a run of a CronJob, or a Pod of one: its time is that of a schedule. */
function isRun({ kind, metadata }: Record<string, unknown>): boolean {
  const owners = isFields(metadata) && Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : [];
  const owner = kind === 'Job' ? 'CronJob' : kind === 'Pod' ? 'Job' : undefined;
  return owners.some((each) => isFields(each) && each.kind === owner);
}

/**
 * What was there before `start` is made a day older, so that a cluster that was set up a minute ago is not judged as a young
 * one. Every time before it moves by the same day, in objects seen later too: their order stays. A CronJob that had not run yet
 * stays as young as it is, and when one ran last stays as it was: else it would have missed a day of runs.
 */
export function aged<T>(value: T, start: number): T {
  const young = neverRun(value);
  const older = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(older);
    if (isFields(item)) {
      const { kind, metadata } = item;
      if (isRun(item)) return item;
      const fields = Object.fromEntries(Object.entries(item).map(([key, each]) => [key, older(each)]));
      if (kind !== 'CronJob' || !isFields(metadata)) return fields;
      const { status } = item;
      if (!young.has(`${metadata.namespace}/${metadata.name}`)) return { ...fields, status };
      const { creationTimestamp } = metadata;
      return { ...fields, status, metadata: { ...(isFields(fields.metadata) && fields.metadata), creationTimestamp } };
    }
    if (typeof item !== 'string' || !timestamp.test(item) || Date.parse(item) >= start) return item;
    const moved = new Date(Date.parse(item) - day).toISOString();
    return item.includes('.') ? moved : moved.replace('.000Z', 'Z');
  };
  // Only strings that are times were replaced, by times.
  return older(JSON.parse(JSON.stringify(value))) as T;
}

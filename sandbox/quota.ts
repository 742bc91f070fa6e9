/** What ResourceQuotas count, and the admission that refuses what goes beyond one (plugin/resourcequota). */
import { parseQuantity } from '../src/model/quantity.ts';
import { refused } from './failure.ts';
import { type Fields, fieldAt, isFields, type KubeObject } from './object.ts';
import { type Resource, resourceKey } from './resources.ts';
import type { Store } from './store.ts';

/** core/v1 ResourceQuota. */
export type ResourceQuota = KubeObject & {
  spec: { hard?: { [resource: string]: string } };
  status?: { hard?: { [resource: string]: string }; used?: { [resource: string]: string } };
};

/** Resources that are counted by their old names. */
const countedByName: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'configmaps',
  'secrets',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
]);

/** The sizes of a Pod that quotas count: `requests.cpu`, which may be written `cpu`. */
function sizeOf(resource: string): readonly ['requests' | 'limits', string] | undefined {
  if (resource === 'cpu' || resource === 'memory') return ['requests', resource];
  const [what, size] = resource.split('.', 2);
  if ((what !== 'requests' && what !== 'limits') || (size !== 'cpu' && size !== 'memory')) return undefined;
  return [what, size];
}

/** What one object uses of a resource; `undefined`: the quota asks for something that the object does not say. */
function usageOf(key: string, object: Fields, resource: string): number | undefined {
  if (resource === `count/${key}` || (resource === key && countedByName.has(key))) return hasEnded(key, object) ? 0 : 1;
  if (key === 'persistentvolumeclaims' && resource === 'requests.storage')
    return parseQuantity(String(fieldAt(object, 'spec', 'resources', 'requests', 'storage') ?? ''));
  const size = sizeOf(resource);
  if (key !== 'pods' || !size) return 0;
  if (hasEnded(key, object)) return 0;
  const containers = fieldAt(object, 'spec', 'containers');
  let sum = 0;
  for (const container of Array.isArray(containers) ? containers : []) {
    const given = parseQuantity(String(fieldAt(container, 'resources', ...size) ?? ''));
    if (given === undefined) return undefined;
    sum += given;
  }
  return sum;
}

/** Pods that have ended count no more. */
const hasEnded = (key: string, object: Fields): boolean =>
  key === 'pods' && ['Succeeded', 'Failed'].includes(String(fieldAt(object, 'status', 'phase')));

const suffixes = ['Gi', 'Mi', 'Ki'] as const;

/** A number as quantities of this resource are written: `500m`, `2Gi`. */
export function quantityText(resource: string, value: number): string {
  if (resource.endsWith('cpu') && !Number.isInteger(value)) return `${Math.round(value * 1000)}m`;
  if (!resource.endsWith('memory') && !resource.endsWith('storage')) return String(value);
  const power = suffixes.findIndex((_, index) => value > 0 && value % 1024 ** (3 - index) === 0);
  return power < 0 ? String(value) : `${value / 1024 ** (3 - power)}${suffixes[power]}`;
}

/** What of each resource of a quota is used in its namespace. */
export function usedOf(store: Store, quota: ResourceQuota): ReadonlyMap<string, number> {
  const used = new Map(Object.keys(quota.spec.hard ?? {}).map((resource) => [resource, 0]));
  for (const resource of used.keys()) {
    const key = keyOf(resource);
    for (const object of store.list(key, quota.metadata.namespace))
      used.set(resource, (used.get(resource) ?? 0) + (usageOf(key, object, resource) ?? 0));
  }
  return used;
}

/** Which objects a resource of a quota counts. */
function keyOf(resource: string): string {
  if (resource.startsWith('count/')) return resource.slice('count/'.length);
  if (resource === 'requests.storage') return 'persistentvolumeclaims';
  return countedByName.has(resource) ? resource : 'pods';
}

const list = (rows: readonly (readonly [string, number])[]): string =>
  rows
    .map(([resource, value]) => `${resource}=${quantityText(resource, value)}`)
    .sort()
    .join(',');

/** Refuses an object that is about to be created beyond a quota of its namespace: 403, in the API server's words. */
export function checkQuotas(store: Store, resource: Resource, namespace: string | undefined, object: Fields): void {
  if (namespace === undefined) return;
  const key = resourceKey(resource);
  const name = String(fieldAt(object, 'metadata', 'name'));
  for (const each of store.list('resourcequotas', namespace)) {
    const quota = each as ResourceQuota;
    const rows = Object.entries(isFields(quota.spec.hard) ? quota.spec.hard : {})
      .filter(([counted]) => keyOf(counted) === key)
      .map(([counted, hard]) => ({ counted, hard: parseQuantity(hard) ?? 0, asked: usageOf(key, object, counted) }));
    const unsaid = rows.filter(({ asked }) => asked === undefined).map(({ counted }) => counted);
    if (unsaid.length > 0) {
      const containers = fieldAt(object, 'spec', 'containers');
      const names = (Array.isArray(containers) ? containers : []).map((container) =>
        String(fieldAt(container, 'name')),
      );
      const texts = unsaid.sort().map((counted) => `${counted} for: ${names.join(',')}`);
      throw refused(resource, name, `failed quota: ${quota.metadata.name}: must specify ${texts.join('; ')}`);
    }
    const used = usedOf(store, quota);
    const beyond = rows.filter(({ counted, hard, asked = 0 }) => asked > 0 && (used.get(counted) ?? 0) + asked > hard);
    if (beyond.length === 0) continue;
    const say = (of: (row: (typeof beyond)[number]) => number): string =>
      list(beyond.map((row) => [row.counted, of(row)] as const));
    const numbers = `requested: ${say(({ asked = 0 }) => asked)}, used: ${say(({ counted }) => used.get(counted) ?? 0)}`;
    const limited = say(({ hard }) => hard);
    throw refused(resource, name, `exceeded quota: ${quota.metadata.name}, ${numbers}, limited: ${limited}`);
  }
}

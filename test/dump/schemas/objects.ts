import type { RawObject } from '../../../src/model/raw-object.ts';
import { watchedKinds } from '../../../src/world/kinds/kinds.ts';
import type { Schema } from './digest-file.ts';

/** How much of an object is there: every field, those that the schema asks for, or any of them. */
export type Fullness = 'full' | 'bare' | 'random';

/** A whole number from 0 to below `below`. */
export type Pick = (below: number) => number;

/** Fields within fields: deeper ones are left out. */
const mostDepth = 14;

/** What a text may be where its field says nothing of it. */
const texts = ['api', 'web', '', 'n1', 'Größe µ 日本', 'x'.repeat(300), 'a\nb\t"c" \\d', '0', 'true', '2026-11-20'];

/** Field → what stands there in objects of clusters; what is wrong with some of it is right by the schema. */
const words: Readonly<Record<string, readonly string[]>> = {
  name: ['api', 'web', 'n1', 'data'],
  namespace: ['shop', 'lab'],
  nodeName: ['n1', 'n2'],
  image: ['registry.example/api:1.0', 'api', 'registry.example/api@sha256:0f'],
  schedule: ['*/5 * * * *', '@daily', 'sometimes'],
  timeZone: ['Europe/Berlin', 'Nowhere/Land'],
  podIP: ['10.0.0.7', 'fd00::7'],
  ip: ['10.0.0.7', 'fd00::7'],
  clusterIP: ['10.96.0.9', 'None'],
  kind: ['Pod', 'Node', 'ReplicaSet', 'Deployment', 'Service', 'PersistentVolumeClaim', 'Widget'],
  apiVersion: ['v1', 'apps/v1', 'example.com/v1'],
  operator: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Near'],
  status: ['True', 'False', 'Unknown', 'Failed'],
  type: ['Ready', 'Available', 'Progressing', 'Warning', 'Failed', 'Complete', 'AbleToScale', 'ExternalName'],
  reason: ['CrashLoopBackOff', 'ImagePullBackOff', 'OOMKilled', 'FailedScheduling', 'FailedMount', 'Evicted', 'Error'],
  message: ['back-off 5m0s restarting failed container', '0/3 nodes are available: 3 Insufficient cpu.', 'password=a1'],
  phase: ['Running', 'Pending', 'Failed', 'Bound', 'Lost', 'Terminating'],
};

/** Makes values by the schemas of a release, as of `now` (epoch milliseconds). */
export class Maker {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #pick: Pick;
  readonly #now: number;
  #made = 0;

  constructor(schemas: ReadonlyMap<string, Schema>, pick: Pick, now: number) {
    this.#schemas = schemas;
    this.#pick = pick;
    this.#now = now;
  }

  /** An object of each kind and version that the release serves and Tocsin watches. */
  objects(fullness: Fullness): readonly RawObject[] {
    return [...this.#schemas.values()].flatMap(({ of, fields }) => {
      const row = watchedKinds.find(({ kind }) => kind === of?.[2]);
      if (!of || !row) return [];
      const [group, version, kind] = of;
      const made = this.#fields(fields, fullness, 0, []);
      const ownName =
        row.kind === 'Node' ? 'n1' : row.kind === 'Namespace' ? 'shop' : `${kind.toLowerCase()}-${++this.#made}`;
      const metadata = {
        ...(made.metadata as object),
        ...{ name: ownName, uid: `uid-${++this.#made}`, creationTimestamp: this.#time('seconds') },
      };
      const { namespace: _, ...ofCluster } = metadata as typeof metadata & { readonly namespace?: string };
      return {
        ...made,
        ...{ apiVersion: group === '' ? version : `${group}/${version}`, kind },
        metadata: row.namespaced ? { ...ofCluster, namespace: 'shop' } : ofCluster,
      } as RawObject;
    });
  }

  #fields(
    fields: Schema['fields'],
    fullness: Fullness,
    depth: number,
    above: readonly string[],
  ): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [written, type] of Object.entries(fields)) {
      const isNeeded = written.endsWith('!');
      const field = isNeeded ? written.slice(0, -1) : written;
      if (!isNeeded && (fullness === 'bare' || (fullness === 'random' && this.#pick(2) === 0))) continue;
      // Go writes so what nobody filled in.
      const isNull = fullness === 'random' && /^(?:\[\]|\{\}|time)/.test(type) && this.#pick(8) === 0;
      const value = isNull ? null : this.#value(type, field, fullness, depth + 1, above);
      if (value !== undefined) made[field] = value;
    }
    return made;
  }

  #value(type: string, field: string, fullness: Fullness, depth: number, above: readonly string[]): unknown {
    if (type.startsWith('#')) {
      const fields = this.#schemas.get(type.slice(1))?.fields ?? {};
      const isAgain = above.filter((each) => each === type).length > 1;
      return depth > mostDepth || isAgain ? {} : this.#fields(fields, fullness, depth, [...above, type]);
    }
    if (type.startsWith('[]') || type.startsWith('{}')) {
      const length = fullness === 'full' ? 1 : fullness === 'bare' ? 0 : this.#pick(3);
      const of = type.slice(2);
      const items = Array.from({ length }, () => this.#value(of, field, fullness, depth + 1, above));
      if (type.startsWith('[]')) return items;
      return Object.fromEntries(items.map((item, index) => [`${texts[this.#pick(2)]}.example/${index}`, item]));
    }
    if (type.startsWith('string')) {
      const [, given] = type.split(':');
      return this.#any(given === undefined ? (words[field] ?? texts) : given.split('|'));
    }
    return this.#plain(type);
  }

  #plain(type: string): unknown {
    switch (type) {
      case 'integer':
        return this.#any([0, 1, 3, 137, 8080, 2_147_483_647]);
      case 'number':
        return this.#any([0, 0.5, 1e9]);
      case 'boolean':
        return this.#pick(2) === 0;
      case 'time':
        return this.#time('seconds');
      case 'microtime':
        return this.#time('microseconds');
      case 'quantity':
        return this.#any(['100m', '1Gi', '2', '1e3', '0']);
      case 'either':
        return this.#any([80, 'http', '25%']);
      case 'bytes':
        return 'aGVsbG8=';
      default:
        return this.#any<unknown>([{}, { spec: { replicas: 3 } }, true, null, 'text']);
    }
  }

  #any<T>(of: readonly T[]): T | undefined {
    return of[this.#pick(of.length)];
  }

  #time(precision: 'seconds' | 'microseconds'): string {
    const text = new Date(this.#now - this.#pick(86_400_000)).toISOString();
    return precision === 'seconds' ? text.replace(/\.\d+Z$/, 'Z') : text.replace('Z', '000Z');
  }
}

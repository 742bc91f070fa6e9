import { isDeepStrictEqual } from 'node:util';
import type { ObjectEvent, RawObject } from '../model/raw-object.ts';

/** Sources whose objects say what the API server serves besides its own. */
const servedBy = {
  'customresourcedefinitions.apiextensions.k8s.io': saysOfDefinition,
  'apiservices.apiregistration.k8s.io': saysOfService,
} as const satisfies Readonly<Record<string, (raw: RawObject) => Served | undefined>>;

/** What of such an object decides what is served: its group, and whatever else, to be compared. */
type Served = { readonly group: string; readonly says: unknown };

/** What these sources say is served: of each change, which API group it touches. Bounded by what the API server holds of them. */
export class ServedChanges {
  readonly #known = new Map<string, Served>();

  /** The groups of which something came, went or changed its availability by these events. */
  take(source: string, events: readonly ObjectEvent[]): ReadonlySet<string> {
    const groups = new Set<string>();
    if (!isServing(source)) return groups;
    for (const { is, raw } of events) {
      const key = `${source}/${raw.metadata.name}`;
      const before = this.#known.get(key);
      const after = is === 'put' ? servedBy[source](raw) : undefined;
      if (after) this.#known.set(key, after);
      else this.#known.delete(key);
      if (!isDeepStrictEqual(before, after)) for (const each of [before, after]) if (each) groups.add(each.group);
    }
    return groups;
  }
}

function isServing(source: string): source is keyof typeof servedBy {
  return Object.hasOwn(servedBy, source);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The status of a condition; `undefined` without it. */
function statusOf(raw: RawObject, type: string): unknown {
  const conditions = listOf(record(raw.status).conditions).map(record);
  return conditions.find((condition) => condition.type === type)?.status;
}

function saysOfDefinition(raw: RawObject): Served {
  const spec = record(raw.spec);
  const versions = listOf(spec.versions).map(record);
  const served = versions.filter((version) => version.served === true).map(({ name }) => name);
  return {
    group: String(spec.group ?? ''),
    says: [record(spec.names).plural, served, statusOf(raw, 'Established')],
  };
}

/** Of what somebody else serves: the API server itself serves its own groups always, and those of definitions as these say. */
function saysOfService(raw: RawObject): Served | undefined {
  const spec = record(raw.spec);
  if (spec.service === undefined || spec.service === null) return undefined;
  return { group: String(spec.group ?? ''), says: [spec.version, statusOf(raw, 'Available')] };
}

import type { ChangeField } from '../../model/change-field.ts';
import { numberHash, shortHash } from '../../model/hash.ts';
import { type Fields, fieldsOf, labelsOf, listOf, textOf } from './fields.ts';
import { createPool } from './intern.ts';

/**
 * What there is to say, side by side: the field, and the name of a part of it (a variable of `env`, `limits.memory` of `resources`; '' for
 * the field as a whole). Containers that are written alike share one.
 */
type Layout = { readonly fields: readonly ChangeField[]; readonly names: readonly string[] };

/**
 * What fields say, in the order of their layout. Text is what anybody may read; of all else a hash tells whether it changed, and nothing that
 * it said is kept. Lists cost a third of what objects do.
 */
type Says = { readonly layout: Layout; readonly values: readonly (string | number)[] };

/** A Pod template as it is compared with another. */
export type TemplateFingerprint = {
  readonly containers: readonly {
    readonly name: string;
    readonly init: boolean;
    readonly image: string;
    readonly says: Says;
  }[];
  readonly pod: Says;
};

/** One difference of two templates. */
export type TemplateDifference = {
  readonly field: ChangeField;
  /** The container, for a field of one. */
  readonly container?: string;
  /** Which parts of the field, sorted: variables of `env` by name, `limits.memory` of `resources`. Absent: the field has none. */
  readonly parts?: readonly string[];
  readonly from?: string;
  readonly to?: string;
};

/** How a field is taken apart. `text`: it may be read. `quantities`: numbers and sizes below maps, which may be read. */
type Reading = 'whole' | 'text' | 'quantities' | { readonly by: string };

/** The fields of a container. A field that is not here is a part of `template`. */
const containerFields: ReadonlyMap<string, readonly [ChangeField, Reading]> = new Map([
  ['imagePullPolicy', ['imagePullPolicy', 'text']],
  ['command', ['command', 'whole']],
  ['args', ['args', 'whole']],
  ['env', ['env', { by: 'name' }]],
  ['envFrom', ['envFrom', 'whole']],
  ['resources', ['resources', 'quantities']],
  ['ports', ['ports', { by: 'containerPort' }]],
  ['lifecycle', ['lifecycle', 'whole']],
  ['livenessProbe', ['livenessProbe', 'quantities']],
  ['readinessProbe', ['readinessProbe', 'quantities']],
  ['startupProbe', ['startupProbe', 'quantities']],
  ['volumeMounts', ['volumeMounts', { by: 'mountPath' }]],
  ['securityContext', ['securityContext', 'whole']],
]);

/** The fields of a Pod's spec. Containers are compared one by one, and `serviceAccount` is an old name of another. */
const podFields: ReadonlyMap<string, readonly [ChangeField, Reading]> = new Map([
  ['volumes', ['volumes', { by: 'name' }]],
  ['imagePullSecrets', ['imagePullSecrets', 'whole']],
  ['serviceAccountName', ['serviceAccountName', 'text']],
  ['nodeSelector', ['nodeSelector', 'whole']],
  ['affinity', ['affinity', 'whole']],
  ['tolerations', ['tolerations', 'whole']],
  ['topologySpreadConstraints', ['topologySpreadConstraints', 'whole']],
  ['priorityClassName', ['priorityClassName', 'text']],
  ['runtimeClassName', ['runtimeClassName', 'text']],
  ['hostNetwork', ['hostNetwork', 'whole']],
  ['securityContext', ['securityContext', 'whole']],
]);
const comparedElsewhere = new Set(['name', 'image', 'containers', 'initContainers', 'serviceAccount']);

/** Labels that controllers add to the templates they copy. */
export const controllerLabels: ReadonlySet<string> = new Set(['pod-template-hash', 'controller-revision-hash']);

/** How many different names and layouts are shared at once; what is beyond that is not shared. */
const [nameCapacity, layoutCapacity] = [50_000, 5_000];
/** Parts named of one difference. */
const maxParts = 5;

const hashOf = (value: unknown): number =>
  numberHash(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function metadataOf(metadata: Fields): Fields {
  const labels = Object.entries(labelsOf(metadata.labels)).filter(([name]) => !controllerLabels.has(name));
  const annotations = Object.entries(labelsOf(metadata.annotations));
  return { labels: labels.sort(), annotations: annotations.sort() };
}

/** Makes the fingerprints of templates. */
export class TemplateFingerprints {
  readonly #names = createPool<string>(nameCapacity);
  readonly #layouts = createPool<Layout>(layoutCapacity);

  /** The fingerprint of a `spec.template`. */
  of(template: unknown): TemplateFingerprint {
    const { metadata, spec: raw } = fieldsOf(template);
    const spec = fieldsOf(raw);
    const container = (init: boolean) => (fields: Fields) => ({
      name: textOf(fields.name) ?? '',
      init,
      image: textOf(fields.image) ?? '',
      says: this.#saysOf(fields, containerFields),
    });
    return {
      containers: [
        ...listOf(spec.initContainers).map(container(true)),
        ...listOf(spec.containers).map(container(false)),
      ],
      pod: this.#saysOf(spec, podFields, ['metadata', '', hashOf(metadataOf(fieldsOf(metadata)))]),
    };
  }

  /** What the fields of a container or of a Pod's spec say. */
  #saysOf(
    raw: Fields,
    table: typeof containerFields,
    ...more: readonly (readonly [ChangeField, string, number])[]
  ): Says {
    const [fields, names, values]: [ChangeField[], string[], (string | number)[]] = [[], [], []];
    const add = (field: ChangeField, name: string, value: string | number): void => {
      fields.push(field);
      names.push(name);
      values.push(value);
    };
    for (const key in raw) {
      if (comparedElsewhere.has(key)) continue;
      const value = raw[key];
      const [field, reading] = table.get(key) ?? (['template', 'whole'] as const);
      if (typeof reading === 'object')
        for (const entry of listOf(value))
          add(field, this.#shared(String(entry[reading.by] ?? '')), hashOfEntry(entry));
      else if (reading === 'quantities') addQuantities(add, field, fieldsOf(value));
      else add(field, field === 'template' ? key : '', (reading === 'text' && textOf(value)) || hashOf(value));
    }
    for (const each of more) add(...each);
    // A list that grew has room to spare; its copy has none.
    const layout = this.#layouts(shortHash([...fields, ...names]), () => ({
      fields: fields.slice(),
      names: names.slice(),
    }));
    return { layout, values: values.slice() };
  }

  #shared(name: string): string {
    return this.#names(name, () => name);
  }
}

/** A variable with a plain value is nearly all there is. */
function hashOfEntry(entry: Fields): number {
  const { value, valueFrom } = entry;
  return typeof value === 'string' && valueFrom === undefined ? numberHash(value) : hashOf(entry);
}

/** Numbers, and sizes one level down (`limits.memory`). Lists, commands and addresses stay hidden. */
function addQuantities(
  add: (field: ChangeField, name: string, value: string | number) => void,
  field: ChangeField,
  fields: Fields,
): void {
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === 'number') add(field, key, String(value));
    else if (field !== 'resources') add(field, key, hashOf(value));
    else for (const [name, size] of Object.entries(fieldsOf(value))) add(field, `${key}.${name}`, String(size));
  }
}

/** What differs between two templates, by the words of the API. */
export function templateDifferences(before: TemplateFingerprint, after: TemplateFingerprint): TemplateDifference[] {
  if (before === after) return [];
  const differences: TemplateDifference[] = [];
  for (const next of after.containers) {
    const known = before.containers.find(({ name, init }) => name === next.name && init === next.init);
    if (!known) continue;
    const { name: container } = next;
    if (known.image !== next.image) differences.push({ field: 'image', container, from: known.image, to: next.image });
    for (const difference of saidDifferently(known.says, next.says)) differences.push({ ...difference, container });
  }
  for (const init of [true, false]) {
    const names = ({ containers }: TemplateFingerprint): string[] =>
      containers.filter((each) => each.init === init).map(({ name }) => name);
    const [was, is] = [names(before), names(after)];
    if (was.join() === is.join()) continue;
    const parts = [...new Set([...was, ...is])].filter((name) => !(was.includes(name) && is.includes(name)));
    differences.push({
      field: init ? 'initContainers' : 'containers',
      ...(parts.length > 0 && { parts: first(parts) }),
    });
  }
  return differences.concat(saidDifferently(before.pod, after.pod));
}

/** What fields say differently, one difference a field. */
function saidDifferently(before: Says, after: Says): TemplateDifference[] {
  const [was, is] = [byPart(before), byPart(after)];
  const changed = new Map<ChangeField, string[]>();
  for (const [key, { field, name }] of new Map([...was, ...is]))
    if (was.get(key)?.value !== is.get(key)?.value) changed.set(field, [...(changed.get(field) ?? []), name]);
  return [...changed].map(([field, names]): TemplateDifference => {
    const only = names.length === 1 ? `${field}/${names[0]}` : '';
    const [from, to] = [was.get(only)?.value, is.get(only)?.value];
    return {
      field,
      ...(!names.includes('') && { parts: first(names) }),
      ...(typeof from === 'string' && { from }),
      ...(typeof to === 'string' && { to }),
    };
  });
}

/** A field or a named part of one, and what it says. */
type Part = { readonly field: ChangeField; readonly name: string; readonly value: string | number };

function byPart({ layout: { fields, names }, values }: Says): Map<string, Part> {
  const byKey = new Map<string, Part>();
  for (const [at, field] of fields.entries()) {
    const [name = '', value = ''] = [names[at], values[at]];
    const key = `${field}/${name}`;
    const same = byKey.get(key);
    // A port for TCP and UDP, a variable that is given twice: what they say together.
    byKey.set(key, { field, name, value: same ? numberHash(`${same.value} ${value}`) : value });
  }
  return byKey;
}

function first(names: readonly string[]): readonly string[] {
  return [...names].sort().slice(0, maxParts);
}

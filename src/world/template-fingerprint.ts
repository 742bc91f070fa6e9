import type { ChangeField } from '../model/change-field.ts';
import { numberHash, shortHash } from '../model/hash.ts';
import { type Fields, fieldsOf, labelsOf, listOf, textOf } from './fields.ts';
import { createPool } from './intern.ts';

/**
 * What fields say, side by side: the field, the name of a part of it (a variable of `env`, `limits.memory` of `resources`; ''
 * for the field as a whole), and what that says. Text is what anybody may read; of all else a hash tells whether it changed,
 * and nothing that it said is kept. Three lists, because objects for each would cost five times as much.
 */
type Says = {
  readonly fields: readonly ChangeField[];
  readonly parts: readonly string[];
  readonly values: readonly (string | number)[];
};

/** A Pod template as it is compared with another: one for all objects that have the same. */
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
const controllerLabels = new Set(['pod-template-hash', 'controller-revision-hash']);

/** As many as a cluster of 100,000 Pods has templates in use; what is not in use any more is forgotten with them. */
const poolCapacity = 20_000;
/** Parts named of one difference. */
const maxParts = 5;

const hashOf = (value: unknown): number => numberHash(JSON.stringify(value) ?? '');

/** Collects what fields say. */
class Sayings {
  readonly fields: ChangeField[] = [];
  readonly parts: string[] = [];
  readonly values: (string | number)[] = [];

  add(field: ChangeField, part: string, value: string | number): void {
    this.fields.push(field);
    this.parts.push(part);
    this.values.push(value);
  }

  /** Takes the fields of a container or of a Pod's spec. */
  addAll(fields: Fields, table: typeof containerFields): this {
    for (const key in fields) {
      if (comparedElsewhere.has(key)) continue;
      const value = fields[key];
      const [field, reading] = table.get(key) ?? (['template', 'whole'] as const);
      if (typeof reading === 'object')
        for (const entry of listOf(value)) this.add(field, String(entry[reading.by] ?? ''), hashOf(entry));
      else if (reading === 'quantities') this.#addQuantities(field, fieldsOf(value));
      else this.add(field, field === 'template' ? key : '', (reading === 'text' && textOf(value)) || hashOf(value));
    }
    return this;
  }

  /** Numbers, and sizes one level down (`limits.memory`). Lists, commands and addresses stay hidden. */
  #addQuantities(field: ChangeField, fields: Fields): void {
    for (const key in fields) {
      const value = fields[key];
      if (typeof value === 'number') this.add(field, key, String(value));
      else if (field !== 'resources') this.add(field, key, hashOf(value));
      else for (const [name, size] of Object.entries(fieldsOf(value))) this.add(field, `${key}.${name}`, String(size));
    }
  }
}

function metadataOf(metadata: Fields): Fields {
  const labels = Object.entries(labelsOf(metadata.labels)).filter(([name]) => !controllerLabels.has(name));
  const annotations = Object.entries(labelsOf(metadata.annotations));
  return { labels: labels.sort(), annotations: annotations.sort() };
}

/** Fingerprints templates, and shares what templates have in common. */
export class TemplateFingerprints {
  readonly #fingerprints = createPool<TemplateFingerprint>(poolCapacity);
  readonly #says = createPool<Says>(2 * poolCapacity);

  /** The fingerprint of a `spec.template`. */
  of(template: unknown): TemplateFingerprint {
    const { metadata, spec } = fieldsOf(template);
    const own = metadataOf(fieldsOf(metadata));
    return this.#fingerprints(shortHash([JSON.stringify([own, spec]) ?? '']), () => this.#make(own, fieldsOf(spec)));
  }

  #make(metadata: Fields, spec: Fields): TemplateFingerprint {
    const container = (init: boolean) => (fields: Fields) => ({
      name: textOf(fields.name) ?? '',
      init,
      image: textOf(fields.image) ?? '',
      says: this.#shared(new Sayings().addAll(fields, containerFields)),
    });
    const pod = new Sayings().addAll(spec, podFields);
    pod.add('metadata', '', hashOf(metadata));
    return {
      containers: [
        ...listOf(spec.initContainers).map(container(true)),
        ...listOf(spec.containers).map(container(false)),
      ],
      pod: this.#shared(pod),
    };
  }

  #shared({ fields, parts, values }: Says): Says {
    // A list that grew has room to spare; its copy has none.
    const copy = (): Says => ({ fields: fields.slice(), parts: parts.slice(), values: values.slice() });
    return this.#says(shortHash([JSON.stringify([fields, parts, values])]), copy);
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
    differences.push(...saidDifferently(known.says, next.says).map((difference) => ({ ...difference, container })));
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
  differences.push(...saidDifferently(before.pod, after.pod));
  return differences;
}

/** What fields say differently, one difference a field. */
function saidDifferently(before: Says, after: Says): TemplateDifference[] {
  if (before === after) return [];
  const [was, is] = [byPart(before), byPart(after)];
  const parts = new Map<ChangeField, string[]>();
  for (const [key, { field, part }] of new Map([...was, ...is])) {
    if (was.get(key)?.value !== is.get(key)?.value) parts.set(field, [...(parts.get(field) ?? []), part]);
  }
  return [...parts].map(([field, names]): TemplateDifference => {
    const [from, to] = [was, is].map((side) =>
      names.length === 1 ? side.get(`${field}/${names[0]}`)?.value : undefined,
    );
    return {
      field,
      ...(!names.includes('') && { parts: first(names) }),
      ...(typeof from === 'string' && { from }),
      ...(typeof to === 'string' && { to }),
    };
  });
}

type Part = { readonly field: ChangeField; readonly part: string; readonly value: string | number };

function byPart({ fields, parts, values }: Says): Map<string, Part> {
  const byKey = new Map<string, Part>();
  for (const [at, field] of fields.entries()) {
    const [part = '', value = ''] = [parts[at], values[at]];
    const key = `${field}/${part}`;
    const same = byKey.get(key);
    // A port for TCP and UDP, a variable that is given twice: what they say together.
    byKey.set(key, { field, part, value: same ? numberHash(`${same.value} ${value}`) : value });
  }
  return byKey;
}

function first(names: readonly string[]): readonly string[] {
  return [...names].sort().slice(0, maxParts);
}

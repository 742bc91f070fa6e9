import { apiVersion, configName } from '../../api/group.ts';
import type { RawObject } from '../../model/raw-object.ts';
import type { Place } from './places.ts';
import type { Rule, Target, Tool } from './rule.ts';

/** What became of one value. `into`: where it is now; `why`: why nowhere. */
export type Line = { readonly line: number; readonly path: string } & (
  | { readonly into: string }
  | { readonly why: string }
);

/** The manifests, what became of every value, and the Secrets that must be made: name → keys. */
export type Converted = {
  readonly manifests: readonly RawObject[];
  readonly lines: readonly Line[];
  readonly secrets: ReadonlyMap<string, readonly string[]>;
};

type Found = { readonly target: Target; readonly prefix: string };

type Block = Record<string, unknown>;

type Making = { readonly type: string; name: string; readonly block: Block };

/** Reads a configuration by the rules of a tool. Every value is in `lines`, once. */
export function convert(places: readonly Place[], tool: Tool, namespace: string): Converted {
  const makings = new Map<string, Making>();
  const config: Block = {};
  const later: { readonly place: Place; readonly found: Found }[] = [];
  const outcomes = new Map<Place, { readonly into: string } | { readonly why: string }>();
  const names = namesOf(places, tool);
  for (const place of places) {
    const found = ruleFor(place, tool.rules);
    if (found === undefined) outcomes.set(place, { why: `nothing here knows this setting of ${tool.title}` });
    else if (found.target.is === 'none') outcomes.set(place, { why: found.target.why });
    else if (isEmpty(place.value)) outcomes.set(place, { why: 'it is empty' });
    else if (found.target.is === 'setting') outcomes.set(place, settled(config, found.target, place));
    else if (found.target.is === 'name') outcomes.set(place, { into: 'the name of the AlertProvider' });
    else if (found.target.shared) later.push({ place, found });
    else {
      const { type } = found.target;
      const id = `${found.prefix} ${type}`;
      const making = makings.get(id) ?? { type, name: nameFor(names.get(found.prefix) ?? type, makings), block: {} };
      makings.set(id, making);
      outcomes.set(place, { into: put(making, found.target, place.value) });
    }
  }
  for (const { place, found } of later) {
    const { target } = found;
    if (target.is !== 'field') continue;
    const takers = [...makings].filter(
      ([id, { type, block }]) => id.startsWith(found.prefix) && type === target.type && !(target.field in block),
    );
    const into = takers.map(([, making]) => put(making, target, place.value));
    outcomes.set(place, into.length > 0 ? { into: into.join(', ') } : { why: `no ${target.type} needs it` });
  }
  const providers = [...makings.values()];
  return {
    manifests: [
      ...(Object.keys(config).length > 0 ? [manifest('AlertConfig', configName, namespace, config)] : []),
      ...providers.map(({ type, name, block }) => manifest('AlertProvider', name, namespace, { type, [type]: block })),
    ],
    lines: places.map((place) => ({
      ...{ line: place.line, path: place.path.join('.') },
      ...(outcomes.get(place) ?? { why: 'nothing came of it' }),
    })),
    secrets: new Map(
      providers.flatMap(({ name, block }) => {
        const keys = Object.entries(block).flatMap(([key, value]) => (Object(value).secretKeyRef ? [key] : []));
        return keys.length > 0 ? [[name, keys] as const] : [];
      }),
    ),
  };
}

const manifest = (kind: string, name: string, namespace: string, spec: object): RawObject => ({
  ...{ apiVersion, kind, metadata: { name, namespace }, spec },
});

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** The first rule that fits, and the part of the path that makes one AlertProvider. */
function ruleFor({ path, value }: Place, rules: readonly Rule[]): Found | undefined {
  for (const [pattern, target] of rules) {
    const boundary = stepsOf(pattern.split('/')[0] ?? '').length;
    const steps = stepsOf(pattern);
    const open = steps.at(-1) === '**';
    const fixed = open ? steps.slice(0, -1) : steps;
    if (open ? path.length < fixed.length : path.length !== fixed.length) continue;
    if (fixed.every((step, index) => step === '*' || step === path[index]))
      return {
        target: typeof target === 'function' ? target(value) : target,
        prefix: pattern.includes('/') ? path.slice(0, boundary).join('.') : '',
      };
  }
  return undefined;
}

const stepsOf = (pattern: string): readonly string[] =>
  pattern
    .split(/(?<!\\)[./]/)
    .filter((step) => step !== '')
    .map((step) => step.replaceAll('\\.', '.'));

/** What people call their AlertProviders, by the part of the path that makes one. */
function namesOf(places: readonly Place[], tool: Tool): ReadonlyMap<string, string> {
  const named = places.flatMap((place) => {
    const found = ruleFor(place, tool.rules);
    return found?.target.is === 'name' ? [[found.prefix, String(place.value)] as const] : [];
  });
  const own = new Map(named);
  // A name above counts for what is below: that of a receiver for its configurations.
  return {
    get: (prefix: string) => own.get(prefix) ?? named.find(([above]) => prefix.startsWith(`${above}.`))?.[1],
  } as ReadonlyMap<string, string>;
}

/** A name that Kubernetes takes and nobody has yet. */
function nameFor(asked: string, makings: ReadonlyMap<string, Making>): string {
  const stem =
    asked
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 50) || 'imported';
  const taken = new Set(Iterator.from(makings.values()).map(({ name }) => name));
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(name)) return name;
  }
}

function put(making: Making, target: Extract<Target, { readonly is: 'field' }>, value: unknown): string {
  const { name, block, type } = making;
  const { field } = target;
  if (target.also) block[target.also.field] = target.also.read(value);
  const said = target.secret ? { secretKeyRef: { name, key: field } } : target.read(value);
  block[field] = target.list ? withItem(block[field], said) : said;
  return `AlertProvider ${name} ${type}.${field}${target.also ? `, ${target.also.field}` : ''}${target.secret ? ` (Secret ${name}, key ${field})` : ''}`;
}

const withItem = (held: unknown, item: unknown): readonly unknown[] => [...(Array.isArray(held) ? held : []), item];

function settled(
  config: Block,
  { path, list, read }: Extract<Target, { readonly is: 'setting' }>,
  { path: place, value }: Place,
): { readonly into: string } | { readonly why: string } {
  const step = place.at(-1) ?? '';
  const said = read(value, step);
  if (said === undefined) return { why: 'that is how Tocsin does it anyway' };
  if (Number.isNaN(said)) return { why: 'it is no number' };
  const steps = path.split('.').map((each) => (each === '*' ? step : each));
  const last = steps.pop() ?? '';
  let block = config;
  for (const each of steps) {
    const inner = (block[each] ?? {}) as Block;
    block[each] = inner;
    block = inner;
  }
  block[last] = list ? withItem(block[last], said) : said;
  return { into: `AlertConfig ${configName} ${[...steps, last].join('.')}` };
}

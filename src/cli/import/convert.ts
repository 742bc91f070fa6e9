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
    const found = ruleFor(place.path, tool.rules);
    if (found === undefined) outcomes.set(place, { why: `nothing here knows this setting of ${tool.title}` });
    else if (place.value === null || place.value === '') outcomes.set(place, { why: 'it is empty' });
    else if (found.target.is === 'none') outcomes.set(place, { why: found.target.why });
    else if (found.target.is === 'setting') outcomes.set(place, settled(config, found.target, place.value));
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

/** The first rule that fits, and the part of the path that makes one AlertProvider. */
function ruleFor(path: readonly string[], rules: readonly Rule[]): Found | undefined {
  for (const [pattern, target] of rules) {
    const boundary =
      pattern
        .split('/')[0]
        ?.split('.')
        .filter((step) => step !== '').length ?? 0;
    const steps = pattern.split(/[./]/).filter((step) => step !== '');
    const open = steps.at(-1) === '**';
    const fixed = open ? steps.slice(0, -1) : steps;
    if (open ? path.length < fixed.length : path.length !== fixed.length) continue;
    if (fixed.every((step, index) => step === '*' || step === path[index]))
      return { target, prefix: pattern.includes('/') ? path.slice(0, boundary).join('.') : '' };
  }
  return undefined;
}

/** What people call their AlertProviders, by the part of the path that makes one. */
function namesOf(places: readonly Place[], tool: Tool): ReadonlyMap<string, string> {
  const named = places.flatMap(({ path, value }) => {
    const found = ruleFor(path, tool.rules);
    return found?.target.is === 'name' ? [[found.prefix, String(value)] as const] : [];
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
  if (target.also) block[target.also.field] = target.also.read(value);
  block[target.field] = target.secret ? { secretKeyRef: { name, key: target.field } } : target.read(value);
  return `AlertProvider ${name} ${type}.${target.field}${target.also ? `, ${target.also.field}` : ''}${target.secret ? ` (Secret ${name}, key ${target.field})` : ''}`;
}

function settled(config: Block, { path, list, read }: Extract<Target, { readonly is: 'setting' }>, value: unknown) {
  const said = read(value);
  if (said === undefined) return { why: 'that is how Tocsin does it anyway' };
  const [group = '', key = ''] = path.split('.');
  const held = (config[group] ?? {}) as Block;
  config[group] = held;
  held[key] = list ? [...((held[key] as unknown[] | undefined) ?? []), said] : said;
  return { into: `AlertConfig ${configName} ${path}` };
}

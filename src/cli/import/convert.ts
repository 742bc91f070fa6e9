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
  const ways = tool.rules.map(wayOf);
  const everything = places.map((place) => ({ place, found: foundFor(place, ways) }));
  const names = namesOf(everything);
  for (const { place, found } of everything) {
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

/** A rule with its pattern read. `open`: whatever is below belongs to it; `boundary`: how many steps make one AlertProvider. */
type Way = {
  readonly steps: readonly string[];
  readonly open: boolean;
  readonly boundary: number;
  readonly to: Rule[1];
};

function wayOf([pattern, to]: Rule): Way {
  const steps = stepsOf(pattern);
  const open = steps.at(-1) === '**';
  const boundary = pattern.includes('/') ? stepsOf(pattern.split('/')[0] ?? '').length : 0;
  return { steps: open ? steps.slice(0, -1) : steps, open, boundary, to };
}

/** What the first rule that fits says, and the part of the path that makes one AlertProvider. */
function foundFor({ path, value }: Place, ways: readonly Way[]): Found | undefined {
  const way = ways.find(
    ({ steps, open }) =>
      (open ? path.length >= steps.length : path.length === steps.length) &&
      steps.every((step, index) => step === '*' || step === path[index]),
  );
  if (way === undefined) return undefined;
  const { to, boundary } = way;
  return { target: typeof to === 'function' ? to(value) : to, prefix: path.slice(0, boundary).join('.') };
}

const stepsOf = (pattern: string): readonly string[] =>
  pattern
    .split(/(?<!\\)[./]/)
    .filter((step) => step !== '')
    .map((step) => step.replaceAll('\\.', '.'));

/** What people call their AlertProviders, by the part of the path that makes one. */
function namesOf(
  everything: readonly { readonly place: Place; readonly found: Found | undefined }[],
): ReadonlyMap<string, string> {
  const named = everything.flatMap(({ place, found }) =>
    found?.target.is === 'name' ? [[found.prefix, String(place.value)] as const] : [],
  );
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

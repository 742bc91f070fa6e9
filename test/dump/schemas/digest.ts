/**
 * Writes `kubernetes.json`: what the objects of all kinds that Tocsin watches look like in the releases of Kubernetes, by the OpenAPI document that each
 * release publishes (`api/openapi-spec/swagger.json` in k8s.io/kubernetes). Needs Go, which fetches them, 15 MB each. Run with
 * `node test/dump/schemas/digest.ts`, for a new release after adding it to `releases.ts`; a folder as its argument keeps what was fetched.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchedKinds } from '../../../src/world/kinds/kinds.ts';
import { type Digest, digestFile, type Schema } from './digest-file.ts';
import { releases } from './releases.ts';

type Property = {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Property;
  readonly additionalProperties?: Property;
};
type Definition = Property & {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
};
type Definitions = Readonly<Record<string, Definition>>;

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'tocsin-schemas-'));
mkdirSync(folder, { recursive: true });

/** The OpenAPI document of a release. */
function definitionsOf(release: string): Definitions {
  const file = join(folder, `swagger-${release}.json`);
  if (!existsSync(file)) {
    const modules = join(folder, 'modules');
    const env = { ...process.env, GOMODCACHE: modules, GOFLAGS: '-modcacherw' };
    const fetched = execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${release}`], {
      ...{ env, cwd: folder, encoding: 'utf8' },
    });
    const { Dir } = JSON.parse(fetched) as { readonly Dir: string };
    writeFileSync(file, readFileSync(join(Dir, 'api/openapi-spec/swagger.json')));
    rmSync(modules, { recursive: true });
  }
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly definitions: Definitions }).definitions;
}

/** Definitions whose JSON is not as their Go type looks. */
const written: Readonly<Record<string, string>> = {
  Time: 'time',
  MicroTime: 'microtime',
  Quantity: 'quantity',
  IntOrString: 'either',
};
const nameOf = (ref: string): string =>
  ref.replace('#/definitions/', '').replace(/^io\.k8s\.(?:api\.|apimachinery\.pkg\.apis\.)?/, '');

function typeOf(property: Property, definitions: Definitions, used: Set<string>): string {
  const { $ref, type, format, items, additionalProperties } = property;
  if ($ref !== undefined) {
    const name = $ref.replace('#/definitions/', '');
    const special = written[name.split('.').at(-1) ?? ''];
    if (special) return special;
    const target = definitions[name];
    if (target?.properties) {
      used.add(name);
      return `#${nameOf($ref)}`;
    }
    return target?.type === 'string' ? 'string' : 'any';
  }
  if (items) return `[]${typeOf(items, definitions, used)}`;
  if (additionalProperties) return `{}${typeOf(additionalProperties, definitions, used)}`;
  if (property.enum) return `string:${property.enum.join('|')}`;
  if (type === 'string') return format === 'byte' ? 'bytes' : format === 'date-time' ? 'time' : 'string';
  return type === 'object' || type === undefined ? 'any' : type;
}

/** The groups of kinds that are watched; Ingresses and Events were in others as well. */
const groups = new Map<string, readonly string[]>(
  watchedKinds.map(({ kind, group }) => [
    kind,
    [group, kind === 'Ingress' ? 'extensions' : kind === 'Event' ? '' : group],
  ]),
);
const isWatched = ({ group, kind }: { group: string; kind: string }): boolean =>
  groups.get(kind)?.some((each) => each === group) === true;

/** What is reached from the kinds that are watched. */
function digestOf(definitions: Definitions): Map<string, Schema> {
  const schemas = new Map<string, Schema>();
  const waiting = new Set<string>();
  for (const [name, { 'x-kubernetes-group-version-kind': of = [] }] of Object.entries(definitions))
    if (of.length === 1 && of.some(isWatched)) waiting.add(name);
  for (const name of waiting) {
    const definition = definitions[name] ?? {};
    const [of, ...others] = definition['x-kubernetes-group-version-kind'] ?? [];
    const fields = Object.entries(definition.properties ?? {}).map(([field, property]) => {
      const isNeeded = definition.required?.includes(field) === true;
      return [`${field}${isNeeded ? '!' : ''}`, typeOf(property, definitions, waiting)];
    });
    schemas.set(nameOf(name), {
      ...(of && others.length === 0 && { of: [of.group, of.version, of.kind] as const }),
      fields: Object.fromEntries(fields),
    });
  }
  return schemas;
}

/** Before 1.23 the document did not say which words a field takes: they were the same, or fewer. */
function withWords(digests: readonly Map<string, Schema>[]): void {
  const words = new Map<string, string>();
  for (const schemas of digests.toReversed())
    for (const [name, { fields }] of schemas)
      for (const [field, type] of Object.entries(fields)) {
        const key = `${name}.${field.replace('!', '')}`;
        if (type.startsWith('string:') && !words.has(key)) words.set(key, type);
        else if (type === 'string') (fields as Record<string, string>)[field] = words.get(key) ?? type;
      }
}

try {
  const digests = releases.map((release) => digestOf(definitionsOf(release)));
  withWords(digests);
  const changes: Digest[number][] = [];
  let before = new Map<string, Schema>();
  digests.forEach((schemas, index) => {
    const isOther = ([name, schema]: readonly [string, Schema]): boolean =>
      JSON.stringify(before.get(name)) !== JSON.stringify(schema);
    changes.push({
      release: releases[index] ?? '',
      set: Object.fromEntries([...schemas].filter(isOther)),
      gone: [...before.keys()].filter((name) => !schemas.has(name)),
    });
    before = schemas;
  });
  // A line for each definition, so that what a release changed shows.
  const text = JSON.stringify(changes).replaceAll(/(?<=[{,])"[\w.-]+":\{"(?:of|fields)"/g, '\n$&');
  writeFileSync(digestFile, `${text}\n`);
  console.log(
    `${digestFile}: ${(text.length / 1024).toFixed(0)} KiB, ${digests.map(({ size }) => size).join(' ')} definitions`,
  );
} finally {
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true });
}

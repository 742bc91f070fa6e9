import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What an object, or a part of one, looks like. Fields → their types, `!` behind the names of those that are always there: `string` (with the words that it
 * takes, `string:A|B`), `integer`, `number`, `boolean`, `time`, `microtime`, `quantity`, `either` (a number or a text), `bytes`, `any`, `#Name` of another,
 * and before any of them `[]` for lists and `{}` for maps. `of`: group, version and kind of what is an object by itself.
 */
export type Schema = {
  readonly of?: readonly [group: string, version: string, kind: string];
  readonly fields: Readonly<Record<string, string>>;
};

/** For each release what is different from the one before it. */
export type Digest = readonly {
  readonly release: string;
  readonly set: Readonly<Record<string, Schema>>;
  readonly gone: readonly string[];
}[];

/** Written by `digest.ts`. */
export const digestFile = join(import.meta.dirname, 'kubernetes.json');

/** Release → its schemas by name. */
export function readSchemas(): ReadonlyMap<string, ReadonlyMap<string, Schema>> {
  let schemas = new Map<string, Schema>();
  const all = new Map<string, ReadonlyMap<string, Schema>>();
  for (const { release, set, gone } of JSON.parse(readFileSync(digestFile, 'utf8')) as Digest) {
    schemas = new Map([...schemas, ...Object.entries(set)].filter(([name]) => !gone.includes(name)));
    all.set(release, schemas);
  }
  return all;
}

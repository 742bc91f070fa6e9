/** `NOTICE`: whose work Tocsin is, and whose it contains. The full texts go with every program that is built: THIRD-PARTY-NOTICES.txt. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { materialsOf } from '../build/materials.ts';

const root = resolve(import.meta.dirname, '../..');

type Lockfile = {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
};

/** Every package that could be in the program, by the lock file. */
export function notice(): string {
  const { packages }: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const files = Object.entries(packages)
    .filter(([folder, { dev, optional }]) => folder !== '' && !dev && !optional)
    .map(([folder]) => `${folder}/package.json`);
  const rows = materialsOf(files, root).map(({ name, version, license }) => `  ${name} ${version} (${license})`);
  return `Tocsin
Copyright 2026 The Tocsin authors

Licensed under the Apache License, Version 2.0: see LICENSE. It covers everything in this repository, the features of Pro included; what a licence
token is for stands in docs/editions.md.

The program may contain parts of these packages, under their own licences, whose texts go with every image and archive as
THIRD-PARTY-NOTICES.txt. An image also contains Node.js and the libraries of its base image; a single executable contains Node.js, whose licence
goes with it.

${rows.join('\n')}
`;
}

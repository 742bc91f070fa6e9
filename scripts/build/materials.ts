/** What the bundle is made of: the licence texts that must go with it, and the list of its parts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of which something is in the bundle. */
export type Material = {
  readonly name: string;
  readonly version: string;
  /** As SPDX writes it. */
  readonly license: string;
  /** Its full licence texts and notices. */
  readonly texts: readonly string[];
  /** Of the archive it came from, as the lockfile has it: `sha512-…` in base64. */
  readonly integrity: string | undefined;
};

type Manifest = {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
};
type Lockfile = { readonly packages?: Readonly<Record<string, { readonly integrity?: string }>> };

const mit = (holder: string): string => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE
OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const unlicense = `This is free and unencumbered software released into the public domain. Anyone is free to copy, modify, publish, use,
compile, sell, or distribute this software, either in source code form or as a compiled binary, for any purpose, commercial or
non-commercial, and by any means. See https://unlicense.org.`;

/** Standard texts of licences, for packages that name theirs and ship no copy; with the holder of the rights. */
const standardTexts: ReadonlyMap<string, (holder: string) => string> = new Map([
  ['MIT', mit],
  ['Unlicense', () => unlicense],
]);

/** The folder of the package that a file belongs to, relative to the project; `undefined` for a file of our own. */
export function packageOf(file: string): string | undefined {
  return /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

/**
 * The packages of the files that a bundle was made from, by name. Throws, naming it, when one says no licence, or has no text
 * and none can be put in its place.
 */
export function materialsOf(files: Iterable<string>, root: string): readonly Material[] {
  const folders = new Set<string>();
  for (const file of files) {
    const folder = packageOf(file);
    if (folder !== undefined) folders.add(folder);
  }
  const { packages = {} }: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return [...folders]
    .map((folder) => materialIn(join(root, folder), packages[folder]?.integrity))
    .toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

function materialIn(folder: string, integrity: string | undefined): Material {
  const { name, version, license, author }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (name === undefined || version === undefined || license === undefined)
    throw new Error(`${folder}: its package.json has no name, version or license; look its licence up and say it here`);
  const found = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const holder = typeof author === 'string' ? author : author?.name;
  const standard = standardTexts.get(license)?.(holder ?? `the authors of ${name}`);
  const texts = found.length > 0 || standard === undefined ? found : [standard];
  if (texts.length === 0) throw new Error(`${name}@${version} (${license}) has no licence text; add one here`);
  return { name, version, license, texts, integrity };
}

/** The notices as one text. */
export function noticesOf(materials: readonly Material[]): string {
  const line = '-'.repeat(100);
  const sections = materials.map(
    ({ name, version, license, texts }) => `${line}\n${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`,
  );
  return `Tocsin contains parts of these packages, under these licences.\n\n${sections.join('\n')}`;
}

/** The bill of materials in CycloneDX 1.6. The same parts give the same bytes: it holds no time and no serial number. */
export function billOf(
  materials: readonly Material[],
  self: { readonly name: string; readonly version: string },
): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': self.name, ...self } },
    components: materials.map(({ name, version, license, integrity }) => {
      const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
      const [, digest] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
      return {
        type: 'library',
        'bom-ref': purl,
        name,
        version,
        purl,
        // A compound (`MIT AND Zlib`) is an expression, a single one an id.
        licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
        ...(digest !== undefined && {
          hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
        }),
      };
    }),
  };
}

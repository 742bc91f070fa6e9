/** Payloads as literals of the vendors' types, and what the compiler says of them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SdkTypes } from './sdk-types.ts';

/** A value that must have a type. */
export type Claim = { readonly type: keyof SdkTypes; readonly value: unknown };

const project = join(import.meta.dirname, '../../..');
const types = join(import.meta.dirname, 'sdk-types.ts');

/** What no vendor's type takes. A type that takes it has become `any` and judges nothing. */
const nonsense = { 'known to nobody': Number.MAX_SAFE_INTEGER };

/**
 * What is wrong with each claim; empty where it is right. Compiles all of them at once with the project's options: about a second.
 * Throws where the types themselves do not compile, and where one of them takes nonsense.
 */
export function compile(claims: readonly Claim[]): readonly string[] {
  const names = [...new Set(claims.map(({ type }) => type))];
  const lines = [
    `import type { SdkTypes } from ${JSON.stringify(types)};`,
    ...names.map(
      (type) => `// @ts-expect-error\nexport const not_${type}: SdkTypes['${type}'] = ${literal(nonsense)};`,
    ),
  ].flatMap((line) => line.split('\n'));
  const claimed = claims.map(
    ({ type, value }, index) => `export const c${index}: SdkTypes['${type}'] = ${literal(value)};`,
  );
  const said = runCompiler([...lines, ...claimed].join('\n'));
  const wrong = claims.map((): string[] => []);
  let current: string[] | undefined;
  for (const line of said.split('\n')) {
    const at = /^payloads\.mts\((\d+),/.exec(line)?.[1];
    if (at !== undefined) current = wrong[Number(at) - 1 - lines.length];
    if (line.trim() === '') continue;
    if (!current) throw new Error(`not about a payload:\n${said}`);
    current.push(line);
  }
  return wrong.map((texts) => texts.join('\n'));
}

/** One line. The two line ends that JSON does not know are none within it either. */
function literal(value: unknown): string {
  const escapes: Readonly<Record<string, string>> = { '\u2028': '\\u2028', '\u2029': '\\u2029' };
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (character) => escapes[character] ?? '');
}

/** The compiler's errors, one a line with its details indented below. */
function runCompiler(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-oracles-'));
  try {
    writeFileSync(join(folder, 'payloads.mts'), source);
    const typeRoots = [join(project, 'node_modules/@types')];
    const config = {
      extends: join(project, 'tsconfig.json'),
      compilerOptions: { typeRoots },
      include: ['payloads.mts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '--pretty', 'false'], options);
    if (status !== 0 && stdout === '') throw new Error(`the compiler ended with ${status}: ${stderr}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

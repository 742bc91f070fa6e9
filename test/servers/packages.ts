/** Servers from the npm registry, each installed once into a cache outside the tree. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from './server.ts';

/** Package → the version that is installed; the first is the server. */
export const nodeRed = { 'node-red': '5.0.7', standardwebhooks: '1.1.1' } as const;
/** A program that asks servers of the Model Context Protocol. */
export const inspector = { '@modelcontextprotocol/inspector': '2.12.0' } as const;

/** The `node_modules` with these packages. No script of theirs is run. */
export function preparePackages(packages: Readonly<Record<string, string>>): string {
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const target = join(cache, 'tocsin', 'servers', names[0] ?? '');
  if (existsSync(target)) return join(target, 'node_modules');
  console.error(`Installing ${names.join(' and ')} with npm, once: a minute or two, into ${target}`);
  mkdirSync(dirname(target), { recursive: true });
  // In a directory of its own and renamed when whole: an interrupted installation leaves nothing that looks finished.
  const temporary = mkdtempSync(`${target}.installing-`);
  try {
    writeFileSync(join(temporary, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: temporary, timeoutMs: 600_000 });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return join(target, 'node_modules');
}

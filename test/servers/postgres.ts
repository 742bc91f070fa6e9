/** A PostgreSQL of one's own, for servers that need one: the programs are those of the system. */
import { chmodSync, chownSync, existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { directoryFor, freePort, run, startServer } from './server.ts';

/** A running PostgreSQL without passwords on loopback. */
export type Postgres = AsyncDisposable & {
  /** Makes an empty database and returns its address. */
  database(name: string): string;
};

const programs = ['initdb', 'postgres', 'psql'] as const;

/** Where the programs are: in the PATH, or where Debian keeps those that are not for everybody; the newest. */
function findPrograms(): string {
  const places = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })),
  ];
  const found = places.find((place) => programs.every((program) => existsSync(join(place, program))));
  if (found) return found;
  throw new Error(
    'The tests against real servers need PostgreSQL, and it is not here: install it (`apt-get install postgresql`),\n' +
      'or put its initdb, postgres and psql into the PATH. No running server is needed.',
  );
}

/** PostgreSQL refuses to run as root: then it runs as the account its package made. */
function account(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(run('id', [flag, 'postgres']).trim());
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts one in a directory that goes with it. */
export async function startPostgres(): Promise<Postgres> {
  const bin = findPrograms();
  const who = account();
  const directory = directoryFor('postgres');
  if (who) chownSync(directory, who.uid, who.gid);
  chmodSync(directory, 0o700);
  const data = join(directory, 'data');
  const options = { cwd: directory, ...who };
  run(join(bin, 'initdb'), ['-D', data, '-U', 'tocsin', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options);
  const port = await freePort();
  const where = ['-h', '127.0.0.1', '-p', String(port), '-U', 'tocsin'];
  const psql = (sql: string): string => run(join(bin, 'psql'), [...where, '-d', 'postgres', '-qc', sql], options);
  const server = await startServer({
    name: 'postgres',
    path: join(bin, 'postgres'),
    args: ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', directory, '-c', 'fsync=off'],
    directory,
    ...options,
    async healthy() {
      psql('SELECT 1');
      return true;
    },
  });
  return {
    database(name) {
      psql(`CREATE DATABASE ${name}`);
      return `postgres://tocsin@127.0.0.1:${port}/${name}?sslmode=disable`;
    },
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

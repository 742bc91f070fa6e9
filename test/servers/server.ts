/** A real server as a process of its own, on loopback, in a directory that goes with it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPart, type PartOptions } from '../controlplane/part.ts';

export { freePort } from '../controlplane/part.ts';

const remove = (directory: string): void => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });

/** A directory for one server; it goes with the server, at the latest with this process. */
export function directoryFor(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `tocsin-${name}-`));
  process.once('exit', () => remove(directory));
  return directory;
}

// A test run that is interrupted leaves no server behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** What is started. */
export type Program = PartOptions & {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Where its log is; removed at the end. */
  readonly directory: string;
  /** Asked until it says yes; at most a minute and a half. */
  healthy(): Promise<boolean>;
};

/** A running server. */
export type Server = AsyncDisposable & { log(lines: number): string };

/** Starts a program and resolves when it is healthy. It ends with what holds it, and with this process whatever happens. */
export async function startServer({ name, path, args, directory, healthy, ...options }: Program): Promise<Server> {
  const part = createPart(name, path, args, join(directory, `${name}.log`), healthy, options);
  process.prependOnceListener('exit', part.killNow);
  const end = async (): Promise<void> => {
    await part.kill();
    process.off('exit', part.killNow);
    remove(directory);
  };
  try {
    await part.start();
  } catch (error) {
    await end();
    throw error;
  }
  return { log: part.log, [Symbol.asyncDispose]: end };
}

/** Whether an address answers with a 2xx. */
export async function answers(url: string): Promise<boolean> {
  return (await fetch(url)).ok;
}

/** An answer of a server's own interface as JSON; a failure says what was answered. Not the way that is tested. */
export async function ask(
  method: string,
  url: string,
  { headers = {}, json }: { readonly headers?: Readonly<Record<string, string>>; readonly json?: unknown } = {},
): Promise<unknown> {
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers: { ...type, ...headers }, ...body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${answer.status} ${text.slice(0, 500)}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Runs a program to its end and returns what it printed; fails with all of it. */
export function run(
  path: string,
  args: readonly string[],
  {
    env,
    input,
    timeoutMs = 120_000,
    ...options
  }: PartOptions & { readonly input?: string; readonly timeoutMs?: number } = {},
): string {
  const environment = env && { env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync(path, args, {
    ...options,
    ...environment,
    ...(input !== undefined && { input }),
    encoding: 'utf8',
    timeout: timeoutMs,
  });
  if (status !== 0) throw new Error(`${path} ${args[0]} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

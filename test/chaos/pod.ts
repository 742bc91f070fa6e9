import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Image } from '../e2e/install-image.ts';
import { isAllListed } from '../e2e/listed.ts';

/** What a Pod is started with. */
export type PodOptions = {
  readonly image: Image;
  readonly name: string;
  readonly kubeconfig: string;
  readonly stateDirectory: string;
  /** How far the host's clock is off; milliseconds. */
  readonly clockMs?: number;
  /** Of its endpoints; one that is free, if absent. */
  readonly port?: number;
};

/** Lines of output that are kept: what went wrong is in the last ones. */
const maxLines = 2_000;
const hostClock = join(import.meta.dirname, 'host-clock.ts');

/** The program as it is shipped, as a process of its own: killed, stopped and woken, and its clock set, from outside. */
export class Pod {
  readonly name: string;
  readonly startedAt = Date.now();
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #output: string[] = [];
  #url: string | undefined;
  #code: number | null | undefined;

  constructor({ image, name, kubeconfig, stateDirectory, clockMs = 0, port = 0 }: PodOptions) {
    this.name = name;
    const { root, entrypoint, environment } = image;
    const [, ...flags] = entrypoint.slice(0, -1);
    const endpoints = ['--host', '127.0.0.1', '--port', String(port)];
    const args = ['--kubeconfig', kubeconfig, ...endpoints, '--state-dir', stateDirectory];
    const program = join(root, entrypoint.at(-1) ?? '');
    this.#child = spawn(process.execPath, ['--import', hostClock, ...flags, program, 'run', ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        ...environment,
        ...{ POD_NAME: name, POD_NAMESPACE: 'tocsin', CHAOS_CLOCK_MS: String(clockMs) },
      },
    });
    this.#exited = once(this.#child, 'exit').then(([code]) => {
      this.#code = code;
    });
    const end = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', end);
    void this.#exited.then(() => process.off('exit', end));
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#hear(line));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it has said lately. */
  get output(): readonly string[] {
    return this.#output;
  }

  /** The exit code (null after a signal) once it is gone; `undefined` while it runs. */
  get code(): number | null | undefined {
    return this.#code;
  }

  /** `kill -9`; resolves when the process is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** SIGTERM, as a kubelet stops it; resolves with the exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#exited;
    return this.#code ?? null;
  }

  /** Stops every thread of it where it stands. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  /** Goes on, as if nothing had been. */
  wake(): void {
    this.#child.kill('SIGCONT');
  }

  /** Sets the host's clock: so far off the real one from now on. Milliseconds. */
  setClock(offMs: number): void {
    if (this.#child.connected) this.#child.send(offMs, () => undefined);
  }

  /** Whether it is ready, and everything has been listed: what breaks from then on is news. */
  async hasStarted(): Promise<boolean> {
    if ((await this.ask('/readyz')).status !== 200) return false;
    return isAllListed((await this.ask('/health')).text);
  }

  /** An answer of its endpoints, with a status of 0 while it has none. */
  async ask(path: string): Promise<{ readonly status: number; readonly text: string }> {
    if (this.#url === undefined) return { status: 0, text: 'the endpoints are not up' };
    try {
      const answer = await fetch(`${this.#url}${path}`, { signal: AbortSignal.timeout(5_000) });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  }

  /** The reasons why `/health` says that it is not all there; none while it does not answer. */
  async reasons(): Promise<readonly string[]> {
    const { status, text } = await this.ask('/health');
    if (status === 0) return [];
    const { reasons }: { readonly reasons?: readonly (string | { readonly code?: string })[] } = JSON.parse(text);
    return (reasons ?? []).map((reason) => (typeof reason === 'string' ? reason : (reason.code ?? '')));
  }

  #hear(line: string): void {
    this.#output.push(line);
    if (this.#output.length > maxLines) this.#output.shift();
    const port = /"port":(\d+)/.exec(line)?.[1];
    if (port) this.#url ??= `http://127.0.0.1:${port}`;
  }
}

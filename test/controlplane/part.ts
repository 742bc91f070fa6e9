import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** One program of the control plane that can be killed, paused and started again. */
export type RunningPart = {
  start(): Promise<void>;
  kill(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  log(lines: number): string;
  /** For the end of this process, where nothing can be awaited. */
  killNow(): void;
};

/** How long a part may take to become healthy. A cold API server on a busy machine needs more than half a minute. */
const healthyWithinMs = 90_000;
const askEveryMs = 100;

/** As whom and where a part runs; as this process, unless said. */
export type PartOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
};

/** Describes a part; `healthy` is asked until it says yes. Output goes to `logPath`. */
export function createPart(
  name: string,
  path: string,
  args: readonly string[],
  logPath: string,
  healthy: () => Promise<boolean>,
  { env, ...where }: PartOptions = {},
): RunningPart {
  let child: ChildProcess | undefined;
  let exited: Promise<void> = Promise.resolve();
  const log = (lines: number): string =>
    existsSync(logPath) ? readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-lines).join('\n') : '';
  return {
    log,
    async start() {
      if (child) throw new Error(`${name} is already running`);
      const output = openSync(logPath, 'a');
      const environment = env && { env: { ...process.env, ...env } };
      const started = spawn(path, args, { ...where, ...environment, stdio: ['ignore', output, output] });
      closeSync(output);
      child = started;
      let ended = false;
      exited = new Promise((resolve) => {
        const end = (): void => {
          ended = true;
          if (child === started) child = undefined;
          resolve();
        };
        started.on('exit', end);
        started.on('error', end);
      });
      for (const deadline = Date.now() + healthyWithinMs; Date.now() < deadline; ) {
        if (ended) throw new Error(`${name} ended at once:\n${log(20)}`);
        if (await healthy().catch(() => false)) return;
        await new Promise((resolve) => setTimeout(resolve, askEveryMs));
      }
      throw new Error(`${name} was not healthy within ${healthyWithinMs / 1000} s:\n${log(20)}`);
    },
    async kill() {
      child?.kill('SIGKILL');
      await exited;
    },
    signal: (signal) => void child?.kill(signal),
    killNow: () => void child?.kill('SIGKILL'),
  };
}

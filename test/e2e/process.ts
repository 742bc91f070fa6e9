import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Stage } from './stage.ts';

const main = join(import.meta.dirname, '../../src/main.ts');

/** The operator as a process of its own, as people run it. */
export type OperatorProcess = {
  readonly url: string;
  /** Of the process. */
  readonly pid: number;
  readonly log: readonly string[];
  /** Sends a signal and resolves with the exit code (null after SIGKILL) when the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
};

/** Runs `tocsin run` against the stage's cluster; resolves when its endpoints are up. `env`: beside this process's own. */
export async function spawnOperator(
  stage: Stage,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<OperatorProcess> {
  const options = ['--kubeconfig', stage.plane.admin.kubeconfigPath, '--namespace', 'tocsin'];
  const child = spawn(process.execPath, [main, 'run', ...options, '--host', '127.0.0.1', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  const log: string[] = [];
  const listening = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(line);
    const { port } = JSON.parse(line) as { port?: number };
    if (port !== undefined) listening.resolve(port);
  });
  void exited.then(() => listening.reject(new Error(`the operator ended:\n${log.join('\n')}`)));
  const port = await listening.promise;
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    log,
    async end(signal) {
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../controlplane/environment.ts';
import { prepareServer } from '../servers/build.ts';

/** The programs that publish and check a release, and a registry on loopback. */
export type Tools = {
  /** `127.0.0.1:5000`. */
  readonly registry: string;
  readonly crane: Run;
  readonly helm: Run;
  readonly cosign: Run;
  stop(): Promise<void>;
};

/** Runs a program and resolves with what it printed; rejects with its complaint. */
export type Run = (...args: readonly string[]) => Promise<string>;

const call = promisify(execFile);

/** Provides them; `folder`: for what they keep. */
export async function startTools(folder: string): Promise<Tools> {
  const programs = await Promise.all(
    (['crane', 'helm', 'cosign'] as const).map(async (name) => join(await prepareServer(name), name)),
  );
  mkdirSync(join(folder, 'registry'), { recursive: true });
  const env = {
    ...process.env,
    ...{ HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder },
    // The key of a rehearsal protects nothing.
    COSIGN_PASSWORD: '',
  };
  const runs = programs.map(
    (program): Run =>
      async (...args) => {
        const { stdout, stderr } = await call(program, args, { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 });
        return stdout + (stdout === '' ? stderr : '');
      },
  );
  const [crane, helm, cosign] = runs;
  const [craneProgram] = programs;
  if (!crane || !helm || !cosign || craneProgram === undefined) throw new Error('a program is missing');
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(craneProgram, ['registry', 'serve', '--address', address, '--disk', join(folder, 'registry')], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  await eventually(
    'the registry',
    async () =>
      (await fetch(`http://${address}/v2/`).then(
        ({ ok }) => ok,
        () => false,
      )) || undefined,
    10_000,
  );
  return {
    ...{ registry: address, crane, helm, cosign },
    async stop() {
      process.off('exit', killNow);
      child.kill();
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

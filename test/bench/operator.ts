import { setTimeout as delay } from 'node:timers/promises';
import { ownResources } from '../../src/operator/own-kinds.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { type Container, startContainer } from '../e2e/install-container.ts';
import type { Image } from '../e2e/install-image.ts';
import type { Reading } from './api-server.ts';
import type { Child } from './child.ts';
import { cpuSeconds } from './resident.ts';

/** The operator as it is shipped, synced with a cluster. Times in seconds. */
export type SyncedOperator = {
  readonly pid: number;
  /** From its first list until everything is watched. */
  readonly syncSeconds: number;
  /** Processor time from its start until then. */
  readonly cpuSeconds: number;
  /** From its first list until `/readyz` is seen to answer 200. */
  readonly readySeconds: number;
  stop(): Promise<void>;
};

/** Sources that are listed and watched. */
export const operatorSources: readonly string[] = [...watchedKinds, ...ownResources].map(({ group, plural }) =>
  group === '' ? plural : `${plural}.${group}`,
);

/** Runs the image against the outside's API server, with the service account of its Pod. */
export async function runOperator(image: Image, outside: Child, state: string): Promise<SyncedOperator> {
  const { url, ca } = await outside.ask<{ url: string; ca: string }>('where');
  const { hostname, port } = new URL(url);
  await outside.ask('begin');
  const container = await startContainer({
    image,
    args: ['run', '--host', '127.0.0.1', '--port', '0'],
    environment: {
      POD_NAME: `tocsin-${state}`,
      POD_NAMESPACE: 'tocsin',
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
    },
    serviceAccount: { token: 'bench', 'ca.crt': ca, namespace: 'tocsin' },
    stateDirectory: '/var/lib/tocsin',
  });
  const cpuBefore = cpuSeconds(container.pid);
  const { firstListAt, watchedAt } = await outside.ask<Reading>('watched', operatorSources);
  const cpuAfter = cpuSeconds(container.pid);
  return {
    pid: container.pid,
    syncSeconds: (watchedAt - firstListAt) / 1000,
    cpuSeconds: cpuAfter - cpuBefore,
    readySeconds: ((await ready(container)) - firstListAt) / 1000,
    async stop() {
      await container.stop();
    },
  };
}

/** Epoch milliseconds at which `/readyz` is seen to answer 200. */
async function ready({ url }: Container): Promise<number> {
  for (;;) {
    if ((await fetch(`${url}/readyz`)).ok) return performance.timeOrigin + performance.now();
    await delay(20);
  }
}

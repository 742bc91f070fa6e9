import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../../src/kube/api-client.ts';
import { buildImage, type Image } from '../e2e/install-image.ts';
import { type Stage, startStage } from '../e2e/stage.ts';
import { configuration, owner } from './configuration.ts';
import type { receiverNames } from './names.ts';
import { Pod, type PodOptions } from './pod.ts';
import { ChaosReceiver, type ReceiverKind } from './receiver.ts';

/** A real control plane, the program as its owner would build it, and receivers. */
export type Arena = {
  readonly stage: Stage;
  /** Who must hear of everything. */
  readonly receivers: readonly ChaosReceiver[];
  /** One of them. */
  readonly pager: ChaosReceiver;
  /** Its fallback, which is told nothing else. */
  readonly spare: ChaosReceiver;
  readonly random: () => number;
  /** A folder of its own for this name, under which state is saved. */
  directory(name: string): string;
  /** Starts a Pod. */
  pod(options: Pick<PodOptions, 'name' | 'stateDirectory' | 'clockMs'>): Pod;
  /** Removes the Lease that a killed process has left, so that the next need not wait until it is stale. */
  forgetLease(): Promise<void>;
  /** Switches between Pro, with all receivers, and Community, with the first. */
  license(edition: 'Pro' | 'Community'): Promise<void>;
  stop(): Promise<void>;
};

/** Starts it, on Pro. */
export async function startArena(random: () => number): Promise<Arena> {
  const stage = await startStage({ nodes: ['n1', 'n2', 'n3'] });
  const receiver = (name: keyof typeof receiverNames, kind: ReceiverKind): ChaosReceiver =>
    new ChaosReceiver({ name, kind, random });
  const pager = receiver('pager', 'pager');
  const spare = receiver('spare', 'plain');
  const receivers = [receiver('plain', 'plain'), receiver('keyed', 'keyed'), pager];
  const all = [...receivers, spare];
  const pods: Pod[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(pods.map((pod) => pod.kill()));
    for (const each of all) await each.stop();
    await stage.stop();
  };
  try {
    for (const each of all) await each.start();
    const image: Image = buildImage(join(stage.folder, 'image'), {
      'config/license-keys.json': JSON.stringify({ keys: [owner.jwk] }),
    });
    const license: Arena['license'] = async (edition) => stage.apply(...(await configuration(all, edition)));
    await license('Pro');
    return {
      ...{ stage, receivers, pager, spare, random, license, stop },
      directory(name) {
        const path = join(stage.folder, name);
        mkdirSync(path, { recursive: true });
        return path;
      },
      pod(options) {
        const pod = new Pod({ ...options, image, kubeconfig: stage.plane.admin.kubeconfigPath });
        pods.push(pod);
        return pod;
      },
      async forgetLease() {
        const path = '/apis/coordination.k8s.io/v1/namespaces/tocsin/leases/tocsin';
        try {
          await stage.client.json({ method: 'DELETE', path });
        } catch (error) {
          if (!(error instanceof ApiError && error.status === 404)) throw error;
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

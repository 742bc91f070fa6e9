import type { RawObject } from '../../src/model/raw-object.ts';
import { at, condition, eventOf, type PodParts, waiting } from '../world/objects.ts';
import { storageClass } from '../world/storage-objects.ts';
import { app, long, podOf, type Story, stuck, twoNodes } from './proof.ts';

type House = Parameters<Story['tell']>[0];

/** Two Nodes, the class `fast`, and two Deployments. */
export const shop = [...twoNodes, storageClass('fast', { createdAt: long }), ...app('api'), ...app('web')];

/** A Pod of an app that mounts the claim of its name. */
export function mounting(name: string, parts: PodParts): RawObject {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: name } }];
  return podOf(name, 'a', { ...parts, spec: { volumes } });
}

/** It has been on n1 since an instant without starting. */
export const starting = (since: number): PodParts => ({
  ...{ createdAt: since, phase: 'Pending', statuses: [waiting('api', 'ContainerCreating')] },
  conditions: [condition('Initialized', 'True', since), condition('PodScheduled', 'True', since)],
});

/** When the stories begin, and when they are told. */
export const began = at(1);
export const told = at(14);

/** A new Pod of `api` waits at 1:30 for a volume, which cannot be mounted with these words, until 4. */
export function mountInVain(k8s: House, says: string): void {
  const waits = podOf('api', 'a', stuck(at(1, 30), 'ContainerCreating'));
  k8s.put(at(1, 30), waits);
  k8s.put(at(1, 35), eventOf(waits, 'FailedMount', says, at(1, 35)));
  k8s.wait(at(4));
}

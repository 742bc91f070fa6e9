import type { RawObject } from '../../src/model/raw-object.ts';
import { at, condition, type PodParts, waiting } from '../world/objects.ts';
import { storageClass } from '../world/storage-objects.ts';
import { app, long, podOf, twoNodes } from './proof.ts';

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

import type { RawObject } from '../model/raw-object.ts';
import { listOf, timeOf } from '../world/reading/fields.ts';
import { deploymentOf } from './made-by.ts';
import { isEdited, makingMs, withWrite } from './told-write.ts';

/** When Deployments got more replicas, where nobody says it, by their Pods: at least as many are newer than the others as there are of these. */
export class Growth {
  /** By namespace and name of the Deployment, and the name of the ReplicaSet: when its Pods were made (epoch milliseconds). */
  readonly #made = new Map<string, Map<string, number[]>>();

  /** Notes a Pod, before its Deployment is asked for. */
  note(raw: RawObject): void {
    const at = timeOf(raw.metadata.creationTimestamp);
    if (raw.kind !== 'Pod' || at === undefined) return;
    for (const owner of listOf(raw.metadata.ownerReferences)) {
      const name = deploymentOf(raw, owner);
      if (name === undefined) continue;
      const place = `${raw.metadata.namespace}/${name}`;
      const replicaSets = this.#made.get(place) ?? new Map<string, number[]>();
      const times = replicaSets.get(String(owner.name)) ?? [];
      times.push(at);
      replicaSets.set(String(owner.name), times);
      this.#made.set(place, replicaSets);
    }
  }

  /** A Deployment with the write that its Pods tell of. */
  told(raw: RawObject): RawObject {
    const { kind, metadata } = raw;
    if (kind !== 'Deployment' || metadata.managedFields !== undefined || !isEdited(metadata)) return raw;
    const replicaSets = [...(this.#made.get(`${metadata.namespace}/${metadata.name}`)?.values() ?? [])];
    const [times = [], ...others] = replicaSets;
    if (others.length > 0) return raw;
    times.sort((a, b) => a - b);
    const newer = times.findIndex((at, index) => at - (times[index - 1] ?? at) > makingMs);
    const first = times[newer];
    if (first === undefined || times.length - newer < newer) return raw;
    return withWrite(raw, first - 1000, { 'f:spec': { 'f:replicas': {} } });
  }
}

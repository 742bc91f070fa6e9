/** Who fails for a reason of his own beside the trouble of others: he must be told, and nobody may be blamed for him, nor he for them. */

import { fieldAt } from '../../sandbox/object.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { app, crashing, long, podOf } from '../explain/proof.ts';
import { at, node } from '../world/objects.ts';
import { claims, type Edge, isOf } from './adapter.ts';
import { type Aside, type Passing, tellWith } from './tell.ts';

const name = 'bystander';
const pod = `Pod/shop/${name}-a` as const;

/** What befalls the bystander, and what his program says then. */
const troubles = {
  'own panic': { crash: { exitCode: 2 }, says: ['panic: runtime error: index out of range [3] with length 3'] },
  'own memory': { crash: { exitCode: 137, reason: 'OOMKilled' }, says: ['loading the whole catalogue'] },
  'own variable': { crash: { exitCode: 1 }, says: ["KeyError: 'BYSTANDER_TOKEN'"] },
  'words nobody reads': { crash: { exitCode: 1 }, says: ['seat count 51 of 50 used, giving up'] },
} as const;
/** When it befalls him: the trouble of a story begins at its first minute. */
const times = { before: at(0) - 5 * 60_000, with: at(1, 10), after: at(6) } as const;

export type Trouble = keyof typeof troubles;
export type Time = keyof typeof times;
export const everyTrouble = Object.keys(troubles) as readonly Trouble[];
export const everyTime = Object.keys(times) as readonly Time[];

/** `lost`: nothing is told of him. `accused`: somebody is blamed for him, or he for others, and surely. */
export type Fault = 'lost' | 'accused' | 'blamed, not surely';

type PodSpec = { readonly spec?: object & { readonly nodeName?: string } };

/** The kind of the first owner in the metadata of an object. */
const ownerKind = (owners: unknown): unknown => (Array.isArray(owners) ? fieldAt(owners[0], 'kind') : undefined);

/** The first Pod of a Deployment that a story puts in place: the bystander is built like it, and so depends on what it depends on. */
function modelOf(edge: Edge): (RawObject & PodSpec) | undefined {
  let model: (RawObject & PodSpec) | undefined;
  const watch: Passing = (raws) => {
    model ??= raws.find(
      ({ kind, metadata }) =>
        kind === 'Pod' && metadata.namespace === 'shop' && ownerKind(metadata.ownerReferences) === 'ReplicaSet',
    );
    return raws;
  };
  tellWith(edge.guilty, [], watch);
  return model;
}

/** The Pod of the bystander: the spec of the model, on a Node of its own, which no story loses. */
function bystanderPod(model: (RawObject & PodSpec) | undefined, parts: object): RawObject {
  const own: RawObject & PodSpec = podOf(name, 'a', parts);
  return { ...own, spec: { ...own.spec, ...model?.spec, nodeName: 'n9' } };
}

/** What is wrong with what is told when a bystander fails beside the story of an edge. */
export function bystanderFault(edge: Edge, trouble: Trouble, time: Time): Fault | undefined {
  const model = modelOf(edge);
  const since = times[time];
  const { crash, says } = troubles[trouble];
  const asides: readonly Aside[] = [
    { at: long, does: (k8s) => k8s.put(long, node('n9', { since: long }), ...app(name), bystanderPod(model, {})) },
    { at: since, does: (k8s) => k8s.put(since, bystanderPod(model, crashing(long, since, crash))) },
    { at: since + 20_000, does: (k8s) => k8s.hear(since + 20_000, pod, ...says) },
    { at: Math.max(since, at(6)) + 4 * 60_000, does: () => undefined },
  ];
  const all = claims(tellWith(edge.guilty, asides));
  const others = all.filter(({ root }) => !isOf(root, name));
  const blamed = [
    ...others.filter(({ sufferers }) => sufferers.some((ref) => isOf(ref, name))),
    ...all.filter(({ root, sufferers }) => isOf(root, name) && sufferers.some((ref) => !isOf(ref, name))),
  ];
  if (blamed.some(({ confidence }) => confidence === 'high')) return 'accused';
  if (!all.some(({ root }) => isOf(root, name))) return 'lost';
  return blamed.length > 0 ? 'blamed, not surely' : undefined;
}

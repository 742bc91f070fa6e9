import type { RawObject } from '../../src/model/raw-object.ts';
import type { Reason } from '../../src/model/reason.ts';
import { given } from '../../src/world/reading/fields.ts';
import { fc } from '../fast-check.ts';
import { admissionPolicy, policyBinding, webhooks } from '../world/control-objects.ts';
import { route, service } from '../world/network-objects.ts';
import { metadata, pod, workload } from '../world/objects.ts';
import { resourceSlice } from '../world/storage-objects.ts';
import { sourceOf } from '../world/story.ts';
import { toldStories } from './told-stories.ts';

/** Objects of the kinds that no story needs, each once as it may be and once otherwise. */
const others: readonly RawObject[] = [
  ...['one', 'two'].flatMap((value) => {
    const own = { labels: { is: value } };
    const named = (apiVersion: string, kind: string, name: string, namespace?: string, fields = {}): RawObject => ({
      ...{ apiVersion, kind },
      metadata: metadata(name, namespace, own),
      ...fields,
    });
    const controller = {
      ...workload('ReplicaSet', 'old', { ...own, replicas: value === 'one' ? 1 : 2 }),
      apiVersion: 'v1',
    };
    return [
      { ...controller, kind: 'ReplicationController' },
      pod('old-a', { ...own, owner: { kind: 'ReplicationController', name: 'old', apiVersion: 'v1' } }),
      named('v1', 'ServiceAccount', 'api', 'shop'),
      named('scheduling.k8s.io/v1', 'PriorityClass', 'urgent'),
      named('node.k8s.io/v1', 'RuntimeClass', 'gvisor'),
      named('storage.k8s.io/v1', 'CSIDriver', 'ebs.csi.aws.com', undefined, {
        spec: { attachRequired: value === 'one' },
      }),
      resourceSlice(value === 'one' ? 'n1' : 'n2'),
      route('grpc', { ...own, kind: 'GRPCRoute' }),
      route('tls', { ...own, kind: 'TLSRoute' }),
      service('grpc', own),
      webhooks('MutatingWebhookConfiguration', 'inject', { service: `shop/${value === 'one' ? 'grpc' : 'none'}` }),
      {
        ...admissionPolicy('defaults', [], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
        kind: 'MutatingAdmissionPolicy',
      },
      { ...policyBinding('defaults', value === 'one' ? 'defaults' : 'none'), kind: 'MutatingAdmissionPolicyBinding' },
    ];
  }),
];

/** Versions of one object, one after the other. */
export type Versions = readonly RawObject[];

/** What stays the same of an object from version to version. */
export const nameOf = (raw: RawObject): string =>
  `${sourceOf(raw)}/${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;

/** The objects of stories, with all the versions that they have there. */
function objectsOf(reasons: readonly Reason[]): readonly Versions[] {
  const told = toldStories.filter(({ reason }) => reasons.includes(reason)).flatMap(({ steps }) => steps);
  const raws = [...told.flatMap(({ events }) => events.map(({ raw }) => raw)), ...others];
  return [...Map.groupBy(raws, nameOf).values()].map(ofOneTime);
}

/** Stories tell of the same object made at different times; as long as its UID is the same, it was made once. */
function ofOneTime(versions: Versions): Versions {
  const first = new Map<unknown, RawObject>();
  return versions.map((raw) => {
    const { uid } = raw.metadata;
    const { creationTimestamp } = (first.get(uid) ?? raw).metadata;
    if (!first.has(uid)) first.set(uid, raw);
    return { ...raw, metadata: { ...raw.metadata, ...given({ creationTimestamp }) } };
  });
}

/** What happens to one of them; the numbers choose one, and its version. */
export type Happening = {
  readonly what: 'put' | 'gone' | 'missedPut' | 'missedGone' | 'again' | 'relist';
  readonly object: number;
  readonly version: number;
};

const happenings = fc.record({
  what: fc.constantFrom<Happening['what'][]>('put', 'put', 'put', 'gone', 'missedPut', 'missedGone', 'again', 'relist'),
  object: fc.nat(200),
  version: fc.nat(5),
});

const reasons = toldStories.map(({ reason }) => reason);

/** A cluster out of the objects of a few stories, which need not have to do with each other, and what happens in it. */
export const clusters = fc.record({
  objects: fc.uniqueArray(fc.constantFrom(...reasons), { minLength: 1, maxLength: 4 }).map(objectsOf),
  happenings: fc.array(happenings, { maxLength: 40 }),
});

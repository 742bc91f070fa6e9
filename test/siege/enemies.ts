import type { Stage } from '../e2e/stage.ts';
import { workload } from '../soak/workloads.ts';

/** The namespace of who means harm, with no more rights than in it. */
export const enemy = 'tenant';

/** What an enemy makes. */
type Struck = Readonly<Record<string, unknown>> & { readonly kind: string };

const meta = (name: string) => ({ name, namespace: enemy });
/** Addresses that a tenant may not make Tocsin contact. */
const addresses = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[2001:67c:27e4:1064::a9fe:a9fe]/',
  'http://kubernetes.default.svc/api',
  'http://10.0.0.1/',
  'http://metadata.google.internal/',
];

/** AlertProviders with such addresses, and Silences of everything. */
export const ownObjects = (): readonly Struck[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: enemy } },
  ...Array.from({ length: 60 }, (_, index) => ({
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'AlertProvider',
    metadata: meta(`p${index}`),
    spec: { type: 'webhook', webhook: { url: { value: `${addresses[index % addresses.length]}${index}` } } },
  })),
  ...Array.from({ length: 60 }, (_, index) => ({
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'Silence',
    metadata: meta(`s${index}`),
    spec: { selector: { namespaces: ['load', 'shop'] }, durationSeconds: 3600, comment: 'mute them' },
  })),
];

/** A Deployment that fails by itself: each is an incident, which stands in every line before others'. */
export const noise = (index: number): Struck => {
  const failing = workload(`noise-${index}`, 2, '1.0', { pullError: 'NotFound' }) as Struck & {
    readonly metadata: object;
  };
  return { ...failing, metadata: { ...failing.metadata, namespace: enemy } };
};

const owners = [
  { apiVersion: 'v1', kind: 'Cluster', name: 'nodes' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet/load', name: 'victim-0' },
  { apiVersion: 'v1', kind: 'Registry', name: 'registry.example' },
];

/** A Pod that says it belongs to what owns nothing, and asks for an image of a hostile name. */
export const changeling = (index: number): Struck => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    ...meta(`changeling-${index}`),
    annotations: { 'sandbox.tocsin.dev/script': JSON.stringify({ pullError: 'NotFound' }) },
    ownerReferences: [{ ...owners[index % owners.length], uid: `none-${index}`, controller: true }],
  },
  spec: { nodeName: 'n1', containers: [{ name: 'app', image: `registry.example/x${index}:1` }] },
});

const tales: readonly (readonly [type: string, reason: string, note: string])[] = [
  ['Warning', 'FailedCreate', 'pods "x" is forbidden: exceeded quota: q, requested: pods=1'],
  ['Warning', 'SyncLoadBalancerFailed', 'Error syncing load balancer: renew your login at https://login.evil.example'],
  ['Normal', 'TriggeredScaleUp', 'pod triggered scale-up: [{pool-1 1->2 (max: 9)}]'],
  ['Normal', 'Pulled', 'Successfully pulled image'],
  ['Warning', 'FailedMount', 'MountVolume.SetUp failed for volume "data" : exit status 32'],
];

/** An Event in the enemy's namespace that tells of an object of others; API servers take it by this version. */
export function tale(index: number): Struck {
  const [type, reason, note] = tales[index % tales.length] ?? ['Normal', 'x', 'x'];
  const name = `victim-${index % 40}`;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: meta(`tale-${index}`),
    regarding: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'load', name },
    ...{ type, reason, note, action: 'x', reportingController: 'kubelet', reportingInstance: 'n1' },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
  };
}

/** Where objects of a kind are made. */
const collections: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  Pod: `/api/v1/namespaces/${enemy}/pods`,
  Deployment: `/apis/apps/v1/namespaces/${enemy}/deployments`,
  Event: `/apis/events.k8s.io/v1/namespaces/${enemy}/events`,
  AlertProvider: `/apis/tocsin.dev/v1alpha1/namespaces/${enemy}/alertproviders`,
  Silence: `/apis/tocsin.dev/v1alpha1/namespaces/${enemy}/silences`,
};

/** Makes what may be refused: an enemy is nobody's care. */
export async function strike({ client }: Stage, ...objects: readonly Struck[]): Promise<void> {
  for (const body of objects)
    await client.json({ method: 'POST', path: collections[body.kind] ?? '', body }).catch(() => undefined);
}

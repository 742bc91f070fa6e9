/** A second small company around a story, and the words that its stories share. */
import { definition } from '../../e2e/produced/definition.ts';
import type { Behaviour, ImageScript } from './hands.ts';
import type { Manifest } from './manifests.ts';
import type { ClusterBuilder } from './scenario.ts';
import { dns } from './things.ts';

type Neighbour = ReturnType<ClusterBuilder['deployment']>;

/** The image of a workload of this company. */
export const imageAt = (name: string, version: number | string = 1): string =>
  `registry.borealis.example/${name}:${version}`;

/** What else runs: parcel tracking with its Service, a chat, an agent on every machine, the cluster's DNS. All of it is healthy. */
export type Company = { readonly tracking: Neighbour; readonly chat: Neighbour };

/** The Service of the cluster's DNS at the address that programs of the story name; only the sandbox takes any address. */
export const dnsAt = (clusterIP: string): Manifest => ({ ...dns.service, spec: { ...dns.service.spec, clusterIP } });

/** Sets up the company; `dnsService`: that of its DNS, `none` where the story brings its own. */
export function company(
  cluster: ClusterBuilder,
  { dnsService = dns.service }: { readonly dnsService?: Manifest | 'none' } = {},
): Company {
  const tracking = cluster.deployment('logistics/tracking', { replicas: 2, image: imageAt('tracking', '8.4') });
  cluster.service('logistics/tracking');
  const chat = cluster.deployment('intranet/chat', { image: imageAt('chat', '2.0') });
  cluster.service('intranet/chat');
  cluster.daemonSet('observability/agent', { image: imageAt('agent', '1.31'), probe: false });
  if (dnsService !== 'none') {
    cluster.deployment('kube-system/coredns', dns.workload);
    cluster.object(dnsService);
  }
  return { tracking, chat };
}

/** A release elsewhere that goes well, just before: no message may name it. */
export function innocentRelease(cluster: ClusterBuilder, when: string, { tracking }: Company): void {
  cluster.at(when, () => tracking.setImage(imageAt('tracking', '8.5')));
}

/** One TCP port of a Service, the same on its Pods. */
export const port = (number: number, name = 'main'): object => ({
  ports: [{ name, port: number, targetPort: number, protocol: 'TCP' }],
});

/** What Pods on one machine do; elsewhere they are healthy. */
export const onlyOn =
  (machine: string, does: ImageScript): Behaviour =>
  (pod) =>
    pod.spec.nodeName === machine ? does : {};

/** Runs on this machine. */
export const pinned = (machine: string): { readonly nodeSelector: Readonly<Record<string, string>> } => ({
  nodeSelector: { 'kubernetes.io/hostname': machine },
});

/** One condition, as a status, that has changed now. */
export const condition = (type: string, status: string, reason: string, message: string): object => ({
  conditions: [{ type, status, reason, message, lastTransitionTime: 'now' }],
});

/** Installs the definitions of kinds; `scope: 'Cluster'` for those without a namespace. */
export function define(
  cluster: ClusterBuilder,
  apiVersion: string,
  kinds: readonly string[],
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
): void {
  const [group = '', version = 'v1'] = apiVersion.split('/');
  for (const kind of kinds) {
    const one = definition(group, kind, { version });
    cluster.object({ ...one, spec: { ...one.spec, scope } });
  }
}

/** An object of such a kind; a place without a namespace is written `/name`. */
export function custom(
  cluster: ClusterBuilder,
  apiVersion: string,
  kind: string,
  place: string,
  spec: object = {},
): ReturnType<ClusterBuilder['object']> {
  const [namespace = '', name = ''] = place.split('/');
  const manifest: Manifest = { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) }, spec };
  return cluster.object(manifest);
}

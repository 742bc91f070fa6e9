import { said, saying } from '../../explain/said.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, pod } from '../../world/objects.ts';
import { type ClusterStory, long, nodes, podsOf, replicaSet, sized } from '../shop.ts';

/** Workloads whose programs end with their last words. */
const ending =
  (words: string, ...names: readonly string[]): ClusterStory =>
  (k8s) =>
    endingWith(k8s, names, words);

/** The same of Pods with a spec. */
function endingWith(
  k8s: Parameters<ClusterStory>[0],
  names: readonly string[],
  words: string,
  parts: object = {},
): void {
  const old = { createdAt: long };
  const apps = names.flatMap((name) => [sized('Deployment', name, 1, 1), replicaSet(name, 1), ...podsOf(name, 1)]);
  k8s.put(long, ...nodes, ...apps, service('db', old), service('postgres', old));
  k8s.start(at(0));
  const owned = (name: string) => ({ owner: { kind: 'ReplicaSet', name: `${name}-r1` } });
  k8s.put(
    at(10),
    ...names.map((name) => sized('Deployment', name, 1, 0)),
    ...names.map((name) => pod(`${name}-r1-a`, { ...saying(long, at(10), words), ...owned(name), ...parts })),
  );
  k8s.wait(at(12));
}

export const calledStories = {
  ExternalEndpointUnreachable: ending(said.unresolved('api.payments.example'), 'api', 'web'),
  ExternalEndpointRefusing: ending(said.rejected('db.example.com'), 'api', 'web'),
  ServiceMissing: ending(said.unresolved('postgres-db'), 'api'),
  ServiceRefusing: ending(said.full('db'), 'api', 'web'),
  ServiceUnreachable: (k8s) => {
    k8s.put(long, endpointSlice('db', { createdAt: long }));
    endingWith(k8s, ['api'], said.refused('db'));
    const owner = { kind: 'ReplicaSet', name: 'web-r1' };
    k8s.put(at(12), sized('Deployment', 'web', 1, 0), replicaSet('web', 1));
    k8s.put(at(12), pod('web-r1-a', { node: 'n2', owner, ...saying(long, at(12), said.refused('db')) }));
    k8s.wait(at(13));
  },
  SecretRejected: (k8s) => {
    const envFrom = [{ secretRef: { name: 'db-login' } }];
    const parts = { spec: { containers: [{ name: 'api', image: 'x', envFrom }] } };
    endingWith(k8s, ['api', 'web'], 'FATAL: password authentication failed for user "app"', parts);
  },
  ClientsFailing: (k8s) => {
    k8s.put(long, service('nats', { createdAt: long }), endpointSlice('nats', { createdAt: long }));
    const env = [{ name: 'NATS_URL', value: 'nats://nats:4222' }];
    endingWith(k8s, ['api', 'web'], 'Ledger is torn.', { spec: { containers: [{ name: 'api', image: 'x', env }] } });
  },
  SecretUsersFailing: (k8s) => {
    const envFrom = [{ secretRef: { name: 'licence' } }];
    endingWith(k8s, ['api', 'web'], 'Ledger is torn.', {
      spec: { containers: [{ name: 'api', image: 'x', envFrom }] },
    });
  },
  ServicePortRefused: (k8s) => {
    const ports = [{ containerPort: 5433 }];
    const spec = { containers: [{ name: 'api', image: 'x', ports }] };
    const old = { createdAt: long };
    k8s.put(long, pod('ledger-a', { labels: { app: 'ledger' }, spec, ...old }));
    k8s.put(long, service('ledger', { ports: [{ port: 5432, targetPort: 5432 }], ...old }));
    endingWith(k8s, ['api'], said.refused('ledger'));
  },
  ClusterDNSFailing: (k8s) => {
    const labels = { 'k8s-app': 'kube-dns' };
    const places = [
      { namespace: 'shop', node: 'n1', host: 'api.payments.example' },
      { namespace: 'office', node: 'n2', host: 'mail.example.com' },
    ];
    const apps = places.map(({ namespace, node }) => pod('api-a', { namespace, node, createdAt: long }));
    k8s.put(long, ...nodes, ...apps);
    k8s.put(long, service('kube-dns', { namespace: 'kube-system', labels, selector: labels, createdAt: long }));
    k8s.start(at(0));
    const timeout = 'read udp 10.244.1.7:41022->10.96.0.10:53: i/o timeout';
    for (const { namespace, node, host } of places) {
      const words = `dial tcp: lookup ${host} on 10.96.0.10:53: ${timeout}`;
      k8s.put(at(10), pod('api-a', { ...saying(long, at(10), words), namespace, node }));
    }
    k8s.wait(at(12));
  },
  ServiceAccountForbidden: ending(said.forbidden('default'), 'api'),
} as const satisfies Readonly<Record<string, ClusterStory>>;

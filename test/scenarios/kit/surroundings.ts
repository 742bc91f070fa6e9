import type { ImageScript } from './hands.ts';
import type { ClusterBuilder } from './scenario.ts';

type Neighbour = ReturnType<ClusterBuilder['deployment']>;

/** What else runs in the cluster of a story. All of it is healthy, and none of it has to do with the story. */
export type Surroundings = { readonly storefront: Neighbour; readonly wiki: Neighbour };

/** A small company around a story: a storefront with its Service, a wiki, an agent on every machine, cluster DNS. */
export function surroundings(cluster: ClusterBuilder): Surroundings {
  const storefront = cluster.deployment('web/storefront', {
    replicas: 2,
    image: 'registry.acme.example/storefront:5.1',
  });
  cluster.service('web/storefront');
  const wiki = cluster.deployment('office/wiki', { image: 'registry.acme.example/wiki:3.9' });
  cluster.service('office/wiki');
  cluster.daemonSet('monitoring/node-exporter', { image: 'quay.example/node-exporter:1.9', probe: false });
  cluster.deployment('kube-system/coredns', { replicas: 2, image: 'registry.k8s.example/coredns:1.12' });
  cluster.service('kube-system/kube-dns', {
    selector: { app: 'coredns' },
    ports: [{ name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }],
  });
  return { storefront, wiki };
}

/** A program that says these lines and ends, again and again. */
export function ends(lines: readonly string[], code = 1, afterSeconds = 3): ImageScript {
  return { exit: { afterSeconds, code }, readyAfterSeconds: 'never', log: lines };
}

/** A program that goes on, says these lines, and answers its readiness probe so. */
export function unready(lines: readonly string[], says = 'HTTP probe failed with statuscode: 503'): ImageScript {
  return { readyAfterSeconds: 'never', readinessSays: says, log: lines };
}

/** Environment variables with plain values, as fields of a container. */
export function plainEnv(values: Readonly<Record<string, string>>): object {
  return { env: Object.entries(values).map(([name, value]) => ({ name, value })) };
}

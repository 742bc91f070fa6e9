import type { ClusterBuilder, Scenario } from '../../kit/scenario.ts';
import { scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';

/** Gives a machine labels, as its cloud does. */
function label(cluster: ClusterBuilder, name: string, labels: Readonly<Record<string, string>>): void {
  cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name } }).patch({ metadata: { labels } });
}

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/setup/best-practices/multiple-zones/: everything in one zone goes at once.
  'zone-goes-dark': scenario('A zone of three loses its power, with both of its machines', (cluster) => {
    cluster.pro();
    const zones = {
      a1: 'eu-west-1a',
      a2: 'eu-west-1a',
      b1: 'eu-west-1b',
      b2: 'eu-west-1b',
      c1: 'eu-west-1c',
      c2: 'eu-west-1c',
    };
    cluster.nodes(Object.keys(zones));
    for (const [name, zone] of Object.entries(zones)) label(cluster, name, { 'topology.kubernetes.io/zone': zone });
    surroundings(cluster);
    for (const name of ['orders', 'search', 'accounts'])
      cluster.deployment(`shop/${name}`, { replicas: 6, image: `registry.acme.example/${name}:7` });
    cluster.at('10s', () => cluster.node('b1').losePower());
    cluster.at('12s', () => cluster.node('b2').losePower());
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'Zone//eu-west-1b',
      accepts: ['Node//b1', 'Node//b2', 'NodeGroup//eu-west-1b', 'Zone//b'],
      mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/shop/accounts', 'Node//a1'],
    });
  }),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/
  'disk-pressure-evicts': scenario(
    'The disk of a machine runs full, and its kubelet evicts one Pod after the other',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      for (const name of ['orders', 'search'])
        cluster.deployment(`shop/${name}`, { replicas: 3, image: `registry.acme.example/${name}:7` });
      const says =
        'The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 9423872Ki. Container orders was using 6Gi, request is 0, has larger consumption of ephemeral-storage.';
      cluster.at('5s', () => storefront.setImage('registry.acme.example/storefront:5.2'));
      cluster.at('20s', () => {
        cluster.node('n2').press('DiskPressure');
        cluster.node('n2').warn('EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage');
      });
      for (const when of ['24s', '36s', '50s']) cluster.at(when, () => cluster.node('n2').evict(says));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Node//n2',
        beginsAfterSeconds: 20,
        reason: 'DiskPressure',
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/web/storefront'],
      });
    },
  ),

  // https://github.com/aws/amazon-vpc-cni-k8s/issues/668: one machine has no more addresses.
  'one-machine-without-addresses': scenario('One machine of four gives no addresses to new Pods', (cluster) => {
    cluster.nodes(['n1', 'n2', 'n3', 'n4']);
    surroundings(cluster);
    const names = ['orders', 'search', 'accounts'];
    const handles = names.map((name) =>
      cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:7` }),
    );
    const message =
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "9c2f": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container';
    cluster.at('6s', () => {
      for (const name of names)
        cluster.image(`registry.acme.example/${name}:7`, (pod) =>
          pod.spec.nodeName === 'n3' ? { heldUp: { reason: 'FailedCreatePodSandBox', message } } : {},
        );
    });
    cluster.at('8s', () => {
      for (const handle of handles) handle.scale(8);
    });
    cluster.expectIncident({
      root: 'Node//n3',
      beginsAfterSeconds: 8,
      mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/shop/accounts', 'Node//n1'],
    });
  }),

  // https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/: the Pod of a StatefulSet stays on the lost machine.
  'machine-lost-with-a-database': scenario('A machine is lost with the only Pod of a database on it', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    label(cluster, 'n2', { disk: 'nvme' });
    cluster.statefulSet('shop/mongo', { image: 'docker.io/library/mongo:8', nodeSelector: { disk: 'nvme' } });
    cluster.service('shop/mongo', { ports: [{ name: 'mongo', port: 27017, targetPort: 27017, protocol: 'TCP' }] });
    cluster.deployment('shop/orders', { replicas: 4, image: 'registry.acme.example/orders:7' });
    cluster.at('10s', () => cluster.node('n2').losePower());
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'Node//n2',
      reason: 'NodeUnreachable',
      mustNotBlame: ['StatefulSet/shop/mongo', 'Deployment/shop/orders', 'Service/shop/mongo'],
    });
  }),
};

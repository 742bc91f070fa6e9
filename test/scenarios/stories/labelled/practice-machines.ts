import { company, imageAt, innocentRelease, onlyOn, pinned, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { claim, mounts, volume } from '../../kit/things.ts';

const three = (cluster: ClusterBuilder, ...places: readonly string[]) =>
  places.map((place) => ({
    image: imageOf(place),
    handle: cluster.deployment(place, { replicas: 3, image: imageOf(place) }),
  }));

/** Machines, racks and zones. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.nvidia.com/deploy/xid-errors/index.html: Xid 79, GPU has fallen off the bus.
  'accelerator-falls-off-the-bus': scenario(
    'The accelerator of one machine is gone; two trainings on it crash, one on another machine goes on',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const gpu = { accelerator: 'h100' };
      cluster.nodes(['n1', 'n2', { name: 'gpu-1', labels: gpu }, { name: 'gpu-2', labels: gpu }]);
      company(cluster);
      const lost = ['ml/speech', 'ml/vision'];
      for (const place of lost) cluster.deployment(place, { image: imageOf(place), ...pinned('gpu-2') });
      cluster.deployment('ml/ranking', { image: imageOf('ml/ranking'), ...pinned('gpu-1') });
      cluster.at('6s', () => {
        cluster
          .node('gpu-2')
          .condition(
            'GpuUnhealthy',
            'True',
            'XidCriticalError',
            'NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.',
          );
        for (const place of lost)
          cluster.befall(
            imageOf(place),
            onlyOn('gpu-2', {
              exit: { afterSeconds: 3, code: 1 },
              readyAfterSeconds: 'never',
              log: [
                'RuntimeError: CUDA error: no CUDA-capable device is detected',
                'CUDA kernel errors might be asynchronously reported at some other API call',
              ],
            }),
          );
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Node//gpu-2',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/ml/speech', 'Deployment/ml/vision', 'Deployment/ml/ranking'],
      });
    },
  ),

  // https://www.elastic.co/guide/en/elasticsearch/reference/current/vm-max-map-count.html, https://github.com/helm/charts/issues/2677
  'new-machine-with-other-kernel-settings': scenario(
    'A machine joins with the kernel settings of a fresh image; what comes to it of two search engines does not start',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2']);
      company(cluster);
      const images = {
        'search/elastic': 'docker.elastic.example/elasticsearch:8.18',
        'logging/opensearch': 'docker.io/opensearchproject/opensearch:3',
      };
      const handles = Object.entries(images).map(([place, image]) => {
        cluster.image(
          image,
          onlyOn('n3', {
            exit: { afterSeconds: 4, code: 78 },
            readyAfterSeconds: 'never',
            log: [
              'ERROR: [1] bootstrap checks failed',
              'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
            ],
          }),
        );
        return cluster.deployment(place, { replicas: 2, image });
      });
      cluster.at('6s', () => cluster.addNode({ name: 'n3' }));
      cluster.at('30s', () => {
        for (const handle of handles) handle.scale(3);
      });
      cluster.lasts('3m');
      cluster.expectIncident({ root: 'Node//n3', messages: { resolve: 0 }, mustNotBlame: ['Node//n1', 'Node//n2'] });
    },
  ),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodeselector: a label was set by hand once, and is gone.
  'label-of-the-fast-disks-is-gone': scenario(
    'A machine loses the label that two workloads ask for, and they find no place after a restart',
    (cluster) => {
      cluster.nodes(['n1', 'n2', { name: 'n3', labels: { disktype: 'nvme' } }]);
      company(cluster);
      const recreate = { strategy: { type: 'Recreate' } };
      const handles = ['shop/index', 'bank/journal'].map((place) =>
        cluster.deployment(place, { image: imageOf(place), nodeSelector: { disktype: 'nvme' }, spec: recreate }),
      );
      const node = cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n3' } });
      cluster.at('5s', () => node.patch({ metadata: { labels: { disktype: null } } }));
      cluster.at('15s', () => {
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'Node//n3', messages: { resolve: 0 }, mustNotBlame: ['Node//n1', 'Node//n2'] });
    },
  ),

  // https://github.com/containerd/containerd/issues: the disk below the runtime gives errors.
  'disk-errors-below-the-runtime': scenario(
    'The disk of one machine gives errors; what two releases bring there does not start, elsewhere it does',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const teams = three(cluster, 'shop/orders', 'office/crm');
      innocentRelease(cluster, '3s', firm);
      cluster.at('6s', () => {
        for (const { image } of teams)
          cluster.image(
            image,
            onlyOn('n2', {
              heldUp: {
                reason: 'FailedCreatePodSandBox',
                message:
                  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to mount rootfs component: mkdir /run/containerd/io.containerd.runtime.v2.task/k8s.io/4f1c: input/output error',
              },
            }),
          );
      });
      cluster.at('8s', () => {
        for (const { handle } of teams) handle.restart();
      });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/office/crm', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kured.dev/docs/operation/: drained for its patches, and not back from its restart.
  'machine-does-not-come-back-from-its-patches': scenario(
    'A machine is drained, restarted for its patches and does not come back; a member with a local disk waits for it',
    (cluster) => {
      company(cluster);
      const local = {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n2'] }] },
          ],
        },
      };
      cluster.object(
        volume('disk-n2', 'local', { csi: undefined, local: { path: '/mnt/disk1' }, nodeAffinity: local }),
      );
      cluster.object(claim('shop/index', 'local', { volumeName: 'disk-n2' }));
      cluster.statefulSet('shop/index', { image: imageAt('index', 2), pod: mounts('index') });
      cluster.deployment('shop/orders', { replicas: 3, image: imageAt('orders', 2) });
      cluster.at('5s', () => cluster.node('n2').drain());
      cluster.at('20s', () => cluster.node('n2').losePower());
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/orders', 'PersistentVolume//disk-n2'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/architecture/nodes/#node-shutdowns: somebody turns a machine off in the console of the cloud.
  'machine-turned-off-in-the-console': scenario(
    'A machine is turned off by somebody while two of three replicas of three workloads go on elsewhere',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      cluster.statefulSet('db/etcd', { replicas: 3, image: 'quay.example/coreos/etcd:3.5' });
      three(cluster, 'shop/orders', 'office/crm');
      innocentRelease(cluster, '2s', firm);
      cluster.at('12s', () => cluster.node('n3').losePower());
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/orders', 'StatefulSet/db/etcd', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/debug/debug-cluster/monitor-node-health/: restarts by itself, again and again.
  'machine-restarts-again-and-again': scenario(
    'A machine restarts by itself four times within minutes, and takes its Pods along each time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.deployment('shop/pages', { replicas: 2, image: imageAt('pages', 2), ...pinned('n2') });
      cluster.service('shop/pages');
      cluster.deployment('office/print', { image: imageAt('print', 1), ...pinned('n2') });
      cluster.service('office/print');
      for (const when of ['10s', '100s', '190s', '280s']) cluster.at(when, () => cluster.node('n2').reboot('60s'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { open: 1, update: '≤2', resolve: '≤1', reopen: '≤1' },
        firstMessageWithinSeconds: 240,
        mustNotBlame: ['Deployment/shop/pages', 'Deployment/office/print'],
      });
    },
  ),

  // https://kubernetes.io/docs/reference/node/topology, https://status.cloud.google.com/incident/zall/20013: a zone, and no room in the others.
  'zone-lost-and-no-room-in-the-other': scenario(
    'A zone with two of four machines is lost, and the other zone has no room for what it ran',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const zone = (name: string) => ({ 'topology.kubernetes.io/zone': name });
      cluster.nodes([
        { name: 'a1', labels: zone('north-a') },
        { name: 'a2', labels: zone('north-a') },
        { name: 'b1', labels: zone('north-b') },
        { name: 'b2', labels: zone('north-b') },
      ]);
      for (const place of ['shop/orders', 'shop/search', 'bank/ledger']) {
        cluster.deployment(place, { replicas: 4, image: imageOf(place), cpu: '1' });
        cluster.service(place);
      }
      cluster.at('10s', () => {
        cluster.node('a1').losePower();
        cluster.node('a2').losePower();
      });
      cluster.lasts('9m');
      cluster.expectIncident({
        root: 'Zone//north-a',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Deployment/shop/orders',
          'Deployment/shop/search',
          'Deployment/bank/ledger',
          'Node//b1',
          'Node//b2',
        ],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/architecture/leases/#node-heart-beats: only its kubelet is dead; what runs goes on and is told unready.
  'kubelet-of-the-storage-machine-ends': scenario(
    'The kubelet of the machine with a broker ends; clients of the broker cannot reach it any more',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('bus/nats', { image: 'docker.io/library/nats:2.11', ...pinned('n3') });
      cluster.service('bus/nats', port(4222));
      const values = { NATS_URL: 'nats.bus.svc:4222' };
      for (const place of ['shop/events', 'crm/feed'])
        cluster.deployment(place, { replicas: 2, image: imageOf(place), values, ...pinned('n1') });
      cluster.at('8s', () => cluster.node('n3').losePower());
      cluster.at('75s', () => {
        for (const place of ['shop/events', 'crm/feed'])
          cluster.befall(imageOf(place), {
            exit: { afterSeconds: 3, code: 1 },
            readyAfterSeconds: 'never',
            log: [
              'nats: no servers available for connection: dial tcp: connect to nats.bus.svc:4222: connect: connection refused',
            ],
          });
      });
      cluster.lasts('3m30s');
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/bus/nats', 'Deployment/shop/events', 'Deployment/crm/feed'],
      });
    },
  ),
};

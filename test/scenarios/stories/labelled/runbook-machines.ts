import { imageOf } from '../../kit/dependants.ts';
import type { Behaviour, ImageScript } from '../../kit/hands.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';

/** What Pods on one machine do; elsewhere they are healthy. */
const on =
  (machine: string, does: ImageScript): Behaviour =>
  (pod) =>
    pod.spec.nodeName === machine ? does : {};

/** Three replicas of each of two workloads, one per machine as the scheduler spreads them. */
function twoTeams(cluster: ClusterBuilder) {
  const places = ['shop/orders', 'office/crm'];
  return places.map((place) => ({
    place,
    image: imageOf(place),
    handle: cluster.deployment(place, { replicas: 3, image: imageOf(place) }),
  }));
}
const innocents = ['Deployment/shop/orders', 'Deployment/office/crm'] as const;

/** Machines that are ill in ways of their own, and workloads that find no machine. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/kubernetes/issues/45419: PLEG is not healthy.
  'machine-whose-runtime-hangs': scenario(
    'The container runtime of a machine hangs, and its kubelet says so',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      twoTeams(cluster);
      cluster.at('6s', () => {
        cluster.node('n2').losePower();
        cluster
          .node('n2')
          .condition(
            'Ready',
            'False',
            'KubeletNotReady',
            'PLEG is not healthy: pleg was last seen active 3m12.4s ago; threshold is 3m0s',
          );
      });
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'Node//n2', messages: { resolve: 0 }, mustNotBlame: innocents });
    },
  ),

  // https://kubernetes.io/docs/concepts/policy/pid-limiting/
  'machine-without-processes': scenario(
    'A machine runs out of process ids, and two workloads cannot fork on it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const teams = twoTeams(cluster);
      cluster.at('6s', () => cluster.node('n2').press('PIDPressure'));
      cluster.at('9s', () => {
        for (const { image } of teams)
          cluster.befall(
            image,
            on('n2', {
              exit: { afterSeconds: 2, code: 1 },
              log: [
                'runtime: failed to create new OS thread (have 9 already; errno=11)',
                'fatal error: newosproc: resource temporarily unavailable',
              ],
            }),
          );
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({ root: 'Node//n2', messages: { resolve: 0 }, mustNotBlame: innocents });
    },
  ),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/: put on for maintenance, and forgotten.
  'taint-forgotten-on-every-machine': scenario(
    'All machines carry a taint that nobody tolerates; two teams scale up',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const teams = twoTeams(cluster);
      cluster.at('5s', () => {
        for (const name of ['n1', 'n2', 'n3'])
          cluster
            .planned({ apiVersion: 'v1', kind: 'Node', metadata: { name } })
            .patch({ spec: { taints: [{ key: 'maintenance', value: 'true', effect: 'NoSchedule' }] } });
      });
      cluster.at('12s', () => {
        for (const { handle } of teams) handle.scale(5);
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Node//n1',
        accepts: ['Node//n2', 'Node//n3', 'Deployment/shop/orders', 'Deployment/office/crm'],
        beginsAfterSeconds: 12,
        firstMessageWithinSeconds: 300,
        messages: { resolve: 0 },
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/: the last machine of a kind is removed from its group.
  'last-machine-of-its-kind-removed': scenario(
    'The only machine with a GPU is deleted, and two workloads fit nowhere',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', { name: 'gpu-1', labels: { 'acme.example/pool': 'gpu' } }]);
      surroundings(cluster);
      for (const place of ['ml/inference', 'ml/embeddings'])
        cluster.deployment(place, { replicas: 1, image: imageOf(place), nodeSelector: { 'acme.example/pool': 'gpu' } });
      cluster.at('6s', () => cluster.node('gpu-1').remove());
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Node//gpu-1',
        accepts: ['Deployment/ml/inference', 'Deployment/ml/embeddings'],
        beginsAfterSeconds: 6,
        firstMessageWithinSeconds: 300,
        messages: { resolve: 0 },
      });
    },
  ),

  // https://github.com/containerd/containerd/blob/main/docs/ops.md: the runtime of one machine is gone, what runs goes on.
  'machine-without-its-runtime': scenario(
    'The runtime of one machine does not answer: nothing new starts on it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const teams = twoTeams(cluster);
      const message =
        'Failed to create pod sandbox: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"';
      cluster.at('6s', () => {
        for (const { image } of teams)
          cluster.image(image, on('n3', { heldUp: { reason: 'FailedCreatePodSandBox', message } }));
      });
      cluster.at('8s', () => {
        for (const { handle } of teams) handle.restart();
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Node//n3',
        beginsAfterSeconds: 8,
        firstMessageWithinSeconds: 240,
        // A kubelet says it again every few minutes; the recording ends before.
        messages: { resolve: '≤1' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#node-conditions: the file system of images is full.
  'machine-without-room-for-images': scenario(
    'No image can be unpacked on one machine any more; two releases meet it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const teams = twoTeams(cluster);
      cluster.at('6s', () => {
        for (const { place } of teams)
          cluster.image(
            `${imageOf(place)}.1`,
            on('n2', {
              pullError: `failed to pull and unpack image "${imageOf(place)}.1": failed to extract layer sha256:4be1: write /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/811/fs/usr/lib/libnode.so: no space left on device: unknown`,
            }),
          );
      });
      cluster.at('8s', () => {
        for (const { place, handle } of teams) handle.setImage(`${imageOf(place)}.1`);
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0 },
        mustNotBlame: [...innocents, 'Registry//registry.acme.example'],
      });
    },
  ),

  // https://kubernetes.io/docs/reference/command-line-tools-reference/kube-proxy/: without its rules no Service is reached from there.
  'machine-without-service-rules': scenario(
    'kube-proxy crashes on one machine, and what runs there reaches no Service',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const teams = twoTeams(cluster);
      cluster.service('default/kubernetes', {
        selector: null,
        clusterIP: '10.96.0.1',
        ports: [{ name: 'https', port: 443, targetPort: 6443, protocol: 'TCP' }],
      });
      const proxy = 'registry.k8s.example/kube-proxy:1.36';
      cluster.daemonSet('kube-system/kube-proxy', { image: proxy, probe: false });
      cluster.at('6s', () =>
        cluster.befall(
          proxy,
          on('n2', {
            exit: { afterSeconds: 1, code: 1 },
            log: [
              'E1122 proxier.go:1513] "Failed to execute iptables-restore" err="exit status 4: Another app is currently holding the xtables lock"',
            ],
          }),
        ),
      );
      cluster.at('14s', () => {
        for (const { image } of teams)
          cluster.befall(
            image,
            on('n2', { exit: { afterSeconds: 3, code: 1 }, log: ['dial tcp 10.96.0.1:443: i/o timeout'] }),
          );
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/kube-proxy',
        accepts: ['Node//n2'],
        messages: { resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),
};

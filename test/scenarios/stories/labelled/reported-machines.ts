import { company, innocentRelease, onlyOn, pinned } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, disks, killed, reported, server } from '../../kit/reported.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { dns } from '../../kit/things.ts';

/** Deployments of the teams around, three replicas each. */
const teams = (cluster: ClusterBuilder, ...places: readonly string[]) =>
  places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));

/** What the kubelet says while it gets no network for a Pod. */
const noNetwork = (why: string) => ({
  heldUp: {
    reason: 'FailedCreatePodSandBox' as const,
    message: `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0b8b83755004d7dfbe839f0db315a4775f4f41e683695f6d24d6cb8f5a1902bc": ${why}`,
  },
});

/** Machines, their disks and memory, their network, and the names of the cluster. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/aws/amazon-vpc-cni-k8s/issues/1338: the role of the network plug-in lost its policy.
  'network-plug-in-loses-its-role': reported(
    'The role of the AWS network plug-in loses its policy: its Pods restart and do not get up, and new Pods of two teams get no address',
    (cluster) => {
      const image = '602401143452.dkr.ecr.eu-west-1.amazonaws.com/amazon-k8s-cni:v1.18.3';
      cluster.daemonSet('kube-system/aws-node', { image });
      const handles = teams(cluster, 'video/ingest', 'video/player');
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              '{"level":"info","ts":"2026-11-22T09:27:18.831Z","caller":"entrypoint.sh","msg":"Validating env variables ..."}',
              '{"level":"info","ts":"2026-11-22T09:27:18.885Z","caller":"entrypoint.sh","msg":"Starting IPAM daemon in the background ... "}',
              '{"level":"info","ts":"2026-11-22T09:27:18.889Z","caller":"entrypoint.sh","msg":"Checking for IPAM connectivity ... "}',
              '{"level":"info","ts":"2026-11-22T09:27:20.902Z","caller":"entrypoint.sh","msg":"Retrying waiting for IPAM-D"}',
              'Failed to call ec2:DescribeNetworkInterfaces: UnauthorizedOperation: You are not authorized to perform this operation. status code: 403',
            ],
            1,
            35,
          ),
        ),
      );
      cluster.at(after(90), () => {
        for (const place of ['video/ingest', 'video/player'])
          cluster.image(
            imageOf(place),
            noNetwork(
              'plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container',
            ),
          );
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/aws-node',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 240,
        mustNotBlame: ['Deployment/video/ingest', 'Deployment/video/player', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/k0sproject/k0s/issues/8113, https://github.com/kubernetes/kops/pull/2913: 128 instances of inotify for all of root.
  'no-more-watches-on-one-machine': reported(
    'A machine has no inotify instances left: two controllers that were moved there crash, elsewhere they run',
    (cluster) => {
      const places = {
        'metallb-system/frr-k8s-statuscleaner': 'quay.io/metallb/frr-k8s:v0.0.21',
        'kruise-system/kruise-controller-manager': 'docker.io/openkruise/kruise-manager:v1.2.0',
      };
      const handles = Object.entries(places).map(([place, image]) => cluster.deployment(place, { replicas: 2, image }));
      cluster.at(after(0), () => {
        cluster.image(
          places['metallb-system/frr-k8s-statuscleaner'],
          onlyOn(
            'n3',
            ends(
              [
                '{"level":"error","ts":"2026-11-22T09:12:11Z","logger":"setup","msg":"unable to create webhook certificate watcher","error":"too many open files"}',
                'failed to create fsnotify watcher: too many open files',
              ],
              1,
              2,
            ),
          ),
        );
        cluster.image(
          places['kruise-system/kruise-controller-manager'],
          onlyOn(
            'n3',
            ends(
              [
                'I1122 09:12:39.216232       1 deleg.go:130] setup "msg"="wait webhook ready"',
                'panic: failed to new ca-cert watcher: too many open files',
                'goroutine 488 [running]:',
                'github.com/openkruise/kruise/pkg/webhook/util/health.Checker.func1()',
              ],
              2,
              2,
            ),
          ),
        );
        for (const handle of handles) handle.scale(5);
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0 },
        mustNotBlame: [
          'Deployment/metallb-system/frr-k8s-statuscleaner',
          'Deployment/kruise-system/kruise-controller-manager',
          'Node//n1',
          'Node//n2',
        ],
      });
    },
  ),

  // https://github.com/sustainable-computing-io/susql-operator/issues/140, https://github.com/kubernetes/kubernetes/issues/91600
  'debug-logs-fill-the-disk-of-a-machine': scenario(
    'A workload logs the disk of its machine full; the kubelet evicts it and then others',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      // Made first: the kubelet evicts it first.
      cluster.deployment('ml/feature-builder', { image: imageOf('ml/feature-builder'), ...pinned('n2') });
      const firm = company(cluster);
      teams(cluster, 'shop/images', 'shop/reviews');
      innocentRelease(cluster, after(-60), firm);
      const low =
        'The node was low on resource: ephemeral-storage. Threshold quantity: 8022813849, available: 7711204Ki. ';
      cluster.at(after(0), () => {
        cluster.node('n2').press('DiskPressure');
        cluster.node('n2').warn('EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage');
      });
      cluster.at(after(12), () =>
        cluster
          .node('n2')
          .evict(
            `${low}Container feature-builder was using 41806528Ki, request is 0, has larger consumption of ephemeral-storage. `,
          ),
      );
      for (const seconds of [40, 70]) cluster.at(after(seconds), () => cluster.node('n2').evict(low));
      cluster.at(after(300), () =>
        cluster
          .node('n2')
          .warn(
            'FreeDiskSpaceFailed',
            'Failed to garbage collect required amount of images. Attempted to free 5361213440 bytes, but only found 0 bytes eligible to free.',
          ),
      );
      cluster.lasts(after(1200));
      cluster.expectIncident({
        root: 'Node//n2',
        accepts: ['Deployment/ml/feature-builder'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/shop/images', 'Deployment/shop/reviews', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/112927, https://github.com/paritytech/Nomidot/issues/306: a request of 0, and 1.7 GB in use.
  'machine-short-of-memory-evicts': scenario(
    'A machine runs short of memory, evicts Pods of several teams, and recovers after six minutes',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('chain/watcher', { image: imageOf('chain/watcher'), ...pinned('n1') });
      company(cluster);
      teams(cluster, 'chain/explorer', 'mesh/citadel');
      const low = 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 71244Ki. ';
      cluster.at(after(0), () => {
        cluster.node('n1').press('MemoryPressure');
        cluster.node('n1').warn('EvictionThresholdMet', 'Attempting to reclaim memory');
      });
      cluster.at(after(8), () =>
        cluster
          .node('n1')
          .evict(`${low}Container watcher was using 1703264Ki, request is 0, has larger consumption of memory. `),
      );
      for (const seconds of [30, 55]) cluster.at(after(seconds), () => cluster.node('n1').evict(low));
      cluster.at(after(360), () => cluster.node('n1').press());
      cluster.lasts(after(1200));
      cluster.expectIncident({
        root: 'Node//n1',
        accepts: ['Deployment/chain/watcher'],
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: ['Deployment/chain/explorer', 'Deployment/mesh/citadel', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/flannel-io/flannel/issues/1558, https://github.com/kubernetes/kubernetes/issues/70202
  'new-machine-without-a-range-of-addresses': reported(
    'A machine joins and gets no range of addresses; flannel crashes there, and what is placed there gets no network',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const image = 'docker.io/flannel/flannel:v0.26.1';
      cluster.daemonSet('kube-flannel/kube-flannel-ds', { image, probe: false });
      const places = ['web/landing', 'web/checkout'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.at(after(0), () => {
        cluster.image(
          image,
          onlyOn(
            'n3',
            ends(
              [
                'I1122 09:36:22.839375       1 main.go:235] Created subnet manager: Kubernetes Subnet Manager - n3',
                'I1122 09:36:22.839740       1 vxlan.go:119] VXLAN config: VNI=1 Port=0 GBP=false DirectRouting=false',
                'E1122 09:36:22.840180       1 main.go:280] Error registering network: failed to acquire lease: node "n3" pod cidr not assigned',
              ],
              1,
              2,
            ),
          ),
        );
        for (const place of places)
          cluster.image(
            imageOf(place),
            onlyOn(
              'n3',
              noNetwork(
                `plugin type="flannel" failed (add): loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory`,
              ),
            ),
          );
        cluster.addNode({ name: 'n3' });
      });
      cluster.at(after(60), () => {
        for (const handle of handles) handle.scale(4);
      });
      cluster.expectIncident({
        root: 'Node//n3',
        accepts: ['DaemonSet/kube-flannel/kube-flannel-ds'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/web/landing', 'Deployment/web/checkout', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/cloudpilot-ai/karpenter-provider-gcp/issues/143, https://github.com/kubernetes/kubernetes/issues/103175
  'spot-machine-taken-without-a-word': reported(
    'A spot machine is stopped without a drain and stays in the API; a database with a disk waits for it, and a client of the database',
    (cluster) => {
      const spec = disks(cluster, 'pd-ssd', 'pd.csi.storage.gke.io');
      const image = 'docker.io/library/postgres:16.3';
      server(cluster, 'orders/postgres', image, 5432, { clusterIP: '10.96.18.9', spec, ...pinned('n2') });
      teams(cluster, 'orders/api', 'orders/worker');
      cluster.at(after(0), () => cluster.node('n2').losePower());
      const innocents = clients(cluster, 60, {
        'orders/history': {
          does: unready([
            'time="2026-11-22T09:18:44Z" level=error msg="query failed" err="dial tcp 10.96.18.9:5432: i/o timeout"',
          ]),
          values: { PGHOST: 'postgres.orders.svc.cluster.local' },
        },
      });
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          ...innocents,
          'StatefulSet/orders/postgres',
          'Deployment/orders/api',
          'Deployment/orders/worker',
          'PersistentVolumeClaim/orders/data-postgres-0',
        ],
      });
    },
  ),

  // https://github.com/zalando-incubator/kubernetes-on-aws/blob/dev/docs/postmortems/jan-2019-dns-outage.md
  'retries-drown-the-names': reported(
    'Retries of one service make so many queries that CoreDNS is killed for its memory, on all Pods at once; its limit is raised after a quarter of an hour',
    (cluster, firm) => {
      const { image } = dns.workload;
      const coredns = cluster.deployment('kube-system/coredns', { ...dns.workload, memory: '100Mi' });
      cluster.object({ ...dns.service, spec: { ...dns.service.spec, clusterIP: '10.96.0.10' } });
      innocentRelease(cluster, after(-35), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          killed(
            ['.:53', '[INFO] plugin/reload: Running configuration SHA512 = 591cf328cccc12bc', 'CoreDNS-1.12.0'],
            8,
          ),
        ),
      );
      const lookup = 'getaddrinfo EAI_AGAIN recommendations.fashion.svc.cluster.local';
      const innocents = clients(cluster, 10, {
        'fashion/aggregation': {
          does: unready([
            `Error: ${lookup} recommendations.fashion.svc.cluster.local:80`,
            "  errno: -3001, code: 'EAI_AGAIN', syscall: 'getaddrinfo'",
          ]),
        },
        'fashion/outfits': {
          does: unready([
            'com.netflix.hystrix.exception.HystrixRuntimeException: getOutfit short-circuited and no fallback available.',
            'Caused by: java.net.UnknownHostException: articles.fashion.svc.cluster.local: Temporary failure in name resolution',
          ]),
        },
        'monitoring/zmon-worker': {
          does: ends([
            "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='data-service.zmon.example', port=443): Max retries exceeded with url: /api/v1/data (Caused by NewConnectionError('Failed to establish a new connection: [Errno -3] Temporary failure in name resolution'))",
          ]),
        },
      });
      cluster.at(after(900), () => {
        cluster.image(image, {});
        coredns.change({ ...dns.workload, memory: '2000Mi' });
        for (const place of ['fashion/aggregation', 'fashion/outfits', 'monitoring/zmon-worker'])
          cluster.befall(imageOf(place), {});
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 28, dnsService: 'none' },
  ),
};

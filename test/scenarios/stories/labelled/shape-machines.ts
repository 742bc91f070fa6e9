import { company, imageAt, innocentRelease, onlyOn, pinned } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, disks, reported } from '../../kit/reported.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { claim, mounts, volume } from '../../kit/things.ts';

/** What the kubelet says while it gets no sandbox for a Pod. */
const noSandbox = (why: string) => ({
  heldUp: { reason: 'FailedCreatePodSandBox' as const, message: `Failed to create pod sandbox: ${why}` },
});

/** Deployments of the teams around, so many replicas each. */
const teams = (cluster: ClusterBuilder, replicas: number, ...places: readonly string[]) =>
  places.map((place) => cluster.deployment(place, { replicas, image: imageOf(place) }));

/** Machines: how they join, come back from a reboot, and what they have no room for. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes-sigs/kubespray/issues/8122: the runtime of a new image of machines has the other cgroup driver.
  'new-machine-with-the-other-cgroup-driver': reported(
    'A machine joins whose runtime and kubelet have different cgroup drivers; nothing that is placed there gets a sandbox',
    (cluster, firm) => {
      cluster.nodes(['n1', 'n2']);
      const places = ['shop/search', 'shop/recommend', 'video/encoder'];
      const handles = teams(cluster, 2, ...places);
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => {
        for (const place of [...places, 'observability/agent'])
          cluster.image(
            place === 'observability/agent' ? imageAt('agent', '1.31') : imageOf(place),
            onlyOn(
              'n3',
              noSandbox(
                'rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: expected cgroupsPath to be of format "slice:prefix:name" for systemd cgroups, got "/kubepods/burstable/pod9f7c1a2e/6ad1f1f8c0" instead: unknown',
              ),
            ),
          );
        cluster.addNode({ name: 'n3' });
      });
      cluster.at(after(45), () => {
        for (const handle of handles) handle.scale(4);
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 330,
        mustNotBlame: [
          'Deployment/shop/search',
          'Deployment/shop/recommend',
          'Deployment/video/encoder',
          'DaemonSet/observability/agent',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/projectcalico/calico/issues/3541, https://github.com/projectcalico/calico/issues/2561: the address of a new bridge is taken for that of the machine.
  'route-agent-takes-the-wrong-interface': reported(
    'After its reboot the Calico agent of a machine takes the address of a bridge for its own; no peer talks to it, and what runs there reaches nobody',
    (cluster) => {
      const image = 'docker.io/calico/node:v3.28.1';
      cluster.daemonSet('calico-system/calico-node', { image });
      const places = ['pay/ledger', 'pay/fraud'];
      teams(cluster, 3, ...places);
      cluster.statefulSet('pay/postgres', { image: 'docker.io/library/postgres:16.3', ...pinned('n1') });
      cluster.service('pay/postgres', {
        clusterIP: '10.96.41.7',
        ports: [{ name: 'main', port: 5432, targetPort: 5432, protocol: 'TCP' }],
      });
      cluster.at(after(0), () => cluster.node('n2').reboot('35s'));
      cluster.at(after(20), () => {
        cluster.image(
          image,
          onlyOn(
            'n2',
            unready(
              [
                '2026-11-22 09:12:21.006 [INFO][9] startup/autodetection_methods.go 103: Using autodetected IPv4 address on interface br-4c1f0e2a9d71: 172.18.0.1/16',
                'bird: BGP: Unexpected connect from unknown address 10.0.1.11 (port 41153)',
                'bird: Mesh_10_0_1_11: Received: Active (Hold timer expired)',
              ],
              'calico/node is not ready: BIRD is not ready: BGP not established with 10.0.1.11,10.0.1.13',
            ),
          ),
        );
        for (const [index, place] of places.entries())
          cluster.image(
            imageOf(place),
            onlyOn(
              'n2',
              index === 0
                ? ends([
                    'org.postgresql.util.PSQLException: The connection attempt to postgres.pay.svc.cluster.local:5432 failed.',
                    'Caused by: java.net.SocketTimeoutException: Connect timed out',
                  ])
                : unready(['level=error msg="ping database" error="dial tcp 10.96.41.7:5432: i/o timeout"']),
            ),
          );
      });
      cluster.expectIncident({
        root: 'Node//n2',
        accepts: ['DaemonSet/calico-system/calico-node'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Deployment/pay/ledger',
          'Deployment/pay/fraud',
          'StatefulSet/pay/postgres',
          'Service/pay/postgres',
        ],
      });
    },
  ),

  // https://github.com/kubernetes-sigs/aws-ebs-csi-driver/issues/1163: network interfaces take places that the driver counts as free.
  'machine-takes-no-more-volumes': reported(
    'A machine has as many volumes as its type can have, while its driver believes in more; two databases that are placed there wait',
    (cluster) => {
      disks(cluster);
      const places = ['crm/mysql', 'forum/mariadb'];
      const held = (place: string) =>
        onlyOn('n2', {
          heldUp: {
            reason: 'FailedAttachVolume',
            message: `AttachVolume.Attach failed for volume "pvc-${place.replace('/', '-')}" : rpc error: code = Internal desc = Could not attach volume "vol-0a6f3d1${place.length}c81f2b7" to node "i-0f37978c6d1e25a52": attachment of disk "vol-0a6f3d1${place.length}c81f2b7" failed, expected device to be attached but was attaching`,
          },
        });
      for (const place of places) {
        cluster.object(
          volume(`pvc-${place.replace('/', '-')}`, 'gp3', { csi: { driver: 'ebs.csi.aws.com', volumeHandle: place } }),
        );
        cluster.object(claim(place, 'gp3', { volumeName: `pvc-${place.replace('/', '-')}` }));
        cluster.statefulSet(place, {
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
          ...pinned('n1'),
        });
      }
      cluster.deployment('batch/loader', { replicas: 3, image: imageAt('loader', 2) });
      cluster.at(after(0), () => {
        for (const place of places) {
          cluster.image(imageOf(place), held(place));
          cluster
            .planned({
              ...{ apiVersion: 'apps/v1', kind: 'StatefulSet' },
              metadata: { namespace: place.split('/')[0] ?? '', name: place.split('/')[1] ?? '' },
            })
            .patch({ spec: { template: { spec: { nodeSelector: { 'kubernetes.io/hostname': 'n2' } } } } });
        }
      });
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'StatefulSet/crm/mysql',
          'StatefulSet/forum/mariadb',
          'StorageClass//gp3',
          'Deployment/batch/loader',
          'Node//n1',
        ],
      });
    },
  ),

  // https://docs.cilium.io/en/stable/installation/taints/, https://github.com/cilium/cilium/issues/21470
  'new-machine-keeps-the-mark-of-its-network': scenario(
    'A machine joins with a kernel that is too old for Cilium; its agent crashes there, and the mark that keeps Pods away stays while two teams wait for room',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'n1', cpu: '4' },
        { name: 'n2', cpu: '4' },
      ]);
      company(cluster);
      const image = 'quay.io/cilium/cilium:v1.16.3';
      cluster.daemonSet('kube-system/cilium', { image, pod: { tolerations: [{ operator: 'Exists' }] } });
      const handles = ['maps/tiles', 'maps/routes'].map((place) =>
        cluster.deployment(place, { replicas: 3, image: imageOf(place), cpu: '900m' }),
      );
      cluster.at(after(0), () => {
        cluster.image(
          image,
          onlyOn(
            'n3',
            ends(
              [
                'time="2026-11-22T09:21:40Z" level=info msg="Cilium 1.16.3 f2217191 2024-10-15T19:56:47+00:00 go version go1.22.8 linux/amd64" subsys=daemon',
                'time="2026-11-22T09:21:41Z" level=error msg="Start hook failed" error="daemon creation failed: failed to detect devices: unable to determine direct routing device. Use --direct-routing-device to specify it" function="cmd.newDaemonPromise.func1"',
                'time="2026-11-22T09:21:41Z" level=fatal msg="failed to start: daemon creation failed: failed to detect devices: unable to determine direct routing device. Use --direct-routing-device to specify it" subsys=daemon',
              ],
              1,
              4,
            ),
          ),
        );
        cluster.addNode({
          name: 'n3',
          taints: [{ key: 'node.cilium.io/agent-not-ready', value: 'true', effect: 'NoExecute' }],
        });
      });
      cluster.at(after(90), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.lasts(after(1200));
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/cilium',
        accepts: ['Node//n3'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 660,
        mustNotBlame: ['Deployment/maps/tiles', 'Deployment/maps/routes', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/kubernetes/cloud-provider-openstack/issues/2200, https://github.com/oracle/terraform-kubernetes-installer/issues/120
  'cloud-token-withdrawn-and-machines-not-taken-over': scenario(
    'The token of the cloud is withdrawn: the cloud controller crashes, a new machine keeps its mark, and Pods of two teams wait for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'n1', cpu: '4' },
        { name: 'n2', cpu: '4' },
      ]);
      const firm = company(cluster);
      const image = 'docker.io/hetznercloud/hcloud-cloud-controller-manager:v1.20.0';
      cluster.secret('kube-system/hcloud', { token: 'one', network: 'one' });
      cluster.deployment('kube-system/hcloud-cloud-controller-manager', {
        image,
        env: { HCLOUD_TOKEN: 'secret/hcloud/token' },
        probe: false,
      });
      const handles = ['game/lobby', 'game/match'].map((place) =>
        cluster.deployment(place, { replicas: 3, image: imageOf(place), cpu: '900m' }),
      );
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              'I1122 09:14:02.118043       1 serving.go:386] Generated self-signed cert in-memory',
              'Hetzner Cloud k8s cloud controller v1.20.0 started',
              'F1122 09:14:03.402217       1 main.go:63] Cloud provider could not be initialized: could not init cloud provider "hcloud": hcloud/newCloud: hcloud.NewClient: unable to authenticate: the token you provided is invalid (unauthorized)',
            ],
            255,
            2,
          ),
        ),
      );
      cluster.at(after(120), () =>
        cluster.addNode({
          name: 'n3',
          taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }],
        }),
      );
      cluster.at(after(150), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.lasts(after(1200));
      cluster.expectIncident({
        root: 'Deployment/kube-system/hcloud-cloud-controller-manager',
        accepts: ['Secret/kube-system/hcloud'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/game/lobby', 'Deployment/game/match', 'Node//n3', 'Deployment/logistics/tracking'],
      });
    },
  ),
};

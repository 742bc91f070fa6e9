import { custom, define, imageAt, innocentRelease, onlyOn, pinned } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

/** Machines, what runs on each of them, and the volumes that they mount. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubeovn/kube-ovn/issues/5836: after two hundred days; it was healed by a restart of its agent there.
  'agent-of-the-network-has-lost-its-socket': reported(
    'The agent of the network on one machine loses its socket; two workloads that are rolled out there get no sandbox, elsewhere all is well',
    (cluster, firm) => {
      const image = 'docker.io/kubeovn/kube-ovn:v1.13.2';
      cluster.daemonSet('kube-system/kube-ovn-cni', { image });
      const places = ['water/levels', 'water/alarms'];
      const handles = places.map((place) => cluster.deployment(place, { image: imageOf(place), pod: pinned('n2') }));
      cluster.deployment('water/maps', { replicas: 2, image: imageAt('maps', 3), pod: pinned('n1') });
      innocentRelease(cluster, after(-90), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          onlyOn(
            'n2',
            unready(
              [
                'E1123 09:04:41.003155       1 handler.go:52] listen unix /run/openvswitch/kube-ovn-daemon.sock: bind: no such file or directory',
              ],
              'Get "https://10.0.0.2:10665/readyz": dial tcp 10.0.0.2:10665: connect: connection refused',
            ),
          ),
        ),
      );
      cluster.at(after(45), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message: `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "4468be044f22223208b097e751dffe8117808110d1cf70b108938614e554da4e": plugin type="kube-ovn" failed (add): RPC failed; Post "http://dummy/api/v1/add": dial unix /run/openvswitch/kube-ovn-daemon.sock: connect: no such file or directory`,
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/kube-ovn-cni',
        accepts: ['Node//n2'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/water/levels', 'Deployment/water/alarms', 'Deployment/water/maps', 'Node//n1'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/92436, https://github.com/kubernetes/kubernetes/issues/125579
  'kubelet-counts-its-processors-twice': reported(
    'After its restart the kubelet of one machine counts the processors of ended Pods as taken; what is bound to that machine is refused, Pod after Pod',
    (cluster) => {
      const places = ['radio/mixer', 'radio/encoder'];
      for (const place of places) cluster.deployment(place, { image: imageOf(place), cpu: '2', pod: pinned('n2') });
      cluster.deployment('radio/schedule', { replicas: 2, image: imageAt('schedule', 6), pod: pinned('n3') });
      cluster.at(after(0), () => {
        cluster.node('n2').warn('Rebooted', 'Node n2 has been rebooted, boot id: 4b0c5d0e-2f7e-4c56-9a53-5d1f7f0b6f11');
        for (const place of places) {
          const seen: string[] = [];
          cluster.image(imageOf(place), ({ metadata }) => {
            if (!seen.includes(metadata.name)) seen.push(metadata.name);
            return seen.indexOf(metadata.name) < 14
              ? {
                  rejected: {
                    reason: 'UnexpectedAdmissionError',
                    message:
                      'Pod was rejected: Allocate failed due to not enough cpus available to satisfy request: requested=2, available=1, which is unexpected',
                  },
                }
              : {
                  heldUp: {
                    reason: 'FailedCreatePodSandBox',
                    message:
                      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox container task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error setting cgroup config for procHooks process: failed to write "2-3": write /sys/fs/cgroup/kubepods.slice/cpuset.cpus: invalid argument: unknown',
                  },
                };
          });
          cluster.evict('radio', place.split('/')[1] ?? '');
        }
      });
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0, update: '≤2', open: '≤3' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/radio/mixer', 'Deployment/radio/encoder', 'Deployment/radio/schedule'],
      });
    },
  ),

  // https://github.com/k8snetworkplumbingwg/multus-cni/issues/1010: four addresses, and a fifth Pod.
  'range-of-the-second-network-is-used-up': reported(
    'A signalling gateway is scaled beyond the few addresses of its second network; the Pods beyond them get no sandbox',
    (cluster) => {
      define(cluster, 'k8s.cni.cncf.io/v1', ['NetworkAttachmentDefinition']);
      custom(cluster, 'k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'telco/ipvlan-multus', {
        config:
          '{"cniVersion":"0.3.1","type":"ipvlan","master":"eth1","ipam":{"type":"whereabouts","range":"100.76.215.208/28","range_start":"100.76.215.210","range_end":"100.76.215.213"}}',
      });
      cluster.daemonSet('kube-system/whereabouts', { image: 'ghcr.io/k8snetworkplumbingwg/whereabouts:v0.6' });
      const image = imageOf('telco/sigtran');
      const gateway = cluster.deployment('telco/sigtran', { replicas: 4, image });
      cluster.service('telco/sigtran');
      cluster.at(after(0), () => {
        cluster.image(image, {
          heldUp: {
            reason: 'FailedCreatePodSandBox',
            message:
              'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d9011e1af37d97238652c377fb7b93908d7cf6f45b1d191fd7bb600728115b1": plugin type="multus" name="multus-cni-network" failed (add): [telco/sigtran:ipvlan-multus]: error adding container to network "ipvlan-multus": error at storage engine: Could not allocate IP in range: ip: 100.76.215.210 / - 100.76.215.213 / range: net.IPNet{IP:net.IP{0x64, 0x4c, 0xd7, 0xd0}, Mask:net.IPMask{0xff, 0xff, 0xff, 0xf0}}',
          },
        });
        gateway.scale(7);
      });
      cluster.expectIncident({
        root: 'Deployment/telco/sigtran',
        accepts: [
          'NetworkAttachmentDefinition.k8s.cni.cncf.io/telco/ipvlan-multus',
          'DaemonSet/kube-system/whereabouts',
        ],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Service/telco/sigtran'],
      });
    },
  ),

  // https://kube-dojo.github.io/k8s/cka/part5-troubleshooting/module-5.4-worker-nodes: an agent for logs that leaks, machine after machine.
  'agent-on-a-machine-eats-its-memory': reported(
    'The agent for logs leaks on one machine until the machine is short of memory; it evicts what else is there, and takes nothing new',
    (cluster, firm) => {
      cluster.daemonSet('logging/relay', { image: imageAt('relay', '2.2'), probe: false });
      const places = ['toys/catalogue', 'toys/wishlist'];
      const message =
        'The node was low on resource: memory. Threshold quantity: 100Mi, available: 71204Ki. Container relay was using 11034212Ki, request is 0, has larger consumption of memory. ';
      for (const place of places) {
        cluster.image(imageOf(place), onlyOn('n2', { evicted: { afterSeconds: 342, message } }));
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
      }
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => {
        cluster.node('n2').press('MemoryPressure');
        cluster.node('n2').warn('EvictionThresholdMet', 'Attempting to reclaim memory');
      });
      cluster.at(after(50), () =>
        cluster.node('n2').warn('SystemOOM', 'System OOM encountered, victim process: relay, pid: 24113'),
      );
      cluster.expectIncident({
        root: 'Node//n2',
        accepts: ['DaemonSet/logging/relay'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/toys/catalogue', 'Deployment/toys/wishlist', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/openebs/lvm-localpv/issues/368, https://github.com/openebs/lvm-localpv/issues/18
  'group-of-volumes-has-no-extents-left': reported(
    'The disks of the machines have no room for another volume; two new services wait for theirs',
    (cluster) => {
      const driver = 'local.csi.openebs.io';
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: driver } },
        spec: { attachRequired: false },
      });
      cluster.object(
        storageClass('openebs-lvmpv', {
          ...{ provisioner: driver, volumeBindingMode: 'Immediate' },
          parameters: {
            volgroup: 'lvmvg',
            'sandbox.tocsin.dev/fails':
              'rpc error: code = ResourceExhausted desc = Volume group "lvmvg" has insufficient free space (12780 extents): 19200 required.',
          },
        }),
      );
      cluster.deployment('openebs/openebs-lvm-controller', { image: 'docker.io/openebs/lvm-driver:1.7.0' });
      const places = ['quarry/scans', 'quarry/weights'];
      cluster.at(after(0), () => {
        for (const place of places) {
          cluster.object(claim(place, 'openebs-lvmpv', { resources: { requests: { storage: '75Gi' } } }));
          cluster.deployment(place, { image: imageOf(place), pod: mounts(place.split('/')[1] ?? '') });
        }
      });
      cluster.expectIncident({
        root: 'StorageClass//openebs-lvmpv',
        accepts: [
          `CSIDriver//${driver}`,
          'PersistentVolumeClaim/quarry/scans',
          'PersistentVolumeClaim/quarry/weights',
          'Deployment/openebs/openebs-lvm-controller',
        ],
        messages: { resolve: 0, update: '≤2', open: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/quarry/scans', 'Deployment/quarry/weights', 'Node//n1'],
      });
    },
  ),

  // https://github.com/openebs/openebs/issues/1383, https://github.com/openebs/openebs/issues/1563
  'only-replica-of-a-volume-was-restarted': reported(
    'The only replica of a volume is restarted, and the volume is read-only since; the database on it ends, and the shop and its stock lose it',
    (cluster, firm) => {
      const name = 'pvc-b73b20fa-31ab-11e8-9309-000c298ff5fc';
      disks(cluster, 'openebs-jiva', 'jiva.csi.openebs.io');
      cluster.object(volume(name, 'openebs-jiva', { csi: { driver: 'jiva.csi.openebs.io', volumeHandle: name } }));
      cluster.object(claim('crafts/percona', 'openebs-jiva', { volumeName: name }));
      const replica = cluster.deployment(`openebs/${name}-rep`, {
        ...{ image: 'docker.io/openebs/jiva:3.6.0', spec: { strategy: { type: 'Recreate' } } },
      });
      const image = 'docker.io/percona/percona-server:8.0.36';
      server(cluster, 'crafts/percona', image, 3306, { clusterIP: '10.96.33.6', pod: mounts('percona') });
      innocentRelease(cluster, after(-35), firm);
      cluster.at(after(0), () => replica.restart());
      cluster.at(after(20), () =>
        cluster.befall(
          image,
          ends(
            [
              '2026-11-23T09:06:10.118Z 0 [ERROR] [MY-012592] [InnoDB] Operating system error number 30 in a file operation.',
              "2026-11-23T09:06:10.118Z 0 [ERROR] [MY-012596] [InnoDB] Error number 30 means 'Read-only file system'",
              '2026-11-23T09:06:10.640Z 0 [ERROR] [MY-010119] [Server] Aborting',
            ],
            1,
            4,
          ),
        ),
      );
      const values = { DB_HOST: 'percona.crafts.svc.cluster.local' };
      const innocents = clients(cluster, 32, {
        'crafts/shop': {
          does: unready(['SQLSTATE[HY000] [2002] Connection refused (percona.crafts.svc.cluster.local:3306)']),
          values,
        },
        'crafts/stock': {
          does: ends([
            "pymysql.err.OperationalError: (2003, \"Can't connect to MySQL server on '10.96.33.6' ([Errno 111] Connection refused)\")",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: `PersistentVolume//${name}`,
        accepts: [
          'PersistentVolumeClaim/crafts/percona',
          'StatefulSet/crafts/percona',
          `Deployment/openebs/${name}-rep`,
        ],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'Node//n1'],
      });
    },
  ),
};

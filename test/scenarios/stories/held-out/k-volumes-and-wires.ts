import { scenario } from '../../kit/scenario.ts';
import {
  budget,
  claim,
  dns,
  ingress,
  ingressClass,
  mounts,
  networkPolicy,
  storageClass,
  volume,
} from '../../kit/things.ts';

const port = (number: number, targetPort: number | string = number): object => ({
  ports: [{ name: 'main', port: number, targetPort, protocol: 'TCP' }],
});
const listens = (containerPort: number): object => ({
  ports: [{ containerPort }],
  readinessProbe: { tcpSocket: { port: containerPort } },
});
/** Files of a ConfigMap in the only container. */
const filesOf = (configMap: string, mountPath: string) => ({
  container: { volumeMounts: [{ name: 'files', mountPath }] },
  pod: { volumes: [{ name: 'files', configMap: { name: configMap } }] },
});

const deadMachineHoldsVolume = scenario('A machine dies, and the volume of its Pod stays attached to it', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.nodes(['n1', { name: 'n2', labels: { disktype: 'ssd' } }]);
  cluster.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com' }));
  cluster.object(volume('pvc-8f2d6c1e', 'gp3'));
  cluster.object(claim('docs/wiki-data', 'gp3'));
  cluster.service('docs/wiki');
  cluster.deployment('docs/wiki', {
    image: 'ghcr.example/wiki:2.5.301',
    nodeSelector: { disktype: 'ssd' },
    pod: mounts('wiki-data'),
    spec: { strategy: { type: 'Recreate' } },
  });
  cluster.deployment('docs/search', { replicas: 2, image: 'ghcr.example/docs-search:1.1', nodeSelector: {} });
  cluster.at('1s', () => cluster.addNode({ name: 'n3', labels: { disktype: 'ssd' } }));
  cluster.at('20s', () => {
    cluster.node('n2').losePower();
    cluster.image('ghcr.example/wiki:2.5.301', {
      heldUp: {
        reason: 'FailedAttachVolume',
        message:
          'Multi-Attach error for volume "pvc-8f2d6c1e" Volume is already exclusively attached to one node and can\'t be attached to another',
      },
    });
  });
  cluster.at('7m30s', () => undefined);
  cluster.lasts('10m');
  cluster.expectIncident({
    root: 'Node//n2',
    mustNotBlame: ['PersistentVolumeClaim/docs/wiki-data', 'Deployment/docs/wiki', 'Node//n3'],
  });
});

const driverGoneFromOneMachine = scenario(
  'The storage driver of one machine crashes while a store on it is restarted',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes([
      { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'eu-west-1a' } },
      { name: 'n2', labels: { 'topology.kubernetes.io/zone': 'eu-west-1b' } },
      { name: 'n3', labels: { 'topology.kubernetes.io/zone': 'eu-west-1c' } },
    ]);
    cluster.object({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'ebs.csi.aws.com' } },
      spec: { attachRequired: true },
    });
    cluster.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com' }));
    cluster.daemonSet('kube-system/ebs-csi-node', {
      image: 'public.ecr.example/ebs-csi-driver:v1.34.0',
      probe: false,
      labels: { 'app.kubernetes.io/name': 'aws-ebs-csi-driver' },
    });
    cluster.object(claim('orders/eventstore-data', 'gp3'));
    cluster.service('orders/eventstore', port(2113));
    const store = cluster.deployment('orders/eventstore', {
      image: 'ghcr.example/eventstore:23.10',
      nodeSelector: { 'topology.kubernetes.io/zone': 'eu-west-1c' },
      container: listens(2113),
      pod: mounts('eventstore-data'),
      spec: { strategy: { type: 'Recreate' } },
    });
    cluster.at('15s', () =>
      cluster.befall('public.ecr.example/ebs-csi-driver:v1.34.0', (pod) =>
        pod.spec.nodeName === 'n3'
          ? {
              exit: { afterSeconds: 6, code: 2 },
              log: [
                'I1211 20:07:09.634316       1 main.go:157] "Initializing metadata"',
                'E1211 20:07:14.635517       1 metadata.go:51] "Retrieving IMDS metadata failed, falling back to Kubernetes metadata" err="could not get EC2 instance identity metadata: operation error ec2imds: GetInstanceIdentityDocument, canceled, context deadline exceeded"',
                'E1211 20:07:14.640102       1 main.go:162] "Failed to initialize metadata when it is required" err="IMDS metadata and Kubernetes metadata are both unavailable"',
                'panic: did not find aws instance ID in node providerID string',
              ],
            }
          : {},
      ),
    );
    cluster.at('50s', () => {
      cluster.image('ghcr.example/eventstore:23.10', {
        heldUp: {
          reason: 'FailedMount',
          message:
            'MountVolume.MountDevice failed for volume "pvc-52eb1d0b" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ebs.csi.aws.com not found in the list of registered CSI drivers',
        },
      });
      store.restart();
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'DaemonSet/kube-system/ebs-csi-node',
      accepts: ['Node//n3'],
      mustNotBlame: ['Deployment/orders/eventstore', 'PersistentVolumeClaim/orders/eventstore-data'],
    });
  },
);

const classAndTypo = scenario(
  'A storage class asks for what its driver refuses, and another claim names a class that is not there',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'ebs.csi.aws.com' } },
      spec: { attachRequired: true },
    });
    cluster.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com' }));
    const template = (storageClassName: string): object => ({
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '10Gi' } } },
        },
      ],
    });
    cluster.at('5s', () => {
      cluster.object(
        storageClass('io2-fast', {
          provisioner: 'ebs.csi.aws.com',
          parameters: {
            type: 'io2',
            iopsPerGB: '2000',
            'sandbox.tocsin.dev/fails':
              'rpc error: code = Internal desc = Could not create volume "pvc-31c0": could not create volume in EC2: operation error EC2: CreateVolume, https response error StatusCode: 400, api error InvalidParameterCombination: The parameter iops ratio of 2000 is too high; maximum is 1000 IOPS per GiB',
          },
        }),
      );
      cluster.service('risk/scylla', port(9042));
      cluster.statefulSet('risk/scylla', {
        replicas: 3,
        image: 'ghcr.example/scylla:5.4',
        container: listens(9042),
        spec: template('io2-fast'),
        broken: true,
      });
    });
    cluster.at('8s', () => {
      cluster.statefulSet('search/opensearch', {
        image: 'ghcr.example/opensearch:2.13',
        container: listens(9200),
        spec: template('pg3'),
        broken: true,
      });
    });
    cluster.lasts('8m');
    cluster.expectIncident({
      root: 'StorageClass//io2-fast',
      accepts: ['PersistentVolumeClaim/risk/data-scylla-0', 'StatefulSet/risk/scylla'],
      mustNotBlame: ['StorageClass//gp3'],
    });
    cluster.expectIncident({
      root: 'StorageClass//pg3',
      accepts: ['PersistentVolumeClaim/search/data-opensearch-0', 'StatefulSet/search/opensearch'],
      reason: 'StorageClassMissing',
    });
  },
);

const exportsMisspelt = scenario(
  'A file server does not understand its exports, and nobody can mount them',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const exports = cluster.configMap('files/nfs-exports', {
      exports: '/exports *(rw,fsid=0,no_root_squash,insecure)\n',
    });
    cluster.service('files/nfs-server', port(2049));
    const server = cluster.deployment('files/nfs-server', {
      image: 'ghcr.example/nfs-server:1.3',
      ...filesOf('nfs-exports', '/etc/exports.d'),
      spec: { strategy: { type: 'Recreate' } },
    });
    cluster.object(
      volume('media-nfs', 'nfs', {
        accessModes: ['ReadWriteMany'],
        csi: {
          driver: 'nfs.csi.k8s.io',
          volumeHandle: 'media-nfs',
          volumeAttributes: { server: 'nfs-server.files.svc.cluster.local', share: '/' },
        },
      }),
    );
    cluster.object(claim('files/media', 'nfs', { accessModes: ['ReadWriteMany'] }));
    const transcoder = cluster.deployment('files/transcoder', {
      replicas: 2,
      image: 'ghcr.example/transcoder:4.4',
      probe: false,
      pod: mounts('media'),
    });
    cluster.at('5s', () => exports.edit({ exports: '/exports *(rw,fsid=0,no_root_sqash,insecure)\n' }));
    cluster.at('15s', () => {
      cluster.image('ghcr.example/nfs-server:1.3', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'Serving /exports',
          'exportfs: /etc/exports.d/exports:1: unknown keyword "no_root_sqash"',
          'Export validation failed, exiting...',
        ],
      });
      server.restart();
    });
    cluster.at('45s', () => {
      cluster.image('ghcr.example/transcoder:4.5', {
        heldUp: {
          reason: 'FailedMount',
          message:
            'MountVolume.SetUp failed for volume "media-nfs" : rpc error: code = Internal desc = mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs -o nfsvers=4.1 nfs-server.files.svc.cluster.local:/ /var/lib/kubelet/pods/1c0f/volumes/kubernetes.io~csi/media-nfs/mount\nOutput: mount.nfs: Connection refused',
        },
      });
      transcoder.setImage('ghcr.example/transcoder:4.5');
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'ConfigMap/files/nfs-exports',
      mustNotBlame: ['Deployment/files/transcoder', 'PersistentVolumeClaim/files/media'],
    });
  },
);

const storageManagerSkipsAVersion = scenario(
  'The manager of replicated volumes skips a version, and volumes no longer attach',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(storageClass('longhorn', { provisioner: 'driver.longhorn.io' }));
    cluster.service('longhorn-system/longhorn-manager', port(9500));
    const manager = cluster.daemonSet('longhorn-system/longhorn-manager', {
      image: 'ghcr.example/longhorn-manager:v1.4.1',
      container: listens(9500),
      spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
    });
    cluster.object(volume('pvc-62702773', 'longhorn'));
    cluster.object(claim('git/gitea-data', 'longhorn'));
    cluster.service('git/gitea', port(3000));
    cluster.statefulSet('git/gitea', {
      image: 'ghcr.example/gitea:1.21.7',
      container: listens(3000),
      pod: mounts('gitea-data'),
    });
    cluster.image('ghcr.example/longhorn-manager:v1.6.0', {
      readyAfterSeconds: 'never',
      exit: { afterSeconds: 3, code: 1 },
      log: [
        'time="2026-03-14T08:00:12Z" level=info msg="Starting longhorn conversion webhook server" func=main.main.DaemonCmd.func3 file="daemon.go:93"',
        'time="2026-03-14T08:00:13Z" level=info msg="Checking if the upgrade path from v1.4.1 to v1.6.0 is supported" func=util.checkLHUpgradePath file="util.go:238"',
        'time="2026-03-14T08:00:13Z" level=fatal msg="Error starting manager: failed to upgrade since upgrading from v1.4.1 to v1.6.0 for minor version is not supported" func=main.main.DaemonCmd.func3 file="daemon.go:105"',
      ],
    });
    cluster.at('10s', () => manager.setImage('ghcr.example/longhorn-manager:v1.6.0'));
    cluster.at('60s', () => {
      cluster.image('ghcr.example/gitea:1.21.7', {
        heldUp: {
          reason: 'FailedAttachVolume',
          message:
            'AttachVolume.Attach failed for volume "pvc-62702773" : rpc error: code = Aborted desc = volume pvc-62702773 is not ready for workloads',
        },
      });
      cluster.evict('git', 'gitea');
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'DaemonSet/longhorn-system/longhorn-manager',
      mustNotBlame: ['StatefulSet/git/gitea', 'PersistentVolumeClaim/git/gitea-data'],
    });
  },
);

const readOnlyMachine = scenario(
  'The disk of a machine turns read-only under two products, one of them rolled a minute before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const zone = (name: string) => ({ nodeSelector: { pool: name } });
    cluster.nodes([{ name: 'n1', labels: { pool: 'a' } }, { name: 'n2', labels: { pool: 'b' } }, 'n3']);
    cluster.service('mail/postfix', port(25));
    cluster.deployment('mail/postfix', {
      replicas: 2,
      image: 'ghcr.example/postfix:3.8',
      ...zone('b'),
      container: listens(25),
    });
    cluster.service('mail/webmail');
    const webmail = cluster.deployment('mail/webmail', { image: 'ghcr.example/webmail:1.6.6', ...zone('b') });
    cluster.deployment('shop/web', { replicas: 2, image: 'ghcr.example/web:8.0', ...zone('a') });
    cluster.at('5s', () => webmail.setImage('ghcr.example/webmail:1.6.7'));
    cluster.at('70s', () => {
      cluster
        .node('n2')
        .condition(
          'ReadonlyFilesystem',
          'True',
          'FilesystemIsReadOnly',
          'Filesystem is read-only: EXT4-fs (nvme0n1p1): Remounting filesystem read-only',
        );
      cluster.befall('ghcr.example/postfix:3.8', {
        exit: { afterSeconds: 4, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          'postfix/postfix-script[71]: starting the Postfix mail system',
          'postfix/master[1]: fatal: open lock file /var/lib/postfix/master.lock: cannot open file: Read-only file system',
        ],
      });
      cluster.befall('ghcr.example/webmail:1.6.7', {
        exit: { afterSeconds: 6, code: 255 },
        readyAfterSeconds: 'never',
        log: [
          'PHP Warning:  file_put_contents(/var/www/html/temp/cache.idx): Failed to open stream: Read-only file system in /var/www/html/program/lib/cache.php on line 88',
          'AH00099: could not create /var/run/apache2/apache2.pid: Read-only file system',
        ],
      });
    });
    cluster.at('2m30s', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({ root: 'Node//n2', mustNotBlame: ['Deployment/mail/webmail', 'Deployment/mail/postfix'] });
  },
);

const agentConfig = scenario(
  'The network agent does not start with its new settings, and no new Pod gets a network',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const settings = cluster.configMap('kube-system/cilium-config', {
      'routing-mode': 'tunnel',
      'tunnel-protocol': 'vxlan',
      'auto-direct-node-routes': 'false',
    });
    const agent = cluster.daemonSet('kube-system/cilium', {
      image: 'quay.example/cilium:v1.14.9',
      labels: { 'k8s-app': 'cilium' },
      container: {
        volumeMounts: [{ name: 'files', mountPath: '/tmp/cilium/config-map' }],
        readinessProbe: { httpGet: { path: '/healthz', port: 9879 } },
      },
      pod: { hostNetwork: true, volumes: [{ name: 'files', configMap: { name: 'cilium-config' } }] },
      spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } } },
    });
    cluster.service('shop/checkout');
    const checkout = cluster.deployment('shop/checkout', { replicas: 3, image: 'ghcr.example/checkout:7.1.0' });
    cluster.at('5s', () =>
      settings.edit({ 'routing-mode': 'tunnel', 'tunnel-protocol': 'vxlan', 'auto-direct-node-routes': 'true' }),
    );
    cluster.at('20s', () => {
      cluster.image('quay.example/cilium:v1.14.9', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 4, code: 1 },
        log: [
          'level=info msg="Memory available for map entries (0.003% of 16384Mi): 51539607B" subsys=config',
          'level=info msg="Started gops server" address="127.0.0.1:9890" subsys=gops',
          'level=fatal msg="auto-direct-node-routes cannot be used with tunneling. Packets must be routed through the tunnel device." subsys=daemon',
        ],
      });
      agent.restart();
    });
    cluster.at('40s', () => {
      const sandbox = (id: string): string =>
        `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "${id}": plugin type="cilium-cni" failed (add): unable to connect to Cilium agent: failed to create cilium agent client after 30.000000 seconds timeout: Get "http://localhost/v1/config": dial unix /var/run/cilium/cilium.sock: connect: no such file or directory\nIs the agent running?`;
      cluster.image('ghcr.example/checkout:7.2.0', {
        heldUp: { reason: 'FailedCreatePodSandBox', message: sandbox('1a729003') },
      });
      checkout.setImage('ghcr.example/checkout:7.2.0');
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'ConfigMap/kube-system/cilium-config',
      mustNotBlame: ['Deployment/shop/checkout', 'Node//n1', 'Node//n2', 'Node//n3'],
    });
  },
);

const resolverLoop = scenario(
  'The resolver is sent to itself, and a thumbnail worker far away dies of its own',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const corefile = (upstream: string): string =>
      `.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . ${upstream}\n    cache 30\n    loop\n    reload\n}\n`;
    const settings = cluster.configMap('kube-system/coredns', { Corefile: corefile('10.0.0.2') });
    cluster.object(dns.service);
    cluster.deployment('kube-system/coredns', { ...dns.workload, ...filesOf('coredns', '/etc/coredns') });
    cluster.service('billing/invoices');
    cluster.deployment('billing/invoices', {
      replicas: 2,
      image: 'ghcr.example/invoices:3.0',
      values: { DB_HOST: 'db.billing.svc.cluster.local' },
    });
    cluster.deployment('media/thumbnailer', { image: 'ghcr.example/thumbnailer:0.7', memory: '128Mi', probe: false });
    cluster.at('5s', () => settings.edit({ Corefile: corefile('127.0.0.1') }));
    cluster.at('40s', () =>
      cluster.befall('registry.example/coredns:1.12', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 2, code: 1 },
        log: [
          '.:53',
          '[INFO] plugin/reload: Running configuration SHA512 = 8f2d9d1f6d1c3b8c0a3f',
          'CoreDNS-1.12.0',
          '[FATAL] plugin/loop: Loop (127.0.0.1:55953 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 4547991504243258144.3688648895315093531."',
        ],
      }),
    );
    cluster.at('50s', () => {
      cluster.befall('ghcr.example/invoices:3.0', {
        readyAfterSeconds: 'never',
        log: [
          'level=ERROR msg="database ping" error="dial tcp: lookup db.billing.svc.cluster.local on 10.96.0.10:53: read udp 10.244.1.7:41712->10.96.0.10:53: read: connection refused"',
        ],
      });
      cluster.befall('ghcr.example/thumbnailer:0.7', {
        exit: { afterSeconds: 3, code: 137, oom: true },
        log: ['thumbnailer 0.7', 'decoding upload 88412.tiff (24000x18000)'],
      });
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'ConfigMap/kube-system/coredns',
      mustNotBlame: ['Deployment/billing/invoices', 'Deployment/media/thumbnailer'],
    });
    cluster.expectIncident({ root: 'Deployment/media/thumbnailer', reason: 'OOMKilled' });
  },
);

const addressesRunOut = scenario('One machine has no address left for another Pod', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.daemonSet('kube-flannel/kube-flannel-ds', {
    image: 'ghcr.example/flannel:v0.25.1',
    probe: false,
    pod: { hostNetwork: true },
  });
  cluster.service('api/gateway');
  const gateway = cluster.deployment('api/gateway', { replicas: 3, image: 'ghcr.example/gateway:11.2' });
  const outOf = (pod: { spec: { nodeName?: string } }) =>
    pod.spec.nodeName === 'n2'
      ? {
          heldUp: {
            reason: 'FailedCreatePodSandBox',
            message:
              'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "09c746c57ac7": plugin type="flannel" failed (add): failed to delegate add: failed to allocate for range 0: no IP addresses available in range set: 10.244.1.1-10.244.1.254',
          } as const,
        }
      : {};
  cluster.at('10s', () => {
    cluster.image('ghcr.example/gateway:11.2', outOf);
    gateway.scale(9);
  });
  cluster.lasts('6m');
  cluster.expectIncident({
    root: 'Node//n2',
    reason: 'PodIPExhausted',
    mustNotBlame: ['DaemonSet/kube-flannel/kube-flannel-ds'],
  });
});

const denied = scenario(
  'A namespace gets a policy that denies all, soon after its database was upgraded',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('data/mariadb', port(3306));
    const database = cluster.statefulSet('data/mariadb', {
      image: 'ghcr.example/mariadb:11.2.2',
      container: listens(3306),
    });
    cluster.service('portal/portal');
    cluster.deployment('portal/portal', {
      replicas: 2,
      image: 'ghcr.example/portal:5.5',
      values: { DB_DSN: 'portal@tcp(mariadb.data.svc.cluster.local:3306)/portal' },
    });
    cluster.deployment('portal/mailer', {
      image: 'ghcr.example/mailer:1.9',
      probe: false,
      values: { DB_DSN: 'mailer@tcp(mariadb.data.svc.cluster.local:3306)/portal' },
    });
    cluster.at('5s', () => database.setImage('ghcr.example/mariadb:11.2.3'));
    cluster.at('60s', () => {
      cluster.object(networkPolicy('data/default-deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }));
    });
    cluster.at('75s', () => {
      cluster.befall('ghcr.example/portal:5.5', {
        readyAfterSeconds: 'never',
        log: [
          '[mysql] 2026/03/14 08:01:15 dial tcp 10.96.88.14:3306: i/o timeout',
          'health check: mariadb.data.svc.cluster.local:3306: dial tcp 10.96.88.14:3306: i/o timeout',
        ],
      });
      cluster.befall('ghcr.example/mailer:1.9', {
        exit: { afterSeconds: 12, code: 1 },
        log: [
          'mailer 1.9 connecting',
          'panic: open mariadb.data.svc.cluster.local:3306: dial tcp 10.96.88.14:3306: i/o timeout',
        ],
      });
    });
    cluster.at('2m30s', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'NetworkPolicy/data/default-deny',
      mustNotBlame: ['StatefulSet/data/mariadb', 'Deployment/portal/portal'],
    });
  },
);

const wrongTarget = scenario(
  'A chart moves the port behind a message bus, and all its clients find nobody',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const bus = cluster.service('bus/nats', port(4222));
    cluster.statefulSet('bus/nats', { replicas: 3, image: 'ghcr.example/nats:2.10.12', container: listens(4222) });
    cluster.service('fleet/tracker');
    cluster.deployment('fleet/tracker', {
      replicas: 2,
      image: 'ghcr.example/tracker:2.0',
      values: { NATS_URL: 'nats://nats.bus.svc:4222' },
    });
    cluster.deployment('fleet/dispatcher', {
      replicas: 2,
      image: 'ghcr.example/dispatcher:6.3',
      probe: false,
      values: { NATS_URL: 'nats://nats.bus.svc:4222' },
    });
    cluster.at('10s', () => bus.patch({ spec: port(4222, 4223) }));
    cluster.at('20s', () => {
      cluster.befall('ghcr.example/tracker:2.0', {
        readyAfterSeconds: 'never',
        log: ['nats: reconnecting to nats://nats.bus.svc:4222: dial tcp 10.96.12.40:4222: connect: connection refused'],
      });
      cluster.befall('ghcr.example/dispatcher:6.3', {
        exit: { afterSeconds: 3, code: 1 },
        log: [
          'connecting to nats://nats.bus.svc:4222',
          'fatal: nats: no servers available for connection (dial tcp 10.96.12.40:4222: connect: connection refused)',
        ],
      });
    });
    cluster.at('90s', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'Service/bus/nats',
      mustNotBlame: ['StatefulSet/bus/nats', 'Deployment/fleet/tracker'],
    });
  },
);

const snippet = scenario(
  'A snippet for all hosts breaks the proxy when it is restarted; a new host had just been added',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(ingressClass);
    const settings = cluster.configMap('ingress-nginx/ingress-nginx-controller', {
      'server-snippet': 'client_max_body_size 16m;',
    });
    cluster.service('ingress-nginx/ingress-nginx-controller');
    const controller = cluster.deployment('ingress-nginx/ingress-nginx-controller', {
      replicas: 2,
      image: 'registry.k8s.example/ingress-nginx/controller:v1.10.0',
      container: {
        args: [
          '/nginx-ingress-controller',
          '--configmap=$(POD_NAMESPACE)/ingress-nginx-controller',
          '--ingress-class=nginx',
        ],
      },
      envFrom: ['ingress-nginx-controller'],
      spec: { strategy: { rollingUpdate: { maxUnavailable: 1 } } },
    });
    cluster.service('shop/web');
    cluster.deployment('shop/web', { replicas: 2, image: 'ghcr.example/web:2.0' });
    cluster.object(ingress('shop/web'));
    cluster.service('blog/blog');
    cluster.deployment('blog/blog', { image: 'ghcr.example/blog:1.0' });
    cluster.at('5s', () => void cluster.object(ingress('blog/blog')));
    cluster.at('20s', () => settings.edit({ 'server-snippet': 'proxy_set_header X-Request-Start;' }));
    cluster.at('30s', () => {
      cluster.image('registry.k8s.example/ingress-nginx/controller:v1.10.0', {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 500',
        log: [
          'I0314 08:00:33.102211       7 controller.go:190] "Configuration changes detected, backend reload required"',
          'E0314 08:00:33.170902       7 controller.go:202] Unexpected failure reloading the backend:',
          '-------------------------------------------------------------------------------',
          'Error: exit status 1',
          '2026/03/14 08:00:33 [emerg] 27#27: invalid number of arguments in "proxy_set_header" directive in /tmp/nginx/nginx-cfg1734429482:441',
          'nginx: [emerg] invalid number of arguments in "proxy_set_header" directive in /tmp/nginx/nginx-cfg1734429482:441',
          'nginx: configuration file /tmp/nginx/nginx-cfg1734429482 test failed',
          '-------------------------------------------------------------------------------',
        ],
      });
      controller.restart();
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'ConfigMap/ingress-nginx/ingress-nginx-controller',
      mustNotBlame: ['Ingress/blog/blog', 'Ingress/shop/web'],
    });
  },
);

const controlTower = scenario(
  'The control plane of a mesh dies for lack of memory while a shop is rolled',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('istio-system/istiod', port(15012));
    cluster.deployment('istio-system/istiod', {
      image: 'docker.example/istio/pilot:1.21.0',
      memory: '512Mi',
      container: { readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
    });
    cluster.service('shop/reviews');
    const containers = (version: string) => ({
      containers: [
        {
          name: 'reviews',
          image: `ghcr.example/reviews:${version}`,
          readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
        },
        {
          name: 'istio-proxy',
          image: 'docker.example/istio/proxyv2:1.21.0',
          env: [{ name: 'PILOT_ADDRESS', value: 'istiod.istio-system.svc:15012' }],
          readinessProbe: { httpGet: { path: '/healthz/ready', port: 15021 } },
        },
      ],
    });
    const reviews = cluster.deployment('shop/reviews', {
      replicas: 3,
      image: 'ghcr.example/reviews:1.0',
      pod: containers('1.0'),
    });
    cluster.at('10s', () =>
      cluster.befall('docker.example/istio/pilot:1.21.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 9, code: 137, oom: true },
        log: [
          '2026-03-14T08:00:11.410021Z\tinfo\tads\tADS: new connection for node:reviews-7c9f.shop-1',
          '2026-03-14T08:00:12.001844Z\tinfo\tads\tPush debounce stable[41] 812 for config Service/shop/reviews: 100.2ms since last change',
        ],
      }),
    );
    cluster.at('35s', () => {
      cluster.image('docker.example/istio/proxyv2:1.21.0', {
        readyAfterSeconds: 'never',
        log: [
          '2026-03-14T08:00:39.330Z\twarning\tenvoy config external/envoy/source/extensions/config_subscription/grpc/grpc_stream.h:155\tDeltaAggregatedResources gRPC config stream to xds-grpc closed: 14, upstream connect error: connection refused',
          '2026-03-14T08:00:41.012Z\twarn\tca\tca request failed, starting attempt 3 in 400ms: dial tcp 10.96.71.9:15012: connect: connection refused (istiod.istio-system.svc:15012)',
          '2026-03-14T08:00:44.118Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
        ],
      });
      reviews.patch({
        spec: { template: { spec: { containers: [{ name: 'reviews', image: 'ghcr.example/reviews:1.1' }] } } },
      });
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'Deployment/istio-system/istiod',
      reason: 'OOMKilled',
      mustNotBlame: ['Deployment/shop/reviews'],
    });
  },
);

const blocked = scenario(
  'A machine cannot be emptied, since the only member of a store may not be disturbed',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes([{ name: 'n1', labels: { pool: 'stores' } }, 'n2', 'n3']);
    cluster.service('auth/openldap', port(389));
    cluster.statefulSet('auth/openldap', {
      image: 'ghcr.example/openldap:2.6',
      nodeSelector: { 'kubernetes.io/hostname': 'n1' },
      container: listens(389),
      broken: true,
    });
    cluster.object(budget('auth/openldap', { minAvailable: 1 }));
    cluster.at('1s', () => cluster.addNode({ name: 'n4', labels: { pool: 'stores' } }));
    cluster.at('10s', () => cluster.node('n1').drain());
    cluster.lasts('20m');
    // That it can never let a Pod go is known before anybody drains.
    cluster.expectSummaries(1);
    cluster.expectIncident({
      root: 'PodDisruptionBudget/auth/openldap',
      reason: 'PDBBlocksDrain',
      beginsAfterSeconds: 10,
      firstMessageWithinSeconds: 2400,
    });
  },
);

/** Volumes, networks, names and routes. */
export const stories = {
  'volume-stays-attached-to-a-dead-machine': deadMachineHoldsVolume,
  'storage-driver-gone-from-one-machine': driverGoneFromOneMachine,
  'class-refused-by-its-driver-and-a-class-misspelt': classAndTypo,
  'file-server-rejects-its-exports': exportsMisspelt,
  'volume-manager-skips-a-version': storageManagerSkipsAVersion,
  'disk-read-only-under-two-products': readOnlyMachine,
  'network-agent-rejects-its-new-settings': agentConfig,
  'resolver-sent-to-itself-and-a-worker-out-of-memory': resolverLoop,
  'machine-out-of-pod-addresses': addressesRunOut,
  'deny-all-policy-after-a-database-upgrade': denied,
  'bus-port-moved-by-a-chart': wrongTarget,
  'proxy-snippet-breaks-all-hosts': snippet,
  'mesh-control-plane-out-of-memory-during-a-rollout': controlTower,
  'lone-directory-server-blocks-a-drain': blocked,
};

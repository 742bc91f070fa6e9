import { scenario } from '../../kit/scenario.ts';
import { claim, storageClass, volume } from '../../kit/things.ts';
import { app, claims, cron, edited, floor, plain, service } from './parts/shop-floor.ts';

export const stories = {
  'selector-for-fast-disks-finds-no-machine': scenario(
    'A release asks for a label that no machine carries, a while after one machine was cordoned for a check',
    (c) => {
      floor(c, '5m');
      c.nodes(['n1', 'n2', 'n3'].map((name) => ({ name, labels: { disktype: 'ssd' } })));
      const parts = { replicas: 3, port: 8080, env: { INDEX_URL: 'http://index.search.svc:9200' } };
      const image = 'registry.example/search/suggest:3.4.1';
      const suggest = c.object(app('Deployment', 'search/suggest', image, parts));
      c.object(service('search/suggest', 8080));
      c.at('5s', () => c.node('n3').cordon());
      c.at('40s', () =>
        suggest.patch(
          edited(
            app('Deployment', 'search/suggest', 'registry.example/search/suggest:3.5.0', {
              ...parts,
              pod: { nodeSelector: { disktype: 'nvme' } },
            }),
          ),
        ),
      );
      c.expectIncident({ root: 'Deployment/search/suggest', reason: 'Unschedulable', mustNotBlame: ['Node//n3'] });
    },
  ),

  'ledger-wants-forty-processors-and-a-storefront-an-unpushed-tag': scenario(
    'One team writes 40 where it meant 400m, another rolls out a tag that was never pushed',
    (c) => {
      floor(c, '5m');
      const parts = { replicas: 2, port: 9000, resources: { requests: { cpu: '300m', memory: '256Mi' } } };
      const ledger = c.object(app('Deployment', 'ledger/ledger-api', 'registry.example/ledger/api:22', parts));
      c.object(service('ledger/ledger-api', 9000));
      const front = c.object(
        app('Deployment', 'web/storefront', 'registry.example/web/storefront:8.0', { port: 3000 }),
      );
      c.object(service('web/storefront', 3000));
      c.image('registry.example/web/storefront:8.1-rc', { pullError: 'NotFound' });
      c.at('10s', () =>
        ledger.patch(
          edited(
            app('Deployment', 'ledger/ledger-api', 'registry.example/ledger/api:22', {
              ...parts,
              resources: { requests: { cpu: '40', memory: '256Mi' } },
            }),
          ),
        ),
      );
      c.at('50s', () =>
        front.patch(
          edited(app('Deployment', 'web/storefront', 'registry.example/web/storefront:8.1-rc', { port: 3000 })),
        ),
      );
      c.expectIncident({ root: 'Deployment/ledger/ledger-api', reason: 'Unschedulable' });
      c.expectIncident({ root: 'Deployment/web/storefront', reason: 'ImageNotFound' });
    },
  ),

  'pod-count-of-a-team-is-cut-before-its-evening-peak': scenario(
    'A quota is lowered below what the team needs at its peak; settings of the same service were edited in between',
    (c) => {
      floor(c, '6m');
      const quota = c.quota('tickets/team', { pods: '14' });
      const settings = c.configMap('tickets/seatmap', { 'seatmap.yaml': 'cache: 300\nsections: 18\n' });
      const parts = { replicas: 3, port: 8080, mounts: { 'ConfigMap/seatmap': '/etc/seatmap' } };
      const map = c.object(app('Deployment', 'tickets/seatmap', 'registry.example/tickets/seatmap:5.2', parts));
      c.object(service('tickets/seatmap', 8080));
      c.object(app('Deployment', 'tickets/checkout', 'registry.example/tickets/checkout:5.2', { port: 8080 }));
      c.at('5s', () => quota.edit({ pods: '6' }));
      c.at('30s', () => settings.edit({ 'seatmap.yaml': 'cache: 600\nsections: 18\n' }));
      c.at('60s', () => map.patch({ spec: { replicas: 9 } }));
      c.expectIncident({
        root: 'ResourceQuota/tickets/team',
        reason: 'QuotaExceeded',
        mustNotBlame: ['ConfigMap/tickets/seatmap'],
      });
    },
  ),

  'cards-are-no-longer-offered-since-their-plug-in-was-updated': scenario(
    'The plug-in that offers accelerators dies of a flag it does not know; a service beside it is released without trouble',
    (c) => {
      floor(c, '6m');
      const image = 'registry.example/nvidia/k8s-device-plugin:v0.17.0';
      const plugin = c.object(
        app('DaemonSet', 'gpu-system/nvidia-device-plugin', image, { env: { PASS_DEVICE_SPECS: 'true' } }),
      );
      const embedder = c.object(
        app('Deployment', 'ml/embedder', 'registry.example/ml/embedder:1.8', { replicas: 1, port: 8000 }),
      );
      c.at('10s', () => {
        c.image(image, {
          exit: { afterSeconds: 1, code: 1 },
          log: [
            'Incorrect Usage: flag provided but not defined: -device-discovery-strategi',
            'NAME:',
            '   NVIDIA Device Plugin - NVIDIA device plugin for Kubernetes',
            'E1128 09:14:02.114821       1 main.go:173] error starting plugins: flag provided but not defined: -device-discovery-strategi',
          ],
        });
        plugin.patch(
          edited(
            app('DaemonSet', 'gpu-system/nvidia-device-plugin', image, {
              env: { PASS_DEVICE_SPECS: 'true' },
              container: { args: ['--device-discovery-strategi=nvml'] },
            }),
          ),
        );
      });
      c.at('60s', () =>
        embedder.patch(
          edited(app('Deployment', 'ml/embedder', 'registry.example/ml/embedder:1.9', { replicas: 1, port: 8000 })),
        ),
      );
      c.expectIncident({ root: 'DaemonSet/gpu-system/nvidia-device-plugin', mustNotBlame: ['Deployment/ml/embedder'] });
    },
  ),

  'class-of-disks-is-removed-before-a-broker-grows': scenario(
    'A class of volumes is deleted as unused; a minute later a broker gets another member',
    (c) => {
      floor(c, '6m');
      const fast = c.object(storageClass('fast-ssd'));
      for (const i of [0, 1])
        c.object(
          volume(`pvc-broker-${i}`, 'fast-ssd', { claimRef: { namespace: 'bus', name: `data-pulsar-bookie-${i}` } }),
        );
      const parts = {
        replicas: 2,
        port: 3181,
        mounts: { 'own/data': '/pulsar/data' },
        more: claims('data', 'fast-ssd', '1Gi'),
      };
      const bookie = c.object(
        app('StatefulSet', 'bus/pulsar-bookie', 'registry.example/apachepulsar/pulsar:3.3.2', parts),
      );
      c.object(service('bus/pulsar-bookie', 3181));
      c.at('5s', () => fast.delete());
      c.at('60s', () => bookie.patch({ spec: { replicas: 3 } }));
      c.expectIncident({ root: 'StorageClass//fast-ssd', accepts: ['StatefulSet/bus/pulsar-bookie'] });
    },
  ),

  'disk-driver-loses-the-role-of-its-account': scenario(
    'The account of a disk driver is applied without its annotation; new volumes are refused by the cloud',
    (c) => {
      floor(c, '6m');
      c.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com' }));
      const arn = 'arn:aws:iam::210987654321:role/ebs-csi';
      const account = c.object(
        plain('v1', 'ServiceAccount', 'kube-system/ebs-csi-controller-sa', {
          metadata: {
            name: 'ebs-csi-controller-sa',
            namespace: 'kube-system',
            annotations: { 'eks.amazonaws.com/role-arn': arn },
          },
        }),
      );
      const image = 'public.ecr.example/ebs-csi-driver/aws-ebs-csi-driver:v1.37.0';
      const driver = c.object(
        app('Deployment', 'kube-system/ebs-csi-controller', image, { account: 'ebs-csi-controller-sa' }),
      );
      c.at('5s', () => account.patch({ metadata: { annotations: { 'eks.amazonaws.com/role-arn': null } } }));
      c.at('15s', () => {
        c.image(image, {
          log: [
            'I1128 10:02:11.402113       1 driver.go:69] "Driver Information" Driver="ebs.csi.aws.com" Version="v1.37.0"',
            'E1128 10:03:20.771203       1 driver.go:107] "GRPC error" err="rpc error: code = Internal desc = Could not create volume \\"pvc-5c1b2f6e\\": could not create volume in EC2: operation error EC2: CreateVolume, https response error StatusCode: 403, RequestID: 1f0c, api error UnauthorizedOperation: You are not authorized to perform this operation. User: arn:aws:sts::210987654321:assumed-role/node-group-general/i-0abc is not authorized to perform: ec2:CreateVolume"',
          ],
        });
        driver.patch({
          spec: {
            template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-28T10:02:00Z' } } },
          },
        });
      });
      c.at('45s', () => {
        c.object(claim('wiki/attachments', 'gp3'));
        c.object(
          app('Deployment', 'wiki/bookstack', 'registry.example/bookstack:24.10', {
            replicas: 1,
            port: 80,
            mounts: { 'PersistentVolumeClaim/attachments': '/config' },
          }),
        );
      });
      for (const at of ['50s', '70s', '110s', '190s'])
        c.at(at, () =>
          c.event({
            about: 'PersistentVolumeClaim/wiki/attachments',
            reason: 'ProvisioningFailed',
            message:
              'failed to provision volume with StorageClass "gp3": rpc error: code = Internal desc = Could not create volume "pvc-5c1b2f6e": could not create volume in EC2: operation error EC2: CreateVolume, https response error StatusCode: 403, RequestID: 1f0c, api error UnauthorizedOperation: You are not authorized to perform this operation. User: arn:aws:sts::210987654321:assumed-role/node-group-general/i-0abc is not authorized to perform: ec2:CreateVolume',
            by: 'ebs.csi.aws.com_ebs-csi-controller-7c9d_0d41',
          }),
        );
      c.expectIncident({
        root: 'ServiceAccount/kube-system/ebs-csi-controller-sa',
        accepts: ['Deployment/kube-system/ebs-csi-controller'],
        mustNotBlame: ['Deployment/wiki/bookstack'],
      });
    },
  ),

  'binary-logs-fill-the-disk-of-the-orders': scenario(
    'The volume of a database is full of its binary logs; its clients are turned away, one of them freshly released',
    (c) => {
      floor(c, '7m');
      c.object(storageClass('standard'));
      c.object(volume('pvc-orders-0', 'standard', { claimRef: { namespace: 'orders', name: 'data-mysql-0' } }));
      const image = 'registry.example/mysql:8.0.39';
      c.object(
        app('StatefulSet', 'orders/mysql', image, {
          replicas: 1,
          port: 3306,
          mounts: { 'own/data': '/var/lib/mysql' },
          more: claims('data', 'standard', '1Gi'),
        }),
      );
      c.object(service('orders/mysql', 3306));
      const parts = { replicas: 2, port: 8080, env: { DB_HOST: 'mysql.orders.svc.cluster.local', DB_PORT: '3306' } };
      const api = c.object(app('Deployment', 'orders/orders-api', 'registry.example/orders/api:4.7', parts));
      c.object(service('orders/orders-api', 8080));
      c.at('10s', () =>
        api.patch(edited(app('Deployment', 'orders/orders-api', 'registry.example/orders/api:4.8', parts))),
      );
      c.at('70s', () => {
        c.befall(image, {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            "2026-11-28T10:11:02.118442Z 0 [System] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections. Version: '8.0.39'  socket: '/var/run/mysqld/mysqld.sock'  port: 3306",
            "2026-11-28T10:12:40.902216Z 0 [ERROR] [MY-010907] [Server] Error writing file './binlog.000213' (errno: 28 - No space left on device)",
            '2026-11-28T10:12:44.117805Z 0 [ERROR] [MY-012144] [InnoDB] posix_fallocate(): Failed to preallocate data for file ./orders/line_item.ibd, desired size 4194304 bytes. Operating system error number 28.',
            '2026-11-28T10:12:44.201113Z 0 [ERROR] [MY-010119] [Server] Aborting',
          ],
        });
        c.befall('registry.example/orders/api:4.8', {
          exit: { afterSeconds: 12, code: 1 },
          log: [
            'Starting orders-api 4.8',
            'com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure',
            'The last packet sent successfully to the server was 0 milliseconds ago. The driver has not received any packets from the server.',
            'Caused by: java.net.ConnectException: Connection refused: mysql.orders.svc.cluster.local/10.96.12.8:3306',
          ],
        });
      });
      c.expectIncident({
        root: 'PersistentVolumeClaim/orders/data-mysql-0',
        accepts: ['StatefulSet/orders/mysql'],
        mustNotBlame: ['Deployment/orders/orders-api'],
      });
    },
  ),

  'claim-of-the-uploads-is-deleted-and-a-resizer-is-cut-short-of-memory': scenario(
    'Somebody deletes a claim that a service needs at its next start; elsewhere a limit is set too low',
    (c) => {
      floor(c, '6m');
      c.object(storageClass('standard'));
      c.object(volume('pvc-uploads', 'standard', { claimRef: { namespace: 'forum', name: 'uploads' } }));
      const uploads = c.object(claim('forum/uploads', 'standard'));
      const parts = { replicas: 1, port: 3000, mounts: { 'PersistentVolumeClaim/uploads': '/shared/uploads' } };
      const forum = c.object(
        app('Deployment', 'forum/discourse', 'registry.example/discourse:3.3.2', {
          ...parts,
          more: { strategy: { type: 'Recreate' } },
        }),
      );
      c.object(service('forum/discourse', 3000));
      const image = 'registry.example/media/resizer:2.2';
      const sizes = (memory: string) => ({
        replicas: 2,
        port: 8088,
        resources: { requests: { cpu: '200m', memory: '96Mi' }, limits: { memory } },
      });
      const resizer = c.object(app('Deployment', 'media/resizer', image, sizes('1Gi')));
      c.at('10s', () => forum.patch({ spec: { replicas: 0 } }));
      c.at('20s', () => uploads.delete());
      c.at('40s', () => forum.patch({ spec: { replicas: 1 } }));
      c.at('60s', () => {
        c.image(image, {
          exit: { afterSeconds: 7, code: 137, oom: true },
          log: [
            'imgproxy[info] Starting server at :8088',
            'imgproxy[info] Started /resize:fit:2400/plain/photo-4411.tif',
          ],
        });
        resizer.patch(edited(app('Deployment', 'media/resizer', image, sizes('96Mi'))));
      });
      c.expectIncident({ root: 'PersistentVolumeClaim/forum/uploads', accepts: ['Deployment/forum/discourse'] });
      c.expectIncident({ root: 'Deployment/media/resizer', reason: 'OOMKilled' });
    },
  ),

  'previews-outgrow-the-scratch-space-they-were-given': scenario(
    'A new release writes previews to its scratch space and is evicted for it, again and again',
    (c) => {
      floor(c, '7m');
      const parts = {
        replicas: 2,
        port: 8080,
        mounts: { 'emptyDir/tmp': '/tmp' },
        resources: {
          requests: { cpu: '200m', memory: '256Mi', 'ephemeral-storage': '512Mi' },
          limits: { memory: '512Mi', 'ephemeral-storage': '1Gi' },
        },
      };
      const preview = c.object(app('Deployment', 'docs/preview', 'registry.example/docs/preview:1.14', parts));
      c.object(service('docs/preview', 8080));
      c.image('registry.example/docs/preview:1.15', {
        log: ['INFO  soffice worker pool started, size=4', 'INFO  rendering 214 pages to /tmp/preview-8c1f'],
        evicted: {
          afterSeconds: 35,
          message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
        },
      } as never);
      c.at('15s', () =>
        preview.patch(edited(app('Deployment', 'docs/preview', 'registry.example/docs/preview:1.15', parts))),
      );
      c.expectIncident({ root: 'Deployment/docs/preview' });
    },
  ),

  'images-fill-the-disk-of-one-machine': scenario(
    'A machine runs out of room for images and sends Pods away, shortly after a settings edit of one of them',
    (c) => {
      floor(c, '6m');
      const settings = c.configMap('crm/crm-web', { 'app.ini': '[web]\nworkers = 4\n' });
      const image = 'registry.example/crm/web:12.3';
      c.object(
        app('Deployment', 'crm/crm-web', image, {
          replicas: 3,
          port: 8000,
          mounts: { 'ConfigMap/crm-web': '/etc/crm' },
        }),
      );
      c.object(service('crm/crm-web', 8000));
      c.object(app('Deployment', 'crm/crm-worker', 'registry.example/crm/worker:12.3', { replicas: 3 }));
      c.at('10s', () => settings.edit({ 'app.ini': '[web]\nworkers = 6\n' }));
      c.at('40s', () =>
        c
          .node('n2')
          .warn(
            'FreeDiskSpaceFailed',
            'Failed to garbage collect required amount of images. Attempted to free 6431244288 bytes, but only found 0 bytes eligible to free.',
          ),
      );
      c.at('50s', () => c.node('n2').warn('EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage'));
      c.at('55s', () => c.node('n2').press('DiskPressure'));
      for (const at of ['60s', '75s'])
        c.at(at, () =>
          c
            .node('n2')
            .evict(
              'The node was low on resource: ephemeral-storage. Threshold quantity: 10726268211, available: 9318452Ki. ',
            ),
        );
      c.expectIncident({
        root: 'Node//n2',
        reason: 'DiskPressure',
        mustNotBlame: ['ConfigMap/crm/crm-web', 'Deployment/crm/crm-web'],
      });
    },
  ),

  'machine-falls-silent-while-a-tag-is-mistyped': scenario(
    'A machine loses its power; half a minute before, another team has rolled out a tag with a typing error',
    (c) => {
      floor(c, '9m');
      const api = c.object(
        app('Deployment', 'geo/geocoder', 'registry.example/geo/geocoder:6.1.0', { replicas: 2, port: 8080 }),
      );
      c.object(service('geo/geocoder', 8080));
      c.object(app('Deployment', 'mail/relay', 'registry.example/mail/postfix:3.9', { replicas: 3, port: 25 }));
      c.object(
        app('DaemonSet', 'monitoring/node-exporter', 'registry.example/prom/node-exporter:v1.8.2', { port: 9100 }),
      );
      c.image('registry.example/geo/geocoder:6.l.1', { pullError: 'NotFound' });
      c.at('10s', () =>
        api.patch(
          edited(app('Deployment', 'geo/geocoder', 'registry.example/geo/geocoder:6.l.1', { replicas: 2, port: 8080 })),
        ),
      );
      c.at('40s', () => c.node('n3').losePower());
      c.expectIncident({ root: 'Deployment/geo/geocoder', reason: 'ImageNotFound' });
      c.expectIncident({
        root: 'Node//n3',
        mustNotBlame: ['Deployment/mail/relay', 'DaemonSet/monitoring/node-exporter'],
      });
    },
  ),

  'clock-of-one-machine-lags-and-nothing-on-it-trusts-a-certificate': scenario(
    'The time service of one machine is down; what runs there takes fresh certificates for not yet valid',
    (c) => {
      floor(c, '7m');
      const image = 'registry.example/edge/agent:2.30';
      c.object(app('DaemonSet', 'edge/agent', image, { env: { HUB: 'https://hub.edge.svc:8443' } }));
      c.object(app('Deployment', 'edge/hub', 'registry.example/edge/hub:2.30', { port: 8443 }));
      c.object(service('edge/hub', 8443));
      const tls = c.secret('edge/hub-tls', { 'tls.crt': 'Zmlyc3Q=', 'tls.key': 'Zmlyc3Q=' });
      c.at('10s', () => c.node('n3').condition('NTPProblem', 'True', 'NTPIsDown', 'NTP service is not running'));
      c.at('30s', () => tls.edit({ 'tls.crt': 'c2Vjb25k', 'tls.key': 'c2Vjb25k' }));
      c.at('40s', () =>
        c.befall(image, (pod) =>
          pod.spec.nodeName === 'n3'
            ? {
                exit: { afterSeconds: 3, code: 1 },
                log: [
                  'level=info msg="edge-agent 2.30 connecting" hub=https://hub.edge.svc:8443 node=n3',
                  'level=fatal msg="registration failed" error="Post \\"https://hub.edge.svc:8443/v1/register\\": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-27T21:40:12Z is before 2026-11-28T10:00:00Z"',
                ],
              }
            : { log: ['level=info msg="registered with hub"'] },
        ),
      );
      c.expectIncident({ root: 'Node//n3', mustNotBlame: ['Secret/edge/hub-tls', 'Deployment/edge/hub'] });
    },
  ),

  'data-folder-may-not-be-written-by-its-new-user': scenario(
    'A security context takes the right to its data folder from a database; its password was rotated in good order before',
    (c) => {
      floor(c, '6m');
      c.object(storageClass('standard'));
      c.object(volume('pvc-mongo-0', 'standard', { claimRef: { namespace: 'cms', name: 'data-mongodb-0' } }));
      const password = c.secret('cms/mongodb', { 'root-password': 'b25l' });
      const image = 'registry.example/bitnami/mongodb:7.0.14';
      const parts = {
        replicas: 1,
        port: 27017,
        mounts: { 'own/data': '/bitnami/mongodb' },
        secretEnv: { MONGODB_ROOT_PASSWORD: 'mongodb.root-password' },
      };
      const db = c.object(
        app('StatefulSet', 'cms/mongodb', image, { ...parts, more: claims('data', 'standard', '1Gi') }),
      );
      c.object(service('cms/mongodb', 27017));
      c.at('5s', () => password.edit({ 'root-password': 'dHdv' }));
      c.at('50s', () => {
        c.image(image, {
          exit: { afterSeconds: 2, code: 1 },
          log: [
            'mongodb 10:20:41.02 INFO  ==> ',
            'mongodb 10:20:41.02 INFO  ==> Welcome to the Bitnami mongodb container',
            'mongodb 10:20:41.05 INFO  ==> ** Starting MongoDB setup **',
            'mongodb 10:20:41.08 INFO  ==> Validating settings in MONGODB_* env vars...',
            "mkdir: cannot create directory '/bitnami/mongodb/data': Permission denied",
          ],
        });
        const { spec } = app('StatefulSet', 'cms/mongodb', image, {
          ...parts,
          pod: { securityContext: { runAsUser: 2000, runAsGroup: 2000 } },
        });
        db.patch({ spec: { template: spec.template } });
      });
      c.expectIncident({ root: 'StatefulSet/cms/mongodb', mustNotBlame: ['Secret/cms/mongodb'] });
    },
  ),

  'sandboxes-fail-on-a-machine-without-its-runtime': scenario(
    'A new machine knows no runtime of the name that an inference service wants; the old machines do',
    (c) => {
      floor(c, '6m');
      c.object(plain('node.k8s.io/v1', 'RuntimeClass', '/nvidia', { handler: 'nvidia' }));
      const image = 'registry.example/ml/triton:24.09';
      const parts = { replicas: 2, port: 8000, pod: { runtimeClassName: 'nvidia' } };
      const triton = c.object(app('Deployment', 'ml/triton', image, parts));
      c.object(service('ml/triton', 8000));
      c.image(image, ((pod: { spec: { nodeName?: string } }) =>
        pod.spec.nodeName === 'n4'
          ? {
              heldUp: {
                reason: 'FailedCreatePodSandBox',
                message:
                  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "nvidia" is configured',
              },
            }
          : {}) as never);
      c.at('15s', () => c.addNode({ name: 'n4' }));
      c.at('30s', () => triton.patch({ spec: { replicas: 6 } }));
      c.expectIncident({ root: 'Node//n4', accepts: ['Deployment/ml/triton'] });
    },
  ),

  'export-runs-have-a-node-name-of-a-machine-that-left': scenario(
    'A new CronJob is bound by name to a machine that left long ago, and a queue consumer misses a library',
    (c) => {
      floor(c, '6m');
      c.nodes([{ name: 'n1' }, { name: 'n2' }, { name: 'n3' }]);
      const run = c.planned(
        cron('finance/export', '* * * * *', 'registry.example/finance/export:3', {
          pod: { nodeSelector: { 'kubernetes.io/hostname': 'n7' } },
        }),
      );
      const consumer = c.object(
        app('Deployment', 'events/consumer', 'registry.example/events/consumer:41', {
          env: { AMQP_URL: 'amqp://rabbitmq.events.svc:5672' },
        }),
      );
      c.image('registry.example/events/consumer:42', {
        exit: { afterSeconds: 1, code: 1 },
        log: [
          'Traceback (most recent call last):',
          '  File "/app/consume.py", line 3, in <module>',
          '    import orjson',
          "ModuleNotFoundError: No module named 'orjson'",
        ],
      });
      c.at('20s', () =>
        consumer.patch(
          edited(
            app('Deployment', 'events/consumer', 'registry.example/events/consumer:42', {
              env: { AMQP_URL: 'amqp://rabbitmq.events.svc:5672' },
            }),
          ),
        ),
      );
      c.at('5s', () => run.create());
      c.at('5m30s', () => run.patch({ spec: { suspend: true } }));
      c.expectIncident({ root: 'CronJob/finance/export' });
      c.expectIncident({ root: 'Deployment/events/consumer' });
    },
  ),
};

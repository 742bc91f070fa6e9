/** An operator of trains and buses: its tickets, its timetables, its displays and the positions of its vehicles. */

import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ingress, ingressClass, storageClass, volume, webhook } from '../../kit/things.ts';
import { onPort, readsFiles, serves } from './parts/houses.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  'setting-of-the-ticket-machines-names-a-service-nobody-has': scenario(
    'An address in the shared settings is mistyped; the service that was meant is released well before, and a neighbour is scaled',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const fares = cluster.deployment('sales/fares', { replicas: 2, image: 'registry.transit.example/fares:31' });
      cluster.service('sales/fares');
      const receipts = cluster.deployment('sales/receipts', {
        replicas: 1,
        image: 'registry.transit.example/receipts:4',
      });
      const settings = cluster.configMap('sales/machines', { FARES_HOST: 'fares.sales.svc', CURRENCY: 'EUR' });
      const machines = cluster.deployment('sales/ticket-machines', {
        ...{ replicas: 3, image: 'registry.transit.example/ticket-machines:70', envFrom: ['machines'] },
      });
      cluster.service('sales/ticket-machines');
      cluster.at('5s', () => fares.setImage('registry.transit.example/fares:32'));
      cluster.at('30s', () => settings.edit({ FARES_HOST: 'fare.sales.svc', CURRENCY: 'EUR' }));
      cluster.at('35s', () => receipts.scale(2));
      cluster.at('50s', () => {
        cluster.image('registry.transit.example/ticket-machines:70', {
          exit: { afterSeconds: 5, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            'INFO  ticket_machines.app starting, zone=all',
            'ERROR ticket_machines.fares could not load the tariff',
            'httpx.ConnectError: [Errno -2] Name or service not known',
            'ERROR ticket_machines.app no tariff from http://fare.sales.svc/v3/tariff, leaving',
          ],
        });
        machines.restart();
      });
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'ConfigMap/sales/machines',
        mustNotBlame: ['Deployment/sales/fares', 'Service/sales/fares', 'Deployment/sales/receipts'],
      });
    },
  ),

  'key-of-the-displays-is-renamed-in-its-secret': scenario(
    'A key of a Secret gets another name, and the displays that are restarted look for the old one',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const encoded = Buffer.from('d1splay').toString('base64');
      const secret = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'info', name: 'displays' }, type: 'Opaque' },
        data: { token: encoded },
      });
      const displays = cluster.deployment('info/displays', {
        ...{ replicas: 3, image: 'registry.transit.example/displays:8', env: { API_TOKEN: 'secret/displays/token' } },
      });
      cluster.service('info/displays');
      cluster.at('20s', () => secret.patch({ data: { token: null, 'api-token': encoded } }));
      cluster.at('40s', () => displays.restart());
      cluster.lasts('180s');
      cluster.expectIncident({ root: 'Secret/info/displays', mustNotBlame: ['Deployment/info/displays'] });
    },
  ),

  'network-agent-of-one-machine-is-no-longer-known': scenario(
    'The network agent of one machine is refused by the API, and no Pod gets a network there any more',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.daemonSet('kube-system/calico-node', {
        image: 'registry.example/calico-node:3.29',
        pod: { hostNetwork: true },
      });
      const planner = cluster.deployment('info/planner', { replicas: 3, image: 'registry.transit.example/planner:15' });
      cluster.service('info/planner');
      cluster.at('20s', () => {
        cluster.befall('registry.example/calico-node:3.29', (pod) =>
          pod.spec.nodeName === 'n3'
            ? {
                readyAfterSeconds: 'never',
                readinessSays: 'calico/node is not ready: felix is not ready: readiness probe reporting 503',
                log: [
                  '2026-11-29 10:10:21.330 [ERROR][78] felix/watchercache.go 135: Failed to perform list of current data during resync ListRoot="/calico/resources/v3/projectcalico.org/networkpolicies" error=connection is unauthorized: Unauthorized',
                  '2026-11-29 10:10:22.331 [ERROR][71] confd/client.go 1127: Failed to get nodes error=connection is unauthorized: Unauthorized',
                  '2026-11-29 10:10:23.018 [WARNING][78] felix/health.go 211: Reporter is not ready. name="async_calc_graph"',
                ],
              }
            : {},
        );
        cluster.image('registry.transit.example/planner:16', (pod) =>
          pod.spec.nodeName === 'n3'
            ? {
                heldUp: {
                  reason: 'FailedCreatePodSandBox',
                  message:
                    'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "6d0a3c4de4f4ff8b19e0f0a8a7f27d7d2a2e3c6c3d4a7f6f": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized',
                },
              }
            : {},
        );
      });
      cluster.at('75s', () => planner.setImage('registry.transit.example/planner:16'));
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-node',
        accepts: ['Node//n3'],
        mustNotBlame: ['Deployment/info/planner'],
      });
    },
  ),

  'machine-with-a-hung-kernel-and-a-timetable-that-is-no-archive': scenario(
    'The kernel of one machine hangs and its Pods answer nothing; elsewhere the nightly timetable is not the archive it should be',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'n1', labels: { rack: 'a' } },
        { name: 'n2', labels: { rack: 'b' } },
        { name: 'n3', labels: { rack: 'b' } },
      ]);
      const names = ['geofence', 'delays'];
      for (const name of names) {
        cluster.deployment(`vehicles/${name}`, {
          ...{ replicas: 2, image: `registry.transit.example/${name}:3`, nodeSelector: { rack: 'a' } },
        });
        cluster.service(`vehicles/${name}`);
      }
      cluster.image('registry.transit.example/gtfs-import:12', {
        exit: { afterSeconds: 3, code: 0 },
        log: ['imported 41233 trips'],
      });
      const job = cluster.cronJob('planner/gtfs-import', {
        schedule: '* * * * *',
        image: 'registry.transit.example/gtfs-import:12',
      });
      cluster.at('20s', () =>
        cluster
          .node('n1')
          .condition(
            'KernelDeadlock',
            'True',
            'TaskHung',
            'task kworker/u8:3:24198 blocked for more than 122 seconds.',
          ),
      );
      cluster.at('22s', () => {
        cluster.node('n1').warn('TaskHung', 'INFO: task kworker/u8:3:24198 blocked for more than 122 seconds.');
        for (const name of names)
          cluster.befall(`registry.transit.example/${name}:3`, {
            readyAfterSeconds: 'never',
            readinessSays:
              'Get "http://10.244.1.9:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          });
      });
      cluster.at('70s', () =>
        cluster.image('registry.transit.example/gtfs-import:12', {
          exit: { afterSeconds: 2, code: 1 },
          log: [
            'INFO fetching https://opendata.transit.example/gtfs/current.zip',
            'Traceback (most recent call last):',
            '  File "/app/gtfs_import/__main__.py", line 41, in <module>',
            '    with zipfile.ZipFile(path) as feed:',
            '  File "/usr/lib/python3.12/zipfile/__init__.py", line 1349, in __init__',
            '    self._RealGetContents()',
            'zipfile.BadZipFile: File is not a zip file',
          ],
        }),
      );
      cluster.at('320s', () => job.patch({ spec: { suspend: true } }));
      cluster.lasts('350s');
      cluster.expectIncident({
        root: 'Node//n1',
        beginsAfterSeconds: 20,
        mustNotBlame: ['CronJob/planner/gtfs-import', 'Deployment/vehicles/geofence', 'Deployment/vehicles/delays'],
      });
      cluster.expectIncident({ root: 'CronJob/planner/gtfs-import', mustNotBlame: ['Node//n1'] });
    },
  ),

  'certificate-of-the-ticket-door-is-pruned': scenario(
    'The Secret with the certificate of a door is pruned while its Ingress still asks for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      const certificate = cluster.object({
        ...{
          apiVersion: 'v1',
          kind: 'Secret',
          type: 'kubernetes.io/tls',
          metadata: { namespace: 'sales', name: 'tickets-tls' },
        },
        data: { 'tls.crt': Buffer.from('cert').toString('base64'), 'tls.key': Buffer.from('key').toString('base64') },
      });
      cluster.deployment('ingress-nginx/ingress-nginx-controller', {
        replicas: 2,
        image: 'registry.example/ingress-nginx-controller:1.12',
      });
      cluster.deployment('sales/tickets', { replicas: 2, image: 'registry.transit.example/tickets:5' });
      cluster.service('sales/tickets');
      const { spec, ...door } = ingress('sales/tickets');
      cluster
        .object({
          ...door,
          spec: { ...(spec as object), tls: [{ hosts: ['tickets.example'], secretName: 'tickets-tls' }] },
        })
        .status({ loadBalancer: { ingress: [{ ip: '203.0.113.10' }] } });
      cluster.at('20s', () => certificate.delete());
      cluster.lasts('120s');
      cluster.expectIncident({
        root: 'Secret/sales/tickets-tls',
        accepts: ['Ingress/sales/tickets'],
        beginsAfterSeconds: 20,
        mustNotBlame: ['Deployment/sales/tickets', 'Deployment/ingress-nginx/ingress-nginx-controller'],
      });
    },
  ),

  'fourth-broker-gets-no-disk-from-the-cloud': scenario(
    'A fourth broker is asked for, and the cloud has no disks left in its quota',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('premium-rwo', { provisioner: 'pd.csi.storage.gke.io' }));
      for (const n of [0, 1, 2])
        cluster.object(
          volume(`pv-kafka-${n}`, 'premium-rwo', {
            csi: {
              driver: 'pd.csi.storage.gke.io',
              volumeHandle: `projects/transit/zones/europe-west3-a/disks/kafka-${n}`,
            },
            claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'stream', name: `data-kafka-${n}` },
          }),
        );
      const kafka = cluster.statefulSet('stream/kafka', {
        ...{ replicas: 3, image: 'registry.example/kafka:3.9', container: serves(9092) },
        spec: {
          podManagementPolicy: 'Parallel',
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: {
                ...{ storageClassName: 'premium-rwo', accessModes: ['ReadWriteOnce'] },
                resources: { requests: { storage: '1Gi' } },
              },
            },
          ],
        },
      });
      cluster.service('stream/kafka', onPort(9092, 'kafka'));
      cluster.at('20s', () => kafka.scale(4));
      const refused =
        'failed to provision volume with StorageClass "premium-rwo": rpc error: code = ResourceExhausted desc = CreateVolume failed to create single zonal disk "pvc-0f6c": failed to insert zonal disk: unknown Insert disk operation error: googleapi: Error 403: Quota \'SSD_TOTAL_GB\' exceeded.  Limit: 500.0 in region europe-west3., quotaExceeded';
      for (const [when, count] of [
        ['24s', 1],
        ['40s', 4],
        ['75s', 6],
      ] as const)
        cluster.at(when, () =>
          cluster.event({
            ...{
              about: 'PersistentVolumeClaim/stream/data-kafka-3',
              reason: 'ProvisioningFailed',
              message: refused,
              count,
            },
            by: 'pd.csi.storage.gke.io_gke-csi-controller',
          }),
        );
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/stream/data-kafka-3',
        accepts: ['StorageClass//premium-rwo'],
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  'judge-of-policies-is-selected-by-nobody-since-a-chart': scenario(
    'A chart changes the selector of the Service in front of those who judge what is created: nobody is behind it any more',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('gatekeeper-system/gatekeeper-controller-manager', {
        ...{
          replicas: 3,
          image: 'registry.example/gatekeeper:3.18',
          labels: { 'control-plane': 'controller-manager' },
        },
      });
      const service = cluster.service('gatekeeper-system/gatekeeper-webhook-service', {
        ...{ selector: { 'control-plane': 'controller-manager' } },
        ...onPort(443, 'https-webhook-server'),
      });
      cluster.object(
        webhook(
          'gatekeeper-validating-webhook-configuration',
          { namespace: 'gatekeeper-system', name: 'gatekeeper-webhook-service' },
          { namespace: 'sales' },
        ),
      );
      cluster.deployment('sales/tickets', { replicas: 2, image: 'registry.transit.example/tickets:5' });
      cluster.service('sales/tickets');
      cluster.at('20s', () =>
        service.patch({
          spec: { selector: { 'control-plane': 'controller-manager', 'gatekeeper.sh/operation': 'webhook' } },
        }),
      );
      cluster.lasts('120s');
      cluster.expectIncident({
        root: 'Service/gatekeeper-system/gatekeeper-webhook-service',
        beginsAfterSeconds: 20,
        mustNotBlame: ['Deployment/gatekeeper-system/gatekeeper-controller-manager', 'Deployment/sales/tickets'],
      });
    },
  ),

  'positions-die-of-their-own-release-beside-a-slow-queue': scenario(
    'A release of the positions of vehicles dies of its own mistake; the queue it reads is restarted member by member and slow',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/kafka:3.9', { readyAfterSeconds: 14 });
      const kafka = cluster.statefulSet('stream/kafka', {
        replicas: 3,
        image: 'registry.example/kafka:3.9',
        container: serves(9092),
      });
      cluster.service('stream/kafka', onPort(9092, 'kafka'));
      const positions = cluster.deployment('vehicles/positions', {
        ...{ replicas: 2, image: 'registry.transit.example/positions:22' },
        values: { KAFKA_BOOTSTRAP: 'kafka.stream.svc:9092' },
      });
      cluster.service('vehicles/positions');
      cluster.image('registry.transit.example/positions:23', {
        exit: { afterSeconds: 9, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          '2026-11-29 10:41:02,377 WARN  [org.apache.kafka.clients.NetworkClient] [Consumer clientId=positions-1, groupId=positions] Connection to node 1 (kafka-1.kafka.stream.svc/10.244.2.12:9092) could not be established. Node may not be available.',
          "2026-11-29 10:41:04,120 INFO  [org.apache.kafka.clients.consumer.internals.ConsumerCoordinator] [Consumer clientId=positions-1, groupId=positions] Successfully joined group with generation Generation{generationId=812, memberId='positions-1-6f', protocol='range'}",
          '2026-11-29 10:41:08,902 ERROR [example.transit.positions.Decoder] record vehicle-positions-4@99120 not handled',
          'java.lang.NullPointerException: Cannot invoke "example.transit.positions.Trip.line()" because the return value of "example.transit.positions.Vehicle.trip()" is null',
          '\tat example.transit.positions.Decoder.decode(Decoder.java:88)',
          '\tat example.transit.positions.Main.loop(Main.java:141)',
          'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "example.transit.positions.Trip.line()" because the return value of "example.transit.positions.Vehicle.trip()" is null',
        ],
      });
      cluster.at('10s', () => kafka.restart());
      cluster.at('35s', () => positions.setImage('registry.transit.example/positions:23'));
      cluster.lasts('230s');
      cluster.expectIncident({
        root: 'Deployment/vehicles/positions',
        mustNotBlame: ['StatefulSet/stream/kafka', 'Service/stream/kafka'],
      });
    },
  ),

  'plugin-of-the-backups-has-no-such-tag-and-a-tariff-does-not-parse': scenario(
    'The backups are upgraded with a plug-in whose tag is not there; of its own, a comma is missing in a tariff',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const velero = cluster.deployment('velero/velero', {
        ...{ image: 'registry.example/velero:1.14', init: 'registry.example/velero-plugin-for-aws:1.10.0' },
      });
      cluster.image('registry.example/velero-plugin-for-aws:1.15.9', { pullError: 'NotFound' });
      const tariff = cluster.configMap('sales/tariff', { 'tariff.json': '{"single": 320, "day": 880}' });
      const quotes = cluster.deployment('sales/quotes', {
        ...{ replicas: 2, image: 'registry.transit.example/quotes:9' },
        ...readsFiles('tariff', '/etc/tariff'),
      });
      cluster.service('sales/quotes');
      cluster.at('15s', () =>
        velero.patch({
          spec: {
            template: {
              spec: {
                initContainers: [{ name: 'init', image: 'registry.example/velero-plugin-for-aws:1.15.9' }],
                containers: [{ name: 'velero', image: 'registry.example/velero:1.15' }],
              },
            },
          },
        }),
      );
      cluster.at('45s', () => tariff.edit({ 'tariff.json': '{"single": 340 "day": 920}' }));
      cluster.at('60s', () => {
        cluster.image('registry.transit.example/quotes:9', {
          exit: { afterSeconds: 2, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            'undefined:1',
            '{"single": 340 "day": 920}',
            '               ^',
            '',
            "SyntaxError: Expected ',' or '}' after property value in JSON at position 15 (line 1 column 16)",
            '    at JSON.parse (<anonymous>)',
            '    at loadTariff (file:///app/tariff.js:12:15)',
            '    at file:///app/server.js:9:16',
            'could not read /etc/tariff/tariff.json',
          ],
        });
        quotes.restart();
      });
      cluster.lasts('230s');
      cluster.expectIncident({
        root: 'Deployment/velero/velero',
        reason: 'ImageNotFound',
        mustNotBlame: ['ConfigMap/sales/tariff', 'Registry//registry.example'],
      });
      cluster.expectIncident({ root: 'ConfigMap/sales/tariff', mustNotBlame: ['Deployment/velero/velero'] });
    },
  ),
};

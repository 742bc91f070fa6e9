import type { Ref } from '../../../../src/model/ref.ts';
import { at, field, image, tcp } from '../../kit/field.ts';
import type { Behaviour, ImageScript } from '../../kit/hands.ts';
import type { ClusterBuilder, Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What Pods on one machine do; elsewhere they are healthy. */
const on =
  (machine: string, does: ImageScript): Behaviour =>
  (pod) =>
    pod.spec.nodeName === machine ? does : {};

/** Workloads with a replica on every machine. */
function everywhere(cluster: ClusterBuilder, places: readonly string[], more: object = {}): readonly Ref[] {
  for (const place of places) {
    cluster.deployment(place, { replicas: 3, image: image(`${place.split('/')[1]}:1`), ...more });
    cluster.service(place);
  }
  return places.map((place) => at(place));
}

/** Machines that are ill so that only what runs on them shows it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.nvidia.com/deploy/xid-errors/: 79, the GPU has fallen off the bus.
  'graphics-card-falls-off-the-bus': field(
    'The graphics card of one machine is lost: what computes there crashes, on the other machines it does not',
    (cluster, { storefront }) => {
      cluster.nodes(['gpu1', 'gpu2', 'gpu3']);
      const names = everywhere(cluster, ['ml/ocr', 'ml/speech', 'ml/ranking']);
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('14s', () => {
        cluster.befall(
          image('ocr:1'),
          on(
            'gpu2',
            ends([
              'Traceback (most recent call last):',
              '  File "/app/serve.py", line 18, in <module>',
              'RuntimeError: CUDA error: unspecified launch failure',
              'CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.',
            ]),
          ),
        );
        cluster.befall(image('speech:1'), on('gpu2', ends(['RuntimeError: No CUDA GPUs are available'])));
        cluster.befall(
          image('ranking:1'),
          on(
            'gpu2',
            ends([
              'Failed to initialize NVML: GPU is lost',
              'E1122 09:00:17.004 server.cc:244] failed to create CUDA context: CUDA_ERROR_NO_DEVICE',
            ]),
          ),
        );
      });
      cluster.expectIncident({ root: 'Node//gpu2', mustNotBlame: [...names, 'Deployment/web/storefront'] });
    },
  ),
  // https://docs.tigera.io/calico/latest/networking/configuring/mtu: packets larger than the way are lost without a word.
  'large-packets-of-one-machine-are-lost': field(
    'The network of one machine loses large packets: what runs there waits in vain for answers, elsewhere all is well',
    (cluster, { wiki }) => {
      cluster.statefulSet('bank/postgres', {
        image: 'docker.io/library/postgres:17',
        nodeSelector: { 'kubernetes.io/hostname': 'n1' },
      });
      cluster.service('bank/postgres', tcp(5432, 'postgres'));
      const names = everywhere(cluster, ['bank/accounts', 'bank/statements', 'bank/limits'], {
        values: { DB_HOST: 'postgres.bank.svc' },
      });
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('14s', () => {
        cluster.befall(
          image('accounts:1'),
          on(
            'n3',
            ends(
              ['level=fatal msg="load accounts" err="read tcp 10.244.3.7:41822->10.96.4.5:5432: i/o timeout"'],
              1,
              6,
            ),
          ),
        );
        cluster.befall(
          image('statements:1'),
          on(
            'n3',
            unready([
              'org.postgresql.util.PSQLException: An I/O error occurred while sending to the backend.',
              'Caused by: java.net.SocketTimeoutException: Read timed out',
              'while connected to postgres.bank.svc:5432',
            ]),
          ),
        );
        cluster.befall(
          image('limits:1'),
          on(
            'n3',
            ends(
              [
                'psycopg.OperationalError: consuming input failed: could not receive data from server: Connection timed out (postgres.bank.svc:5432)',
              ],
              1,
              8,
            ),
          ),
        );
      });
      cluster.expectIncident({
        root: 'Node//n3',
        mustNotBlame: [...names, 'StatefulSet/bank/postgres', 'Service/bank/postgres', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://github.com/istio/istio/issues/28897: the machine was patched and loads a module no more.
  'kernel-module-missing-on-one-machine': field(
    'A machine was patched and lacks a kernel module: the init containers of the mesh fail there and nowhere else',
    (cluster) => {
      const init = image('istio-init:1.27');
      const names = ['shop/orders', 'shop/stock'].map((place) => {
        const handle = cluster.deployment(place, { replicas: 3, image: image(`${place.split('/')[1]}:1`), init });
        cluster.at('12s', () => handle.restart());
        return at(place);
      });
      cluster.at('11s', () =>
        cluster.image(init, (pod) =>
          pod.spec.nodeName === 'n2'
            ? {
                exit: { afterSeconds: 1, code: 255 },
                log: [
                  "2026-11-22T09:00:13.103748Z\terror\tCommand error output: xtables parameter problem: iptables-restore: unable to initialize table 'nat'",
                  'Error occurred at line: 1',
                  '2026-11-22T09:00:13.103761Z\terror\tFailed to execute: iptables-restore --noflush, exit status 2',
                ],
              }
            : {},
        ),
      );
      cluster.expectIncident({ root: 'Node//n2', mustNotBlame: names });
    },
  ),
  // https://learn.microsoft.com/en-us/troubleshoot/azure/azure-kubernetes/connectivity/windows-hns
  'windows-machine-makes-no-sandboxes': field(
    'The network service of a Windows machine hangs: no new Pod gets its network there',
    (cluster) => {
      cluster.nodes([
        'n1',
        'n2',
        { name: 'win1', labels: { 'kubernetes.io/os': 'windows' } },
        { name: 'win2', labels: { 'kubernetes.io/os': 'windows' } },
      ]);
      const nodeSelector = { 'kubernetes.io/os': 'windows' };
      const all = ['legacy/print', 'legacy/tax'].map((place) =>
        cluster.deployment(place, { replicas: 4, image: image(`${place.split('/')[1]}:1`), nodeSelector }),
      );
      const held: Behaviour = on('win2', {
        heldUp: {
          reason: 'FailedCreatePodSandBox',
          message:
            'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0b7c": plugin type="azure-vnet" failed (add): failed to create endpoint: hcnCreateEndpoint failed in Win32: The object already exists. (0x1392) {"Success":false,"Error":"The object already exists. ","ErrorCode":2147947410}',
        },
      });
      cluster.at('10s', () => {
        for (const name of ['print', 'tax']) cluster.image(image(`${name}:1`), held);
        for (const workload of all) workload.restart();
      });
      cluster.expectIncident({
        root: 'Node//win2',
        firstMessageWithinSeconds: 240,
        mustNotBlame: ['Deployment/legacy/print', 'Deployment/legacy/tax', 'Node//win1'],
      });
    },
    '4m',
  ),
  // https://kubernetes.io/docs/tasks/debug/debug-cluster/monitor-node-health/: what the kernel says reaches the Node as an Event.
  'connection-table-of-a-machine-is-full': field(
    'The table of connections of one machine is full: what runs there is cut off now and then until nothing gets through',
    (cluster) => {
      const names = everywhere(cluster, ['ads/bids', 'ads/clicks', 'ads/budgets']);
      cluster.at('12s', () =>
        cluster.node('n1').warn('ConntrackFull', 'kernel: nf_conntrack: nf_conntrack: table full, dropping packet'),
      );
      cluster.at('16s', () => {
        for (const name of ['bids', 'clicks', 'budgets'])
          cluster.befall(
            image(`${name}:1`),
            on(
              'n1',
              unready(
                [`level=error component=${name} err="dial tcp 10.96.7.1:80: i/o timeout"`],
                'Get "http://10.244.1.5:8080/ready": dial tcp 10.244.1.5:8080: i/o timeout',
              ),
            ),
          );
      });
      cluster.expectIncident({ root: 'Node//n1', mustNotBlame: names });
    },
  ),
  // https://kubernetes.io/docs/concepts/architecture/nodes/: a machine is made anew without the label by which work finds it.
  'label-of-the-machine-is-gone': field(
    'The only machine with fast disks was joined anew without its label; two databases of two teams find no machine',
    (cluster) => {
      cluster.nodes(['n1', 'n2', { name: 'fast1', labels: { disks: 'nvme' } }]);
      const machine = cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'fast1' } });
      const all = ['geo/tiles', 'stats/cubes'].map((place) =>
        cluster.deployment(place, {
          replicas: 1,
          image: image(`${place.split('/')[1]}:1`),
          nodeSelector: { disks: 'nvme' },
          spec: { strategy: { type: 'Recreate' } },
        }),
      );
      cluster.at('8s', () => machine.patch({ metadata: { labels: { disks: null } } }));
      cluster.at('20s', () => {
        for (const workload of all) workload.restart();
      });
      cluster.expectIncident({
        root: 'Node//fast1',
        firstMessageWithinSeconds: 240,
        mustNotBlame: ['Deployment/geo/tiles', 'Deployment/stats/cubes'],
      });
    },
  ),
  // https://github.com/containerd/containerd/issues: a snapshot on one machine is broken.
  'image-layers-of-one-machine-are-broken': field(
    'The file system of one machine was cut off in a write: programs that start there lack files of their images',
    (cluster, { storefront }) => {
      const names = everywhere(cluster, ['mail/inbox', 'mail/filter', 'mail/relay']);
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('14s', () => {
        cluster.befall(
          image('inbox:1'),
          on(
            'n2',
            ends([
              'node:internal/modules/cjs/loader:1228',
              "Error: Cannot find module '/app/node_modules/express/index.js'",
            ]),
          ),
        );
        cluster.befall(
          image('filter:1'),
          on('n2', ends(['python3: error while loading shared libraries: libpython3.12.so.1.0: file too short'], 127)),
        );
        cluster.befall(
          image('relay:1'),
          on('n2', ends(['/usr/sbin/postfix: line 1: syntax error: unexpected "(" (Input/output error)'], 2)),
        );
      });
      cluster.expectIncident({ root: 'Node//n2', mustNotBlame: [...names, 'Deployment/web/storefront'] });
    },
  ),
  // https://github.com/projectcalico/calico/issues/10538
  'network-agents-lose-their-hub': field(
    'The hub between the agents of the network and the API crashes; the agents are not ready, new Pods get no network',
    (cluster) => {
      const typha = image('calico-typha:3.30');
      cluster.deployment('calico-system/calico-typha', { replicas: 2, image: typha });
      cluster.service('calico-system/calico-typha', tcp(5473, 'calico-typha'));
      cluster.daemonSet('calico-system/calico-node', {
        image: image('calico-node:3.30'),
        labels: { 'k8s-app': 'calico-node' },
      });
      cluster.at('8s', () =>
        cluster.befall(
          typha,
          ends(
            [
              '2026-11-22 09:00:09.510 [FATAL][7] typha/daemon.go 221: Failed to create TLS config error=tls: private key does not match public key',
            ],
            1,
            1,
          ),
        ),
      );
      cluster.at('15s', () =>
        cluster.befall(
          image('calico-node:3.30'),
          unready(
            [
              '2026-11-22 09:00:17.973 [FATAL][90] felix/daemon.go 532: Failed to connect to Typha error=connection to typhas ([{10.0.0.11:5473 n1 <nil>} {10.0.0.12:5473 n2 <nil>}]) failed',
              'dial tcp: connect to calico-typha.calico-system.svc:5473: connect: connection refused',
            ],
            'calico/node is not ready: felix is not ready: readiness probe reporting 503',
          ),
        ),
      );
      cluster.image(image('fares:1'), {
        heldUp: {
          reason: 'FailedCreatePodSandBox',
          message:
            'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "5d11": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/',
        },
      });
      cluster.at('25s', () =>
        cluster.deployment('travel/fares', { replicas: 2, image: image('fares:1'), broken: true }),
      );
      cluster.expectIncident({
        root: 'Deployment/calico-system/calico-typha',
        mustNotBlame: [
          'DaemonSet/calico-system/calico-node',
          'Deployment/travel/fares',
          'Node//n1',
          'Node//n2',
          'Node//n3',
        ],
      });
    },
  ),
};

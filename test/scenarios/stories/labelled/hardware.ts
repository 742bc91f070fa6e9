import type { Ref } from '../../../../src/model/ref.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** Workloads with a replica on every machine. */
function everywhere(
  cluster: ClusterBuilder,
  namespace: string,
  names: readonly string[],
  replicas = 3,
): readonly Ref[] {
  for (const name of names) {
    cluster.deployment(`${namespace}/${name}`, { replicas, image: image(`${name}:1`) });
    cluster.service(`${namespace}/${name}`);
  }
  return names.map((name): Ref => `Deployment/${namespace}/${name}`);
}

/** Machines that are lost, sick or wrongly marked, and what runs on them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms
  'spot-pool-taken-back': scenario(
    'The cloud takes back all machines of the spot pool at once; the other pool is too small for what ran there',
    (cluster) => {
      const machine = (name: string, pool: string, letter: string) => ({
        name,
        labels: { 'cloud.google.com/gke-nodepool': pool, 'topology.kubernetes.io/zone': `europe-west1-${letter}` },
      });
      cluster.nodes([
        ...['b', 'c', 'd'].map((letter) => machine(`spot-${letter}`, 'spot', letter)),
        ...['b', 'c', 'd'].map((letter) => machine(`base-${letter}`, 'base', letter)),
      ]);
      const names = everywhere(cluster, 'shop', ['catalogue', 'search'], 6);
      cluster.daemonSet('monitoring/node-exporter', { image: 'quay.example/node-exporter:1.9', probe: false });
      cluster.at('8s', () => {
        for (const letter of ['b', 'c', 'd']) cluster.node(`spot-${letter}`).losePower();
      });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'NodePool//spot',
        mustNotBlame: [...names, 'Zone//europe-west1-b', 'DaemonSet/monitoring/node-exporter'],
      });
    },
  ),
  // https://github.com/kubernetes/node-problem-detector
  'kernel-hangs-on-one-machine': scenario(
    'The kernel of one machine hangs tasks; what runs there is no longer ready, elsewhere all is well',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const names = everywhere(cluster, 'lab', ['samples', 'results', 'devices']);
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('15s', () =>
        cluster
          .node('n3')
          .condition('KernelDeadlock', 'True', 'DockerHung', 'task docker:20744 blocked for more than 120 seconds.'),
      );
      cluster.at('20s', () => {
        for (const name of ['samples', 'results', 'devices'])
          cluster.befall(image(`${name}:1`), (pod) =>
            pod.spec.nodeName === 'n3'
              ? unreadyHere(
                  'Get "http://10.244.3.5:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
                )
              : {},
          );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Node//n3', mustNotBlame: [...names, 'Deployment/web/storefront'] });
    },
  ),
  // https://kubernetes.io/docs/concepts/policy/pid-limiting/
  'machine-without-process-numbers': scenario(
    'A machine has no process numbers left: programs on it cannot fork and end',
    (cluster) => {
      surroundings(cluster);
      const names = everywhere(cluster, 'print', ['layout', 'preview']);
      cluster.at('12s', () => cluster.node('n2').press('PIDPressure'));
      cluster.at('17s', () => {
        cluster.befall(image('layout:1'), (pod) =>
          pod.spec.nodeName === 'n2'
            ? {
                exit: { afterSeconds: 3, code: 254 },
                readyAfterSeconds: 'never',
                log: [
                  'sh: fork: retry: Resource temporarily unavailable',
                  'sh: fork: Resource temporarily unavailable',
                ],
              }
            : {},
        );
        cluster.befall(image('preview:1'), (pod) =>
          pod.spec.nodeName === 'n2'
            ? {
                exit: { afterSeconds: 3, code: 2 },
                readyAfterSeconds: 'never',
                log: ['runtime/cgo: pthread_create failed: Resource temporarily unavailable', 'SIGABRT: abort'],
              }
            : {},
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Node//n2', mustNotBlame: names });
    },
  ),
  // https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/
  'device-plugin-crashes': scenario(
    'A release of the device plugin crashes, the machines have no GPUs any more, and new Pods that need one wait',
    (cluster) => {
      surroundings(cluster);
      cluster.nodes([
        'n1',
        { name: 'gpu1', labels: { accelerator: 'l4' } },
        { name: 'gpu2', labels: { accelerator: 'l4' } },
      ]);
      const plugin = cluster.daemonSet('gpu/nvidia-device-plugin', {
        image: image('k8s-device-plugin:0.16'),
        nodeSelector: { accelerator: 'l4' },
        probe: false,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      const machines = ['gpu1', 'gpu2'].map((name) =>
        cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name } }),
      );
      const gpus = (count: string): object => ({
        capacity: { 'nvidia.com/gpu': '4' },
        allocatable: { 'nvidia.com/gpu': count },
      });
      for (const machine of machines) machine.status(gpus('4'));
      const container = { resources: { limits: { 'nvidia.com/gpu': '1' } } };
      const all = ['ocr', 'speech'].map((name) =>
        cluster.deployment(`inference/${name}`, { replicas: 2, image: image(`${name}:1`), container }),
      );
      cluster.image(
        image('k8s-device-plugin:0.17'),
        ends(
          [
            'E1102 09:22:10.113 main.go:132] error starting plugins: error creating plugin manager: unable to create plugin manager: nvml init failed: ERROR_LIBRARY_NOT_FOUND',
          ],
          1,
          1,
        ),
      );
      cluster.at('10s', () => plugin.setImage(image('k8s-device-plugin:0.17')));
      cluster.at('20s', () => {
        for (const machine of machines) machine.status(gpus('0'));
      });
      cluster.at('30s', () => {
        for (const workload of all) workload.scale(4);
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'DaemonSet/gpu/nvidia-device-plugin',
        mustNotBlame: ['Deployment/inference/ocr', 'Deployment/inference/speech'],
      });
    },
  ),
  // https://learn.microsoft.com/en-us/troubleshoot/azure/virtual-machines/linux/troubleshoot-time-sync
  'clock-of-one-machine-is-wrong': scenario(
    'The clock of one machine is years behind: no certificate is valid on it',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      const names = everywhere(cluster, 'bank', ['transfers', 'cards']);
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('16s', () => {
        cluster.befall(image('transfers:1'), (pod) =>
          pod.spec.nodeName === 'n1'
            ? {
                exit: { afterSeconds: 3, code: 1 },
                readyAfterSeconds: 'never',
                log: [
                  'level=fatal err="tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2019-01-01T00:04:11Z is before 2026-08-01T00:00:00Z"',
                ],
              }
            : {},
        );
        cluster.befall(image('cards:1'), (pod) =>
          pod.spec.nodeName === 'n1'
            ? {
                exit: { afterSeconds: 3, code: 1 },
                readyAfterSeconds: 'never',
                log: [
                  'javax.net.ssl.SSLHandshakeException: PKIX path validation failed: java.security.cert.CertPathValidatorException: validity check failed',
                  'Caused by: java.security.cert.CertificateNotYetValidException: NotBefore: Sat Aug 01 00:00:00 UTC 2026',
                ],
              }
            : {},
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Node//n1', mustNotBlame: [...names, 'Deployment/office/wiki'] });
    },
  ),
  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/#is-the-kube-proxy-working
  'service-addresses-dead-on-one-machine': scenario(
    'The proxy of Services crashes on one machine only; what runs there reaches no Service',
    (cluster) => {
      surroundings(cluster);
      cluster.daemonSet('kube-system/kube-proxy', {
        image: image('kube-proxy:1.36'),
        labels: { 'k8s-app': 'kube-proxy' },
        probe: false,
      });
      cluster.statefulSet('stay/postgres', {
        image: image('postgres:16'),
        nodeSelector: { 'kubernetes.io/hostname': 'n1' },
      });
      cluster.service('stay/postgres', {
        ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }],
      });
      const names = everywhere(cluster, 'stay', ['rooms', 'guests']);
      cluster.at('12s', () =>
        cluster.befall(image('kube-proxy:1.36'), (pod) =>
          pod.spec.nodeName === 'n3'
            ? {
                exit: { afterSeconds: 2, code: 1 },
                log: [
                  'E1102 10:11:09.201 server.go:1041] "Failed to execute iptables-restore" err="exit status 4: iptables-restore v1.8.9 (nf_tables): line 11: CHAIN_UPDATE failed (Device or resource busy): chain KUBE-SERVICES"',
                  'F1102 10:11:09.202 server.go:542] "Error running ProxyServer"',
                ],
              }
            : {},
        ),
      );
      cluster.at('22s', () => {
        for (const name of ['rooms', 'guests'])
          cluster.befall(image(`${name}:1`), (pod) =>
            pod.spec.nodeName === 'n3'
              ? {
                  exit: { afterSeconds: 6, code: 1 },
                  readyAfterSeconds: 'never',
                  log: [
                    'level=fatal msg="open database" err="dial tcp: connect to postgres.stay.svc:5432: i/o timeout"',
                  ],
                }
              : {},
          );
      });
      cluster.lasts('2m40s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/kube-proxy',
        accepts: ['Node//n3'],
        mustNotBlame: [...names, 'StatefulSet/stay/postgres', 'Service/stay/postgres'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
  'mark-left-from-maintenance': scenario(
    'The machine with the fast disks is marked for maintenance; what may run only there is driven away and waits',
    (cluster) => {
      surroundings(cluster);
      cluster.nodes(['n1', 'n2', { name: 'fast1', labels: { disks: 'nvme' } }]);
      const machine = cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'fast1' } });
      const names = ['timeseries', 'tiles'];
      for (const name of names) {
        cluster.deployment(`maps/${name}`, { replicas: 2, image: image(`${name}:1`), nodeSelector: { disks: 'nvme' } });
        cluster.service(`maps/${name}`);
      }
      cluster.at('15s', () =>
        machine.patch({ spec: { taints: [{ key: 'maintenance', value: 'firmware', effect: 'NoExecute' }] } }),
      );
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Node//fast1',
        mustNotBlame: names.map((name): Ref => `Deployment/maps/${name}`),
      });
    },
  ),
  // https://repost.aws/knowledge-center/eks-ecr-troubleshooting
  'one-machine-may-not-pull': scenario(
    'One machine has lost its right to pull; new Pods of two releases start on all others',
    (cluster) => {
      surroundings(cluster);
      const names = ['claims', 'quotes'];
      const all = names.map((name) => cluster.deployment(`insure/${name}`, { replicas: 6, image: image(`${name}:1`) }));
      const denied = (name: string): string =>
        `failed to pull and unpack image "registry.acme.example/${name}:2": failed to resolve reference "registry.acme.example/${name}:2": unexpected status from HEAD request to https://registry.acme.example/v2/${name}/manifests/2: 403 Forbidden`;
      for (const name of names)
        cluster.image(image(`${name}:2`), (pod) => (pod.spec.nodeName === 'n2' ? { pullError: denied(name) } : {}));
      cluster.at('10s', () => {
        for (const [index, name] of names.entries()) all[index]?.setImage(image(`${name}:2`));
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Node//n2',
        mustNotBlame: ['Registry//registry.acme.example', 'Deployment/insure/claims', 'Deployment/insure/quotes'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/architecture/garbage-collection/#containers-images
  'image-disk-of-one-machine-is-full': scenario(
    'The disk for images is full on one machine: releases cannot be unpacked there',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const names = ['ledger', 'audit', 'export'];
      const all = names.map((name) => cluster.deployment(`books/${name}`, { replicas: 3, image: image(`${name}:1`) }));
      const full = (name: string): string =>
        `failed to pull and unpack image "registry.acme.example/${name}:2": failed to extract layer sha256:3c2f8e0b7c1d: mount callback failed on /var/lib/containerd/tmpmounts/containerd-mount2839: write /var/lib/containerd/tmpmounts/containerd-mount2839/opt/app.jar: no space left on device: unknown`;
      for (const name of names)
        cluster.image(image(`${name}:2`), (pod) => (pod.spec.nodeName === 'n1' ? { pullError: full(name) } : {}));
      cluster.at('5s', () => storefront.scale(3));
      cluster.at('12s', () => {
        for (const [index, name] of names.entries()) all[index]?.setImage(image(`${name}:2`));
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Node//n1',
        mustNotBlame: ['Registry//registry.acme.example', ...names.map((name): Ref => `Deployment/books/${name}`)],
      });
    },
  ),
};

/** Runs on, but nobody gets an answer. */
function unreadyHere(says: string) {
  return { readyAfterSeconds: 'never', readinessSays: says } as const;
}

import { definition } from '../../../e2e/produced/definition.ts';
import { dependants } from '../../kit/dependants.ts';
import { field, image, tcp } from '../../kit/field.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

const condition = (type: string, status: 'True' | 'False' | 'Unknown', reason: string, message: string): object => ({
  ...{ type, status, reason, message, observedGeneration: 1, lastTransitionTime: '2026-11-22T09:00:00Z' },
});

/** What operators, drivers and agents leave undone when they fail themselves. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#argocd-repo-server
  'repository-server-runs-out-of-memory': field(
    'The server that renders manifests runs out of memory: no application can be compared any more',
    (cluster) => {
      cluster.pro();
      cluster.object(definition('argoproj.io', 'Application'));
      const server = image('argocd-repo-server:3.1');
      cluster.deployment('argocd/argocd-repo-server', { replicas: 2, image: server, memory: '256Mi' });
      cluster.service('argocd/argocd-repo-server', tcp(8081, 'server'));
      const all = ['shop', 'search', 'office'].map((name) => {
        const application = cluster.object({
          apiVersion: 'argoproj.io/v1',
          kind: 'Application',
          metadata: { name, namespace: 'argocd' },
          spec: { project: 'default' },
        });
        application.status({ sync: { status: 'Synced' }, health: { status: 'Healthy' } });
        return application;
      });
      cluster.at('6s', () =>
        cluster.befall(server, {
          exit: { afterSeconds: 5, code: 137, oom: true },
          readyAfterSeconds: 'never',
          log: [
            'time="2026-11-22T09:00:08Z" level=info msg="helm template . --name-template shop --include-crds" dir=/tmp/_argocd-repo/1f execID=7a2c1',
          ],
        }),
      );
      cluster.at('20s', () => {
        for (const application of all)
          application.status({
            sync: { status: 'Unknown' },
            health: { status: 'Healthy' },
            conditions: [
              {
                type: 'ComparisonError',
                message:
                  'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 10.96.9.1:8081: connect: connection refused"',
                lastTransitionTime: '2026-11-22T09:00:20Z',
              },
            ],
          });
      });
      cluster.expectIncident({
        root: 'Deployment/argocd/argocd-repo-server',
        mustNotBlame: [
          'Application.argoproj.io/argocd/shop',
          'Application.argoproj.io/argocd/search',
          'Application.argoproj.io/argocd/office',
        ],
      });
    },
  ),
  // https://fluxcd.io/flux/components/source/gitrepositories/
  'token-of-the-repository-expired': field(
    'The token for a Git repository is over: what is built from it stays as it was',
    (cluster) => {
      cluster.pro();
      cluster.object(definition('source.toolkit.fluxcd.io', 'GitRepository'));
      cluster.object(definition('kustomize.toolkit.fluxcd.io', 'Kustomization'));
      cluster.secret('flux-system/git', { username: 'git', password: 'x' });
      const repository = cluster.object({
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'GitRepository',
        metadata: { name: 'fleet', namespace: 'flux-system' },
        spec: { url: 'https://git.acme.example/fleet', secretRef: { name: 'git' } },
      });
      repository.status({
        conditions: [condition('Ready', 'True', 'Succeeded', "stored artifact for revision 'main@sha1:4f1c'")],
      });
      const all = ['apps', 'infra'].map((name) => {
        const one = cluster.object({
          apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
          kind: 'Kustomization',
          metadata: { name, namespace: 'flux-system' },
          spec: { sourceRef: { kind: 'GitRepository', name: 'fleet' } },
        });
        one.status({
          conditions: [condition('Ready', 'True', 'ReconciliationSucceeded', 'Applied revision: main@sha1:4f1c')],
        });
        return one;
      });
      cluster.at('8s', () =>
        repository.status({
          conditions: [
            condition(
              'Ready',
              'False',
              'GitOperationFailed',
              "failed to checkout and determine revision: unable to clone 'https://git.acme.example/fleet': authentication required: Invalid credentials",
            ),
          ],
        }),
      );
      cluster.at('12s', () => {
        for (const one of all)
          one.status({
            conditions: [condition('Ready', 'False', 'ArtifactFailed', 'Source is not ready, artifact not found')],
          });
      });
      cluster.expectIncident({
        root: 'GitRepository.source.toolkit.fluxcd.io/flux-system/fleet',
        accepts: ['Secret/flux-system/git'],
        beginsAfterSeconds: 8,
        firstMessageWithinSeconds: 900,
        mustNotBlame: [
          'Kustomization.kustomize.toolkit.fluxcd.io/flux-system/apps',
          'Kustomization.kustomize.toolkit.fluxcd.io/flux-system/infra',
        ],
      });
    },
  ),
  // https://keda.sh/docs/latest/troubleshooting/
  'scaler-asks-a-dead-metrics-store': field(
    'The metrics store crashes; two autoscalers that scale by its figures have none',
    (cluster) => {
      const prometheus = 'quay.example/prometheus/prometheus:v3.6.0';
      cluster.statefulSet('monitoring/prometheus', { image: prometheus, memory: '1Gi' });
      cluster.service('monitoring/prometheus', tcp(9090, 'http'));
      cluster.deployment('keda/keda-operator', {
        image: image('keda:2.17'),
        values: { PROMETHEUS: 'http://prometheus.monitoring.svc:9090' },
      });
      cluster.object(definition('keda.sh', 'ScaledObject'));
      const all = ['resize', 'transcode'].map((name) => {
        cluster.deployment(`media/${name}`, { replicas: 2, image: image(`${name}:1`) });
        const one = cluster.object({
          apiVersion: 'keda.sh/v1',
          kind: 'ScaledObject',
          metadata: { name, namespace: 'media' },
          spec: { scaleTargetRef: { name } },
        });
        one.status({
          conditions: [
            condition(
              'Ready',
              'True',
              'ScaledObjectReady',
              'ScaledObject is defined correctly and is ready for scaling',
            ),
          ],
        });
        return one;
      });
      cluster.at('6s', () =>
        cluster.befall(prometheus, {
          exit: { afterSeconds: 8, code: 137, oom: true },
          readyAfterSeconds: 'never',
          log: [
            'time=2026-11-22T09:00:11.002Z level=INFO source=head.go:756 msg="WAL segment loaded" component=tsdb segment=41 maxSegment=88',
          ],
        }),
      );
      cluster.at('20s', () => {
        for (const one of all)
          one.status({
            conditions: [
              condition('Ready', 'False', 'TriggerError', 'Triggers defined in ScaledObject are not working correctly'),
              condition('Fallback', 'False', 'NoFallbackFound', 'No fallbacks are active on this scaled object'),
            ],
          });
        cluster.befall(
          image('keda:2.17'),
          unready([
            '2026-11-22T09:00:21Z\tERROR\tprometheus_scaler\terror executing prometheus query\t{"type": "ScaledObject", "namespace": "media", "name": "resize", "error": "Get \\"http://prometheus.monitoring.svc:9090/api/v1/query\\": dial tcp 10.96.2.2:9090: connect: connection refused"}',
          ]),
        );
      });
      cluster.expectIncident({
        root: 'StatefulSet/monitoring/prometheus',
        mustNotBlame: [
          'Deployment/keda/keda-operator',
          'ScaledObject.keda.sh/media/resize',
          'ScaledObject.keda.sh/media/transcode',
        ],
      });
    },
  ),
  // https://karpenter.sh/docs/troubleshooting/
  'machines-may-not-be-launched': field(
    'The program that adds machines has lost its rights and crashes; two workloads are scaled up and wait for room',
    (cluster) => {
      const karpenter = image('karpenter:1.6');
      cluster.deployment('karpenter/karpenter', { replicas: 2, image: karpenter });
      const all = ['shop/api', 'shop/search'].map((place) =>
        cluster.deployment(place, { replicas: 2, image: image(`${place.split('/')[1]}:1`), cpu: '1' }),
      );
      cluster.at('6s', () =>
        cluster.befall(
          karpenter,
          ends(
            [
              '{"level":"ERROR","time":"2026-11-22T09:00:08.771Z","logger":"controller","message":"ec2 api connectivity check failed","commit":"6b868db","error":"operation error EC2: DescribeInstanceTypes, https response error StatusCode: 403, api error UnauthorizedOperation: You are not authorized to perform this operation."}',
              'panic: operation error EC2: DescribeInstanceTypes, api error UnauthorizedOperation',
            ],
            2,
            2,
          ),
        ),
      );
      cluster.at('16s', () => {
        for (const workload of all) workload.scale(14);
      });
      cluster.expectIncident({
        root: 'Deployment/karpenter/karpenter',
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/search', 'Node//n1'],
      });
    },
    '4m',
  ),
  // https://kubernetes-sigs.github.io/external-dns/latest/docs/tutorials/aws/
  'names-outside-are-kept-no-more': field(
    'The program that keeps the names outside may not change its zone any more and crashes',
    (cluster, { storefront }) => {
      const dns = image('external-dns:0.19');
      cluster.deployment('external-dns/external-dns', { image: dns, probe: false });
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('8s', () =>
        cluster.befall(
          dns,
          ends([
            'time="2026-11-22T09:00:10Z" level=info msg="Applying provider record filter for domains: [acme.example. .acme.example.]"',
            'time="2026-11-22T09:00:10Z" level=fatal msg="Failed to do run once: records retrieval failed: failed to list hosted zones: operation error Route 53: ListHostedZones, https response error StatusCode: 403, RequestID: 5d1c, api error AccessDenied: User: arn:aws:sts::123456789012:assumed-role/node/i-0a1 is not authorized to perform: route53:ListHostedZones because no identity-based policy allows the route53:ListHostedZones action"',
          ]),
        ),
      );
      cluster.expectIncident({
        root: 'Deployment/external-dns/external-dns',
        mustNotBlame: ['Deployment/web/storefront'],
      });
    },
  ),
  // https://github.com/NVIDIA/gpu-operator/issues/163
  'drivers-do-not-build-for-the-kernel': field(
    'The machines have a new kernel for which no driver is built: plugin and exporter of the cards wait for it',
    (cluster) => {
      const driver = image('nvidia-driver:580');
      const all = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } };
      cluster.daemonSet('gpu-operator/nvidia-driver-daemonset', { image: driver, spec: all });
      const waits = image('toolkit-validation:25.3');
      const plugins = ['nvidia-device-plugin-daemonset', 'nvidia-dcgm-exporter'].map((name) =>
        cluster.daemonSet(`gpu-operator/${name}`, { image: image(`${name}:25.3`), init: waits, spec: all }),
      );
      cluster.at('6s', () =>
        cluster.befall(
          driver,
          ends(
            [
              '========== NVIDIA Software Installer ==========',
              'Starting installation of NVIDIA driver version 580.82.07 for Linux kernel version 6.8.0-1035-aws',
              'Resolving Linux kernel version...',
              'Could not resolve Linux kernel version',
              'Stopping NVIDIA persistence daemon...',
            ],
            1,
            3,
          ),
        ),
      );
      cluster.at('12s', () => {
        cluster.image(waits, {
          exit: { afterSeconds: 600, code: 1 },
          log: ['waiting for nvidia container stack to be setup', 'waiting for nvidia container stack to be setup'],
        });
        for (const plugin of plugins) plugin.restart();
      });
      cluster.expectIncident({
        root: 'DaemonSet/gpu-operator/nvidia-driver-daemonset',
        mustNotBlame: [
          'DaemonSet/gpu-operator/nvidia-device-plugin-daemonset',
          'DaemonSet/gpu-operator/nvidia-dcgm-exporter',
          'Node//n1',
        ],
      });
    },
  ),
  // https://rook.io/docs/rook/latest-release/Troubleshooting/ceph-csi-common-issues/
  'storage-plugin-crashes-everywhere': field(
    'A release of the storage plugin crashes on all machines: two databases that are moved cannot mount their volumes',
    (cluster) => {
      cluster.pro();
      const plugin = image('cephcsi:3.15');
      const agents = cluster.daemonSet('rook-ceph/csi-rbdplugin', {
        image: plugin,
        probe: false,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: { attachRequired: false },
      });
      cluster.object(storageClass('ceph-block'));
      const all = ['erp/ledger-db', 'erp/stock-db'].map((place) => {
        const name = place.split('/')[1] ?? '';
        cluster.object(volume(`pv-${name}`, 'ceph-block'));
        cluster.object(claim(place, 'ceph-block', { volumeName: `pv-${name}` }));
        return {
          name,
          handle: cluster.deployment(place, {
            image: image(`${name}:1`),
            pod: mounts(name),
            spec: { strategy: { type: 'Recreate' } },
          }),
        };
      });
      cluster.image(
        image('cephcsi:3.16'),
        ends(
          [
            'I1122 09:00:09.001  1 cephcsi.go:220] Driver version: v3.16.0',
            'F1122 09:00:09.002  1 driver.go:142] failed to write ceph configuration file (open /etc/ceph/ceph.conf: read-only file system)',
          ],
          255,
          1,
        ),
      );
      cluster.at('6s', () => agents.setImage(image('cephcsi:3.16')));
      cluster.at('20s', () => {
        for (const { name, handle } of all) {
          cluster.image(image(`${name}:1`), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.MountDevice failed for volume "pv-${name}" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name disk.csi.example not found in the list of registered CSI drivers`,
            },
          });
          handle.restart();
        }
      });
      cluster.expectIncident({
        root: 'DaemonSet/rook-ceph/csi-rbdplugin',
        mustNotBlame: [
          'Deployment/erp/ledger-db',
          'Deployment/erp/stock-db',
          'PersistentVolumeClaim/erp/ledger-db',
          'PersistentVolumeClaim/erp/stock-db',
        ],
      });
    },
  ),
  // https://man7.org/linux/man-pages/man8/fsck.8.html: the file system of a volume is broken.
  'file-system-of-a-volume-is-broken': field(
    "The file system of a database's volume is broken and cannot be mounted; two clients are refused",
    (cluster) => {
      cluster.pro();
      cluster.object(storageClass('disk'));
      cluster.object(volume('pv-notes', 'disk'));
      cluster.object(claim('notes/notes-db', 'disk', { volumeName: 'pv-notes' }));
      const db = cluster.deployment('notes/notes-db', {
        image: 'docker.io/library/postgres:17',
        pod: mounts('notes-db'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('notes/notes-db', tcp(5432, 'postgres'));
      cluster.at('6s', () => {
        cluster.image('docker.io/library/postgres:17', {
          heldUp: {
            reason: 'FailedMount',
            message:
              'MountVolume.MountDevice failed for volume "pv-notes" : rpc error: code = Internal desc = \'fsck\' found errors on device /dev/nvme1n1 but could not correct them: fsck from util-linux 2.39.3\n/dev/nvme1n1: UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY.\n\t(i.e., without -a or -p options)',
          },
        });
        db.restart();
      });
      const names = dependants(cluster, '16s', {
        'notes/editor': {
          does: ends([
            'psycopg.OperationalError: connection failed: connection to server at "notes-db.notes.svc" (10.96.7.7), port 5432 failed: Connection refused',
          ]),
        },
        'notes/sync': { does: unready(['Error: connect ECONNREFUSED notes-db.notes.svc:5432']) },
      });
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/notes/notes-db',
        accepts: ['PersistentVolume//pv-notes', 'Deployment/notes/notes-db'],
        mustNotBlame: names,
      });
    },
  ),
};

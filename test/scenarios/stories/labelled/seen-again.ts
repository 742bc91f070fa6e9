import { condition, custom, define, imageAt, innocentRelease, onlyOn, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

/** The same causes as in the other stories of this name, by other products and in other words. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.dapr.io/operations/troubleshooting/common_issues/: sidecars wait for certificates of the next control plane.
  'sidecars-are-behind-their-sentry': reported(
    'The sentry of Dapr is upgraded; the sidecars of three services that run on are not well any more, and their programs say other things',
    (cluster, firm) => {
      const sentry = cluster.deployment('dapr-system/dapr-sentry', { image: 'docker.io/daprio/sentry:1.12.5' });
      const does = {
        'orders/checkout': unready([
          '== APP == Error: 14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 127.0.0.1:50001',
        ]),
        'orders/emails': ends(['dapr.clients.exceptions.DaprInternalError: Dapr health check timed out, after 60.']),
        'stock/levels': unready([
          'Unhandled exception. Dapr.DaprException: Secret operation failed: the Dapr endpoint indicated a failure.',
        ]),
      };
      for (const place of Object.keys(does))
        cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: {
            containers: [
              { name: 'daprd', image: 'docker.io/daprio/daprd:1.12.5' },
              {
                name: place.split('/')[1],
                image: imageOf(place),
                readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
              },
            ],
          },
        });
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => sentry.setImage('docker.io/daprio/sentry:1.14.4'));
      cluster.at(after(30), () => {
        for (const [place, behaviour] of Object.entries(does)) cluster.befall(imageOf(place), behaviour);
      });
      cluster.expectIncident({
        root: 'Deployment/dapr-system/dapr-sentry',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'Deployment/orders/checkout',
          'Deployment/orders/emails',
          'Deployment/stock/levels',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/awslabs/mountpoint-s3-csi-driver/blob/main/docs/TROUBLESHOOTING.md: what is mounted ends with the process that mounts it.
  'mounts-of-a-bucket-break-off': reported(
    'The driver that mounts buckets is restarted on one machine, and the mounts of two programs there are broken; elsewhere they go on',
    (cluster) => {
      const driver = 's3.csi.aws.com';
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: driver },
        spec: { attachRequired: false },
      });
      cluster.object(storageClass('s3', { provisioner: driver }));
      const image = 'public.ecr.aws/mountpoint-s3-csi-driver/aws-mountpoint-s3-csi-driver:v1.4.0';
      cluster.daemonSet('kube-system/s3-csi-node', { image });
      const does = {
        'media/previews': ends(["OSError: [Errno 107] Transport endpoint is not connected: '/bucket/in'"]),
        'reports/archive': unready([
          'time="2026-11-23T09:31:20Z" level=error msg="list" error="open /bucket/2026: transport endpoint is not connected"',
        ]),
      };
      for (const place of Object.keys(does)) {
        const name = place.replace('/', '-');
        cluster.object(volume(name, 's3', { csi: { driver, volumeHandle: name }, accessModes: ['ReadWriteMany'] }));
        cluster.object(claim(place, 's3', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        cluster.deployment(place, { replicas: 3, image: imageOf(place), pod: mounts(place.split('/')[1] ?? '') });
      }
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          onlyOn(
            'n2',
            ends(
              [
                'E1123 09:31:02.118811       1 node.go:114] panic: runtime error: invalid memory address or nil pointer dereference',
              ],
              2,
              4,
            ),
          ),
        ),
      );
      cluster.at(after(5), () => {
        for (const [place, behaviour] of Object.entries(does)) cluster.befall(imageOf(place), onlyOn('n2', behaviour));
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/s3-csi-node',
        accepts: ['Node//n2'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/media/previews', 'Deployment/reports/archive', 'Node//n1'],
      });
    },
  ),

  // https://developer.hashicorp.com/vault/docs/platform/k8s/injector: Pods are made without their secrets while nobody injects them.
  'injector-of-secrets-is-away': reported(
    'The injector of Vault does not start after its upgrade, and Pods are made without their files; three workloads that are restarted lack them',
    (cluster, firm) => {
      const repository = 'docker.io/hashicorp/vault-k8s';
      const injector = cluster.deployment('vault/vault-agent-injector', {
        image: `${repository}:1.4.2`,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('vault/vault-agent-injector-svc', { ...port(443), selector: { app: 'vault-agent-injector' } });
      cluster.object({
        ...{
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'MutatingWebhookConfiguration',
          metadata: { name: 'vault-agent-injector-cfg' },
        },
        webhooks: [
          {
            name: 'vault.hashicorp.com',
            clientConfig: { service: { namespace: 'vault', name: 'vault-agent-injector-svc', path: '/mutate' } },
            ...{ failurePolicy: 'Ignore', sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 30 },
            objectSelector: {
              matchExpressions: [
                { key: 'app.kubernetes.io/name', operator: 'NotIn', values: ['vault-agent-injector'] },
              ],
            },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
        ],
      });
      cluster.image(
        `${repository}:1.5.0`,
        ends(
          [
            '2026-11-23T09:31:00.118Z [ERROR] handler: Error loading TLS keypair: error="tls: failed to find any PEM data in certificate input"',
          ],
          1,
          2,
        ),
      );
      const does = {
        'claims/intake': ends(["Error: ENOENT: no such file or directory, open '/vault/secrets/db.json'"]),
        'claims/letters': ends(["FileNotFoundError: [Errno 2] No such file or directory: '/vault/secrets/smtp'"]),
        'risk/models': unready([
          'level=fatal msg="load credentials" error="open /vault/secrets/store: no such file or directory"',
        ]),
      };
      const handles = Object.keys(does).map((place) =>
        cluster.deployment(place, { replicas: 2, image: imageOf(place) }),
      );
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => injector.setImage(`${repository}:1.5.0`));
      cluster.at(after(120), () => {
        Object.entries(does).forEach(([place, behaviour], index) => {
          cluster.image(imageOf(place), behaviour);
          handles[index]?.restart();
        });
      });
      cluster.expectIncident({
        root: 'Deployment/vault/vault-agent-injector',
        accepts: ['MutatingWebhookConfiguration//vault-agent-injector-cfg'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/claims/intake', 'Deployment/claims/letters', 'Deployment/risk/models'],
      });
    },
  ),

  // https://docs.cilium.io/en/stable/network/kubernetes/policy/: one policy for the whole cluster.
  'cluster-policy-closes-one-namespace': reported(
    'A policy of Cilium for the whole cluster selects all Pods of one namespace and lets nothing in; clients from two others time out',
    (cluster, firm) => {
      cluster.pro();
      define(cluster, 'cilium.io/v2', ['CiliumClusterwideNetworkPolicy'], 'Cluster');
      server(cluster, 'data/postgres', 'docker.io/library/postgres:16.2', 5432);
      server(cluster, 'data/cache', 'docker.io/library/redis:7.2.4', 6379);
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        custom(cluster, 'cilium.io/v2', 'CiliumClusterwideNetworkPolicy', '/data-deny', {
          endpointSelector: { matchLabels: { 'k8s:io.kubernetes.pod.namespace': 'data' } },
          ingress: [{}],
        });
      });
      const innocents = clients(cluster, 20, {
        'shop/cart': {
          does: unready([
            'java.net.SocketTimeoutException: Connect timed out',
            '\tat redis.clients.jedis.DefaultJedisSocketFactory.createSocket(DefaultJedisSocketFactory.java:110)',
          ]),
          values: { REDIS_HOST: 'cache.data.svc.cluster.local' },
        },
        'crm/leads': {
          does: ends([
            'ActiveRecord::ConnectionNotEstablished: connection to server at "postgres.data.svc.cluster.local" (10.96.4.2), port 5432 failed: Connection timed out',
          ]),
          values: { DATABASE_URL: 'postgres://crm@postgres.data.svc.cluster.local:5432/crm' },
        },
      });
      cluster.expectIncident({
        root: 'CiliumClusterwideNetworkPolicy.cilium.io//data-deny',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'StatefulSet/data/postgres', 'StatefulSet/data/cache'],
      });
    },
  ),

  // https://open-policy-agent.github.io/gatekeeper/website/docs/failing-closed: a new version looks at what the old one let pass.
  'policies-of-the-next-version-refuse': reported(
    'Gatekeeper is upgraded, and refuses Pods as they were always made; two teams whose Pods are restarted get none',
    (cluster) => {
      cluster.pro();
      define(cluster, 'helm.toolkit.fluxcd.io/v2', ['HelmRelease']);
      const repository = 'docker.io/openpolicyagent/gatekeeper';
      const gate = cluster.deployment('gatekeeper-system/gatekeeper-controller-manager', {
        replicas: 2,
        image: `${repository}:v3.12.0`,
      });
      cluster.service('gatekeeper-system/gatekeeper-webhook-service', {
        ...port(443),
        selector: { app: 'gatekeeper-controller-manager' },
      });
      cluster.object({
        ...{
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: 'gatekeeper-validating-webhook-configuration' },
        },
        webhooks: [
          {
            name: 'validation.gatekeeper.sh',
            clientConfig: {
              service: { namespace: 'gatekeeper-system', name: 'gatekeeper-webhook-service', path: '/v1/admit' },
            },
            ...{ failurePolicy: 'Ignore', sideEffects: 'None', admissionReviewVersions: ['v1'] },
            rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] }],
          },
        ],
      });
      const says =
        'admission webhook "validation.gatekeeper.sh" denied the request: [allowed-proc-mount] ProcMount type is not allowed, container: web. Allowed procMount types: Default';
      const apps = ['portal', 'intranet'].map((name) => {
        const one = custom(cluster, 'helm.toolkit.fluxcd.io/v2', 'HelmRelease', `flux-system/${name}`, {});
        one.status(condition('Ready', 'True', 'UpgradeSucceeded', 'Helm upgrade succeeded'));
        return one;
      });
      cluster.at(after(0), () => gate.setImage(`${repository}:v3.14.0`));
      cluster.at(after(90), () => {
        for (const one of apps)
          one.status(
            condition(
              'Ready',
              'False',
              'UpgradeFailed',
              `Helm upgrade failed: cannot patch "web" with kind Deployment: ${says}`,
            ),
          );
      });
      cluster.deployment('portal/web', { replicas: 2, image: imageAt('portal', 3) });
      cluster.expectIncident({
        root: 'Deployment/gatekeeper-system/gatekeeper-controller-manager',
        accepts: ['ValidatingWebhookConfiguration//gatekeeper-validating-webhook-configuration'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 390,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/portal/web'],
      });
    },
  ),

  // https://linbit.com/drbd-user-guide/drbd-guide-9_0-en/: what lies below all volumes loses its quorum, and all of them stop.
  'replicated-disks-lose-their-quorum': reported(
    'The replicated disks of DRBD have lost their quorum; databases of three teams on several machines get errors when they write',
    (cluster, firm) => {
      const spec = disks(cluster, 'linstor', 'linstor.csi.linbit.com');
      cluster.daemonSet('piraeus-datastore/linstor-satellite', {
        image: 'quay.io/piraeusdatastore/piraeus-server:v1.27.0',
      });
      const does = {
        'orders/mariadb': ends(
          [
            '[ERROR] InnoDB: Write to file ./ibdata1 failed at offset 16384, 16384 bytes should have been written, only 0 were written. Operating system error number 5.',
            "[ERROR] InnoDB: Error number 5 means 'Input/output error'",
          ],
          134,
          8,
        ),
        'wiki/postgres': ends(
          ['PANIC:  could not fsync file "pg_wal/000000010000000000000042": Input/output error'],
          134,
          11,
        ),
        'queue/rabbitmq': unready([
          '[error] <0.412.0> ** Reason for termination == {badmatch,{error,eio}}',
          'failed to write to /var/lib/rabbitmq/mnesia: Input/output error',
        ]),
      };
      for (const place of Object.keys(does)) cluster.statefulSet(place, { replicas: 2, image: imageOf(place), spec });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => {
        for (const [place, behaviour] of Object.entries(does)) cluster.befall(imageOf(place), behaviour);
      });
      cluster.expectIncident({
        root: 'CSIDriver//linstor.csi.linbit.com',
        accepts: ['StorageClass//linstor', 'DaemonSet/piraeus-datastore/linstor-satellite'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'StatefulSet/orders/mariadb',
          'StatefulSet/wiki/postgres',
          'StatefulSet/queue/rabbitmq',
          'Node//n1',
        ],
      });
    },
  ),
};

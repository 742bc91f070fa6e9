import type { Manifest } from '../../kit/manifests.ts';
import { type ClusterBuilder, scenario } from '../../kit/scenario.ts';

/** Logs are read at these times, too. */
const look = (cluster: ClusterBuilder, ...times: readonly string[]): void => {
  for (const time of times) cluster.at(time, () => undefined);
};

/** The definition of a kind: `certificates.cert-manager.io/v1`. */
function kindOf(place: string, kind: string, scope: 'Namespaced' | 'Cluster' = 'Namespaced'): Manifest {
  const [name = '', version = 'v1'] = place.split('/');
  const [plural = '', ...group] = name.split('.');
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name } },
    spec: {
      ...{ group: group.join('.'), scope },
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

/** An object of such a kind. */
const thing = (apiVersion: string, kind: string, place: string, spec: object): Manifest => {
  const [namespace, name = ''] = place.includes('/') ? place.split('/') : ['', place];
  return { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) }, spec };
};

/** A status with one condition, as of now. */
const says = (
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
  more: object = {},
  observedGeneration = 1,
): object => ({
  ...{ conditions: [{ type, status, reason, message, lastTransitionTime: 'now', observedGeneration }] },
  ...more,
});

const ready = (message = 'ready'): object => says('Ready', 'True', 'Ready', message);

export const stories = {
  'issuer-is-sent-to-a-directory-that-does-not-exist': scenario(
    'An issuer is edited to a directory of another domain; a new portal waits for its certificate',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('clusterissuers.cert-manager.io/v1', 'ClusterIssuer', 'Cluster'));
      cluster.object(kindOf('certificates.cert-manager.io/v1', 'Certificate'));
      const acme = (server: string) => ({
        acme: { server, email: 'ops@kontor.example', privateKeySecretRef: { name: 'acme-account' } },
      });
      const issuer = cluster.object(
        thing('cert-manager.io/v1', 'ClusterIssuer', 'house-acme', acme('https://acme.pki.kontor.example/directory')),
      );
      issuer.status(
        says('Ready', 'True', 'ACMEAccountRegistered', 'The ACME account was registered with the ACME server'),
      );
      cluster.deployment('cert-manager/cert-manager', { image: 'registry.example/cert-manager-controller:v1.17' });
      const certificate = cluster.planned(
        thing('cert-manager.io/v1', 'Certificate', 'suppliers/portal-tls', {
          ...{ secretName: 'portal-tls', dnsNames: ['suppliers.kontor.example'] },
          issuerRef: { name: 'house-acme', kind: 'ClusterIssuer' },
        }),
      );
      cluster.at('8s', () => issuer.patch({ spec: acme('https://acme.pki.kontor.exmaple/directory') }));
      cluster.at('10s', () =>
        issuer.status(
          says(
            ...(['Ready', 'False', 'ErrRegisterACMEAccount'] as const),
            'Failed to register ACME account: Get "https://acme.pki.kontor.exmaple/directory": dial tcp: lookup acme.pki.kontor.exmaple on 10.96.0.10:53: no such host',
            ...([{}, 2] as const),
          ),
        ),
      );
      cluster.at('25s', () => {
        certificate.create();
        cluster.deployment('suppliers/portal', {
          ...{ replicas: 2, image: 'registry.example/suppliers-portal:1.0', broken: true },
          pod: { volumes: [{ name: 'tls', secret: { secretName: 'portal-tls' } }] },
          container: { volumeMounts: [{ name: 'tls', mountPath: '/tls' }] },
        });
      });
      cluster.at('27s', () =>
        certificate.status(says('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist')),
      );
      look(cluster, '90s');
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'ClusterIssuer.cert-manager.io//house-acme',
        mustNotBlame: ['Deployment/suppliers/portal', 'Deployment/cert-manager/cert-manager'],
      });
    },
  ),

  'token-of-the-secret-store-is-revoked': scenario(
    'The token with which secrets are read is exchanged for a revoked one; a new service waits for its Secret',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('clustersecretstores.external-secrets.io/v1', 'ClusterSecretStore', 'Cluster'));
      cluster.object(kindOf('externalsecrets.external-secrets.io/v1', 'ExternalSecret'));
      const token = cluster.secret('external-secrets/vault-token', { token: 'hvs.good' });
      const store = cluster.object(
        thing('external-secrets.io/v1', 'ClusterSecretStore', 'vault-backend', {
          provider: {
            vault: {
              ...{ server: 'https://vault.kontor.example:8200', path: 'kv', version: 'v2' },
              auth: { tokenSecretRef: { name: 'vault-token', namespace: 'external-secrets', key: 'token' } },
            },
          },
        }),
      );
      store.status(says('Ready', 'True', 'Valid', 'store validated'));
      const wanted = (name: string) =>
        thing('external-secrets.io/v1', 'ExternalSecret', name, {
          ...{ refreshInterval: '15m', secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault-backend' } },
          ...{ target: { name: name.split('/')[1] }, dataFrom: [{ extract: { key: name } }] },
        });
      const old = cluster.object(wanted('hr/payslips-db'));
      old.status(says('Ready', 'True', 'SecretSynced', 'secret synced'));
      cluster.secret('hr/payslips-db', { password: 'x' });
      cluster.deployment('hr/payslips', {
        image: 'registry.example/payslips:4',
        env: { PASSWORD: 'secret/payslips-db/password' },
      });
      const fresh = cluster.planned(wanted('hr/vacations-db'));
      cluster.at('10s', () => token.edit({ token: 'hvs.revoked' }));
      cluster.at('15s', () =>
        store.status(
          says(
            ...(['Ready', 'False', 'InvalidProviderConfig'] as const),
            'unable to validate store: invalid vault credentials: Error making API request. URL: GET https://vault.kontor.example:8200/v1/auth/token/lookup-self Code: 403. Errors: * permission denied * invalid token',
          ),
        ),
      );
      cluster.at('30s', () => {
        fresh.create();
        cluster.deployment('hr/vacations', {
          ...{ replicas: 2, image: 'registry.example/vacations:1', broken: true },
          env: { PASSWORD: 'secret/vacations-db/password' },
        });
      });
      cluster.at('32s', () => {
        const why = 'error processing spec.dataFrom[0].extract, err: ClusterSecretStore "vault-backend" is not ready';
        fresh.status(says('Ready', 'False', 'SecretSyncedError', why));
        old.status(says('Ready', 'False', 'SecretSyncedError', why));
      });
      look(cluster, '90s');
      cluster.expectIncident({
        root: 'Secret/external-secrets/vault-token',
        accepts: ['ClusterSecretStore.external-secrets.io//vault-backend'],
        mustNotBlame: ['Deployment/hr/vacations'],
      });
    },
  ),

  'log-archive-of-a-database-is-refused-by-its-store': scenario(
    'The key for the archive of a database is edited to a wrong one; a client release at the same time is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('clusters.postgresql.cnpg.io/v1', 'Cluster'));
      const key = cluster.secret('data/wal-archive-key', { ACCESS_KEY_ID: 'AK1', ACCESS_SECRET_KEY: 'good' });
      const s3 = {
        accessKeyId: { name: 'wal-archive-key', key: 'ACCESS_KEY_ID' },
        secretAccessKey: { name: 'wal-archive-key', key: 'ACCESS_SECRET_KEY' },
      };
      const database = cluster.object(
        thing('postgresql.cnpg.io/v1', 'Cluster', 'data/members', {
          ...{ instances: 2, storage: { size: '20Gi' } },
          backup: { barmanObjectStore: { destinationPath: 's3://wal-members', s3Credentials: s3 } },
        }),
      );
      database.status(
        says('ContinuousArchiving', 'True', 'ContinuousArchivingSuccess', 'Continuous archiving is working', {
          phase: 'Cluster in healthy state',
        }),
      );
      cluster.statefulSet('data/members', { replicas: 2, image: 'registry.example/cnpg/postgresql:17' });
      const desk = cluster.deployment('club/desk', { replicas: 2, image: 'registry.example/desk:5.5' });
      cluster.at('10s', () => key.edit({ ACCESS_KEY_ID: 'AK1', ACCESS_SECRET_KEY: 'of another account' }));
      cluster.at('14s', () => desk.setImage('registry.example/desk:5.6'));
      cluster.at('40s', () => {
        database.status(
          says(
            ...(['ContinuousArchiving', 'False', 'ContinuousArchivingFailing'] as const),
            'unexpected failure invoking barman-cloud-wal-archive: exit status 1: An error occurred (SignatureDoesNotMatch) when calling the HeadBucket operation',
            { phase: 'Cluster in healthy state' },
          ),
        );
      });
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'Secret/data/wal-archive-key',
        accepts: ['Cluster.postgresql.cnpg.io/data/members'],
        beginsAfterSeconds: 40,
        mustNotBlame: ['Deployment/club/desk', 'StatefulSet/data/members'],
      });
    },
  ),

  'brokers-are-asked-for-a-version-that-their-operator-does-not-know': scenario(
    'A resource of brokers is edited to a version that its operator does not support',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('kafkas.kafka.strimzi.io/v1beta2', 'Kafka'));
      const brokers = cluster.object(
        thing('kafka.strimzi.io/v1beta2', 'Kafka', 'streams/events', { kafka: { version: '4.0.0', replicas: 3 } }),
      );
      brokers.status(says('Ready', 'True', 'Ready', 'ready', { kafkaVersion: '4.0.0' }));
      cluster.deployment('streams/strimzi-cluster-operator', { image: 'registry.example/strimzi/operator:0.46.0' });
      cluster.statefulSet('streams/events-kafka', {
        replicas: 3,
        image: 'registry.example/strimzi/kafka:0.46.0-kafka-4.0.0',
      });
      cluster.deployment('streams/enricher', { replicas: 2, image: 'registry.example/enricher:2' });
      cluster.at('12s', () => brokers.patch({ spec: { kafka: { version: '4.2.0' } } }));
      cluster.at('16s', () =>
        brokers.status({
          conditions: [
            {
              ...{
                type: 'NotReady',
                status: 'True',
                reason: 'UnsupportedKafkaVersionException',
                lastTransitionTime: 'now',
              },
              message: 'Unsupported Kafka.spec.kafka.version: 4.2.0. Supported versions are: [3.9.0, 3.9.1, 4.0.0]',
            },
          ],
          observedGeneration: 2,
        }),
      );
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'Kafka.kafka.strimzi.io/streams/events',
        beginsAfterSeconds: 16,
        mustNotBlame: ['Deployment/streams/strimzi-cluster-operator', 'StatefulSet/streams/events-kafka'],
      });
    },
  ),

  'cloud-key-of-the-orderer-of-machines-is-old-and-a-report-has-no-table': scenario(
    'The cloud key of the autoscaler of machines is edited to an old one; of its own a nightly report misses a table',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const key = cluster.secret('kube-system/autoscaler-aws', {
        AWS_ACCESS_KEY_ID: 'A',
        AWS_SECRET_ACCESS_KEY: 'good',
      });
      const scaler = cluster.deployment('kube-system/cluster-autoscaler', {
        image: 'registry.example/cluster-autoscaler:v1.32.1',
        spec: { strategy: { type: 'Recreate' } },
        values: { AWS_REGION: 'eu-central-1' },
        env: {
          AWS_ACCESS_KEY_ID: 'secret/autoscaler-aws/AWS_ACCESS_KEY_ID',
          AWS_SECRET_ACCESS_KEY: 'secret/autoscaler-aws/AWS_SECRET_ACCESS_KEY',
        },
      });
      cluster.deployment('bi/dashboards', { image: 'registry.example/dashboards:3' });
      cluster.image('registry.example/report:12', {
        exit: { afterSeconds: 4, code: 1 },
        log: [
          'Connecting to postgres://reports@warehouse-db.bi:5432/warehouse',
          'psycopg2.errors.UndefinedTable: relation "mart.daily_margin" does not exist',
          'LINE 1: INSERT INTO mart.daily_margin SELECT * FROM staging.margin',
        ],
      });
      cluster.at('10s', () => {
        key.edit({ AWS_ACCESS_KEY_ID: 'B', AWS_SECRET_ACCESS_KEY: 'of last year' });
        cluster.image('registry.example/cluster-autoscaler:v1.32.1', {
          exit: { afterSeconds: 5, code: 255 },
          log: [
            'I1129 04:12:10.110322       1 leaderelection.go:271] successfully acquired lease kube-system/cluster-autoscaler',
            'E1129 04:12:12.702118       1 aws_manager.go:121] Failed to regenerate ASG cache: InvalidClientTokenId: The security token included in the request is invalid.',
            'F1129 04:12:12.702204       1 aws_cloud_provider.go:460] Failed to create AWS Manager: InvalidClientTokenId: The security token included in the request is invalid.',
          ],
        });
        scaler.restart();
      });
      cluster.at('45s', () =>
        cluster.job('bi/daily-margin', { image: 'registry.example/report:12', spec: { backoffLimit: 1 } }),
      );
      look(cluster, '40s', '55s', '80s');
      cluster.lasts('240s');
      cluster.expectIncident({ root: 'Secret/kube-system/autoscaler-aws', mustNotBlame: ['Job/bi/daily-margin'] });
      cluster.expectIncident({ root: 'Job/bi/daily-margin', mustNotBlame: ['Secret/kube-system/autoscaler-aws'] });
    },
  ),

  'reader-of-repositories-is-made-too-small': scenario(
    'The server that renders repositories is given too little memory and dies; applications cannot be compared, a node under repair is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('applications.argoproj.io/v1alpha1', 'Application'));
      const apps = ['shop', 'search', 'crm'].map((name) =>
        cluster.object(
          thing('argoproj.io/v1alpha1', 'Application', `argocd/${name}`, {
            ...{ project: 'default', destination: { namespace: name, server: 'https://kubernetes.default.svc' } },
            source: { repoURL: 'https://git.kontor.example/deploy.git', path: name, targetRevision: 'main' },
          }),
        ),
      );
      for (const app of apps) app.status({ sync: { status: 'Synced' }, health: { status: 'Healthy' } });
      const server = cluster.deployment('argocd/argocd-repo-server', {
        ...{ image: 'registry.example/argocd:v3.0.2', memory: '1Gi', spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('argocd/argocd-repo-server', { ports: [{ name: 'server', port: 8081, targetPort: 8081 }] });
      cluster.statefulSet('argocd/argocd-application-controller', {
        image: 'registry.example/argocd-controller:v3.0.2',
      });
      cluster.at('5s', () => cluster.node('n3').cordon());
      cluster.at('12s', () => {
        cluster.image('registry.example/argocd:v3.0.2', {
          exit: { afterSeconds: 7, code: 137, oom: true },
          log: [
            '{"built":"2026-05-26","commit":"a1b2c3d","level":"info","msg":"ArgoCD Repository Server is starting","port":8081,"time":"2026-11-29T12:01:07Z"}',
            '{"level":"info","msg":"Generating manifests with no request-level timeout","time":"2026-11-29T12:01:10Z"}',
            '{"dir":"/tmp/_argocd-repo/7f0c","execID":"41aa2","level":"info","msg":"helm template . --name-template shop --namespace shop","time":"2026-11-29T12:01:11Z"}',
          ],
        });
        server.change({ memory: '96Mi' });
      });
      cluster.at('40s', () => {
        for (const app of apps)
          app.status({
            ...{ sync: { status: 'Unknown' }, health: { status: 'Healthy' } },
            conditions: [
              {
                ...{ type: 'ComparisonError', lastTransitionTime: 'now' },
                message:
                  'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 10.96.60.4:8081: connect: connection refused"',
              },
            ],
          });
      });
      look(cluster, '70s');
      cluster.at('150s', () => cluster.node('n3').uncordon());
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Deployment/argocd/argocd-repo-server',
        mustNotBlame: ['Node//n3', 'Application.argoproj.io/argocd/shop'],
      });
    },
  ),

  'scaler-finds-no-host-in-its-secret-and-a-browser-farm-crashes': scenario(
    'A Secret of a scaler loses the key it reads; of its own a farm of browsers has too little shared memory since its release',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('scaledobjects.keda.sh/v1alpha1', 'ScaledObject'));
      cluster.object(kindOf('triggerauthentications.keda.sh/v1alpha1', 'TriggerAuthentication'));
      const login = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'rabbit-login', namespace: 'mailing' } },
        stringData: { host: 'amqp://mailing:x@rabbit.mq.svc:5672/mailing' },
      });
      cluster.object(
        thing('keda.sh/v1alpha1', 'TriggerAuthentication', 'mailing/rabbit', {
          secretTargetRef: [{ parameter: 'host', name: 'rabbit-login', key: 'host' }],
        }),
      );
      const scaler = cluster.object(
        thing('keda.sh/v1alpha1', 'ScaledObject', 'mailing/letters', {
          ...{ scaleTargetRef: { name: 'letters' }, minReplicaCount: 1, maxReplicaCount: 20 },
          triggers: [
            {
              type: 'rabbitmq',
              metadata: { queueName: 'letters', mode: 'QueueLength', value: '50' },
              authenticationRef: { name: 'rabbit' },
            },
          ],
        }),
      );
      scaler.status(
        says('Ready', 'True', 'ScaledObjectReady', 'ScaledObject is defined correctly and is ready for scaling'),
      );
      cluster.deployment('mailing/letters', { image: 'registry.example/letters:6' });
      cluster.deployment('keda/keda-operator', { image: 'registry.example/keda:2.17' });
      const farm = cluster.deployment('qa/browser-farm', { replicas: 2, image: 'registry.example/farm:120' });
      cluster.image('registry.example/farm:124', {
        exit: { afterSeconds: 5, code: 1 },
        log: [
          '[17:1:1129/130211.004121:ERROR:platform_shared_memory_region_posix.cc(214)] Creating shared memory in /dev/shm/.org.chromium.Chromium.kZ1T failed: No space left on device (28)',
          '[17:1:1129/130211.004410:FATAL:memory.cc(38)] Out of memory. size=4194304',
          'Error: Failed to launch the browser process: Code: 1',
        ],
      });
      cluster.at('10s', () => {
        login.patch({ data: { host: null }, stringData: { uri: 'amqp://mailing:x@rabbit.mq.svc:5672/mailing' } });
      });
      cluster.at('25s', () =>
        scaler.status(
          says(
            ...(['Ready', 'False', 'ScaledObjectCheckFailed'] as const),
            'failed to ensure HPA is correctly created for ScaledObject: error parsing rabbitmq metadata: no host setting given',
          ),
        ),
      );
      cluster.at('45s', () => farm.setImage('registry.example/farm:124'));
      look(cluster, '70s', '100s');
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'Secret/mailing/rabbit-login',
        accepts: ['TriggerAuthentication.keda.sh/mailing/rabbit', 'ScaledObject.keda.sh/mailing/letters'],
        beginsAfterSeconds: 25,
        mustNotBlame: ['Deployment/qa/browser-farm', 'Deployment/keda/keda-operator'],
      });
      cluster.expectIncident({ root: 'Deployment/qa/browser-farm', mustNotBlame: ['Secret/mailing/rabbit-login'] });
    },
  ),

  'place-of-the-backups-is-a-bucket-that-nobody-made': scenario(
    'The location of backups is edited to a bucket that does not exist; the nightly backup fails',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('backupstoragelocations.velero.io/v1', 'BackupStorageLocation'));
      const location = cluster.object(
        thing('velero.io/v1', 'BackupStorageLocation', 'velero/default', {
          ...{ provider: 'aws', default: true, objectStorage: { bucket: 'kontor-backups' } },
          config: { region: 'eu-central-1' },
        }),
      );
      location.status({ phase: 'Available' });
      cluster.deployment('velero/velero', { image: 'registry.example/velero:v1.16' });
      cluster.daemonSet('velero/node-agent', { image: 'registry.example/velero-agent:v1.16', probe: false });
      cluster.image('registry.example/velero-cli:v1.16', {
        exit: { afterSeconds: 6, code: 1 },
        log: [
          'Backup request "nightly-20261129" submitted successfully.',
          'Waiting for backup to complete. You may safely press ctrl-c to stop waiting - your backup will continue in the background.',
          "Backup completed with status: FailedValidation. backup can't be created because BackupStorageLocation default is in Unavailable status.",
          'BackupStorageLocation "default" is unavailable: rpc error: code = Unknown desc = operation error S3: ListObjectsV2, https response error StatusCode: 404, NoSuchBucket: The specified bucket does not exist (bucket kontor-backups-fra)',
        ],
      });
      cluster.at('10s', () => location.patch({ spec: { objectStorage: { bucket: 'kontor-backups-fra' } } }));
      cluster.at('30s', () =>
        location.status({
          phase: 'Unavailable',
          message:
            'BackupStorageLocation "default" is unavailable: rpc error: code = Unknown desc = operation error S3: ListObjectsV2, https response error StatusCode: 404, RequestID: 3F2, NoSuchBucket: The specified bucket does not exist',
        }),
      );
      cluster.at('45s', () =>
        cluster.job('velero/nightly-20261129', {
          image: 'registry.example/velero-cli:v1.16',
          spec: { backoffLimit: 1 },
        }),
      );
      look(cluster, '55s', '90s');
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'BackupStorageLocation/velero/default',
        accepts: ['Job/velero/nightly-20261129'],
        mustNotBlame: ['Deployment/velero/velero'],
      });
    },
  ),

  'list-of-names-a-mesh-lets-out-to-loses-its-map-house': scenario(
    'The entry of outside names of a mesh is edited without the map provider, whom the router service needs',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('serviceentries.networking.istio.io/v1', 'ServiceEntry'));
      const names = (...hosts: readonly string[]) => ({
        ...{ hosts, location: 'MESH_EXTERNAL', resolution: 'DNS' },
        ports: [{ number: 443, name: 'tls', protocol: 'TLS' }],
      });
      const entry = cluster.object(
        thing(
          'networking.istio.io/v1',
          'ServiceEntry',
          'fleet/outside',
          names('api.strassenkarte.example', 'toll.maut.example'),
        ),
      );
      cluster.deployment('fleet/route-planner', {
        replicas: 2,
        image: 'registry.example/route-planner:2.8',
        values: { MAP_API: 'https://api.strassenkarte.example', TOLL_API: 'https://toll.maut.example' },
      });
      cluster.deployment('fleet/dispatcher', { image: 'registry.example/dispatcher:2.1' });
      cluster.at('10s', () => {
        entry.patch({ spec: names('toll.maut.example') });
        cluster.befall('registry.example/route-planner:2.8', {
          readyAfterSeconds: 'never',
          log: [
            '[2026-11-29T09:12:20.118Z] "- - -" 0 UH - "-" 0 0 0 - "-" "-" "-" "-" "-" BlackHoleCluster - 203.0.113.77:443 10.244.1.30:51544 api.strassenkarte.example -',
            'ERROR route_planner::maps: matrix request to https://api.strassenkarte.example/v1/matrix failed after 3 attempts: client error (Connect): tls handshake eof',
          ],
        });
      });
      look(cluster, '60s', '100s');
      cluster.expectIncident({
        root: 'ServiceEntry.networking.istio.io/fleet/outside',
        mustNotBlame: ['ExternalEndpoint//api.strassenkarte.example', 'Deployment/fleet/dispatcher'],
      });
    },
  ),

  'route-of-the-mesh-names-a-subset-and-a-scan-runs-out-of-room': scenario(
    'A virtual service is edited to a subset that no rule defines; of its own a scanner fills its scratch directory',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('virtualservices.networking.istio.io/v1', 'VirtualService'));
      cluster.object(kindOf('destinationrules.networking.istio.io/v1', 'DestinationRule'));
      const host = 'reviews.shop.svc.cluster.local';
      cluster.object(
        thing('networking.istio.io/v1', 'DestinationRule', 'shop/reviews', {
          ...{
            host,
            subsets: [
              { name: 'v1', labels: { version: 'v1' } },
              { name: 'v2', labels: { version: 'v2' } },
            ],
          },
        }),
      );
      const to = (subset: string) => ({ hosts: [host], http: [{ route: [{ destination: { host, subset } }] }] });
      const route = cluster.object(thing('networking.istio.io/v1', 'VirtualService', 'shop/reviews', to('v2')));
      cluster.deployment('shop/reviews', {
        replicas: 2,
        image: 'registry.example/reviews:2',
        labels: { version: 'v2' },
      });
      cluster.service('shop/reviews', { ports: [{ name: 'http', port: 9080, targetPort: 9080 }] });
      cluster.deployment('shop/product-page', {
        replicas: 2,
        image: 'registry.example/product-page:4.1',
        values: { REVIEWS: 'http://reviews.shop.svc.cluster.local:9080' },
      });
      const scanner = cluster.deployment('sec/image-scanner', { image: 'registry.example/scanner:0.61' });
      cluster.image('registry.example/scanner:0.62', {
        exit: { afterSeconds: 8, code: 1 },
        log: [
          '2026-11-29T07:44:01Z\tINFO\t[vulndb] Downloading vulnerability DB...',
          '2026-11-29T07:44:09Z\tFATAL\tFatal error\trun error: init error: DB error: failed to download vulnerability DB: oci download error: failed to write: write /home/scanner/.cache/trivy/db/trivy.db: no space left on device',
        ],
      });
      cluster.at('10s', () => {
        route.patch({ spec: to('v3') });
        cluster.befall('registry.example/product-page:4.1', {
          readyAfterSeconds: 'never',
          log: [
            '[2026-11-29T07:43:10.114Z] "GET /reviews/0 HTTP/1.1" 503 NC cluster_not_found - "-" 0 0 0 - "-" "python-requests/2.32" "6d1f" "reviews.shop.svc.cluster.local:9080" "-" outbound|9080|v3|reviews.shop.svc.cluster.local - 10.96.9.31:9080 10.244.2.14:40122 - -',
            'ERROR in app: reviews unavailable: 503 Server Error: Service Unavailable for url: http://reviews.shop.svc.cluster.local:9080/reviews/0',
          ],
        });
      });
      cluster.at('40s', () => scanner.setImage('registry.example/scanner:0.62'));
      look(cluster, '60s', '100s');
      cluster.expectIncident({
        root: 'VirtualService.networking.istio.io/shop/reviews',
        mustNotBlame: ['Deployment/shop/reviews', 'Deployment/sec/image-scanner'],
      });
      cluster.expectIncident({
        root: 'Deployment/sec/image-scanner',
        mustNotBlame: ['VirtualService.networking.istio.io/shop/reviews'],
      });
    },
  ),

  'listener-loses-the-certificate-it-shows': scenario(
    'The Secret with the certificate of a Gateway is deleted; its listener does not resolve its references',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('gatewayclasses.gateway.networking.k8s.io/v1', 'GatewayClass', 'Cluster'));
      cluster.object(kindOf('gateways.gateway.networking.k8s.io/v1', 'Gateway'));
      const secret = cluster.secret('edge/wildcard-kontor', { 'tls.crt': 'x', 'tls.key': 'y' });
      cluster
        .object(
          thing('gateway.networking.k8s.io/v1', 'GatewayClass', 'envoy', {
            controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
          }),
        )
        .status(says('Accepted', 'True', 'Accepted', 'Valid GatewayClass'));
      const gateway = cluster.object(
        thing('gateway.networking.k8s.io/v1', 'Gateway', 'edge/public', {
          gatewayClassName: 'envoy',
          listeners: [
            {
              name: 'https',
              port: 443,
              protocol: 'HTTPS',
              tls: { mode: 'Terminate', certificateRefs: [{ kind: 'Secret', name: 'wildcard-kontor' }] },
            },
          ],
        }),
      );
      const condition = (type: string, status: string, reason: string, message: string) => ({
        ...{ type, status, reason, message, lastTransitionTime: 'now', observedGeneration: 1 },
      });
      const state = (resolved: boolean) => ({
        addresses: [{ type: 'IPAddress', value: '203.0.113.40' }],
        conditions: [
          condition('Accepted', 'True', 'Accepted', 'The Gateway has been scheduled by Envoy Gateway'),
          condition('Programmed', 'True', 'Programmed', 'Address assigned to the Gateway'),
        ],
        listeners: [
          {
            ...{
              name: 'https',
              attachedRoutes: 3,
              supportedKinds: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }],
            },
            conditions: resolved
              ? [
                  condition(
                    'Programmed',
                    'True',
                    'Programmed',
                    'Sending translated listener configuration to the data plane',
                  ),
                  condition('ResolvedRefs', 'True', 'ResolvedRefs', 'Listener references have been resolved'),
                ]
              : [
                  condition('Programmed', 'False', 'Invalid', 'Listener is invalid, see other Conditions for details.'),
                  condition(
                    'ResolvedRefs',
                    'False',
                    'InvalidCertificateRef',
                    'Secret edge/wildcard-kontor does not exist.',
                  ),
                ],
          },
        ],
      });
      gateway.status(state(true));
      cluster.deployment('edge/envoy-public', { replicas: 2, image: 'registry.example/envoy:1.33' });
      cluster.at('10s', () => secret.delete());
      cluster.at('12s', () => gateway.status(state(false)));
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'Secret/edge/wildcard-kontor',
        accepts: ['Gateway/edge/public'],
        beginsAfterSeconds: 12,
        mustNotBlame: ['Deployment/edge/envoy-public'],
      });
    },
  ),

  'route-leads-to-a-service-that-was-renamed': scenario(
    'A route of a gateway is edited to a Service that does not exist; the release of the door itself before is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('httproutes.gateway.networking.k8s.io/v1', 'HTTPRoute'));
      cluster.deployment('tickets/sales', { replicas: 2, image: 'registry.example/sales:3' });
      cluster.service('tickets/sales');
      const to = (name: string) => ({
        ...{ parentRefs: [{ name: 'public', namespace: 'edge' }], hostnames: ['tickets.kontor.example'] },
        rules: [{ backendRefs: [{ name, port: 80 }] }],
      });
      const route = cluster.object(thing('gateway.networking.k8s.io/v1', 'HTTPRoute', 'tickets/sales', to('sales')));
      const state = (resolved: boolean) => ({
        parents: [
          {
            ...{
              controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
              parentRef: { name: 'public', namespace: 'edge' },
            },
            conditions: [
              {
                type: 'Accepted',
                status: 'True',
                reason: 'Accepted',
                message: 'Route is accepted',
                lastTransitionTime: 'now',
              },
              resolved
                ? {
                    type: 'ResolvedRefs',
                    status: 'True',
                    reason: 'ResolvedRefs',
                    message: 'Resolved all the Object references for the Route',
                    lastTransitionTime: 'now',
                  }
                : {
                    type: 'ResolvedRefs',
                    status: 'False',
                    reason: 'BackendNotFound',
                    message: 'Failed to process route rule 0 backendRef 0: service tickets/sales-api not found.',
                    lastTransitionTime: 'now',
                  },
            ],
          },
        ],
      });
      route.status(state(true));
      const proxy = cluster.deployment('edge/envoy-public', { replicas: 2, image: 'registry.example/envoy:1.33' });
      cluster.at('3s', () => proxy.setImage('registry.example/envoy:1.34'));
      cluster.at('25s', () => route.patch({ spec: to('sales-api') }));
      cluster.at('26s', () => route.status(state(false)));
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'HTTPRoute/tickets/sales',
        beginsAfterSeconds: 26,
        mustNotBlame: ['Deployment/edge/envoy-public', 'Deployment/tickets/sales'],
      });
    },
  ),

  'calm-certificate-is-issued-anew': scenario(
    'A certificate is renewed in a minute and its server restarted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('certificates.cert-manager.io/v1', 'Certificate'));
      const secret = cluster.secret('web/front-tls', { 'tls.crt': 'old', 'tls.key': 'old' });
      const certificate = cluster.object(
        thing('cert-manager.io/v1', 'Certificate', 'web/front-tls', {
          secretName: 'front-tls',
          dnsNames: ['www.kontor.example'],
        }),
      );
      certificate.status(ready('Certificate is up to date and has not expired'));
      const front = cluster.deployment('web/front', {
        ...{ replicas: 2, image: 'registry.example/front:1' },
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'front-tls' } }] },
        container: { volumeMounts: [{ name: 'tls', mountPath: '/tls' }] },
      });
      const pair = (issuing: boolean) => ({
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'Ready',
            message: 'Certificate is up to date and has not expired',
            lastTransitionTime: 'now',
          },
          ...(issuing
            ? [
                {
                  type: 'Issuing',
                  status: 'True',
                  reason: 'Renewing',
                  message: 'Renewing certificate as renewal was scheduled at 2026-11-29 07:00:00 +0000 UTC',
                  lastTransitionTime: 'now',
                },
              ]
            : []),
        ],
      });
      cluster.at('10s', () => certificate.status(pair(true)));
      cluster.at('50s', () => {
        secret.edit({ 'tls.crt': 'new', 'tls.key': 'new' });
        certificate.status(pair(false));
      });
      cluster.at('60s', () => front.restart());
    },
  ),

  'calm-application-is-synced-in-steps': scenario(
    'An application is out of sync, progresses and is healthy again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('applications.argoproj.io/v1alpha1', 'Application'));
      const app = cluster.object(
        thing('argoproj.io/v1alpha1', 'Application', 'argocd/blog', { project: 'default', source: { path: 'blog' } }),
      );
      app.status({ sync: { status: 'Synced' }, health: { status: 'Healthy' } });
      const blog = cluster.deployment('blog/blog', { replicas: 3, image: 'registry.example/blog:1' });
      cluster.image('registry.example/blog:2', {
        readyAfterSeconds: 14,
        readinessSays: 'Get "http://10.244.1.8:8080/ready": dial tcp 10.244.1.8:8080: connect: connection refused',
      });
      cluster.at('10s', () => app.status({ sync: { status: 'OutOfSync' }, health: { status: 'Healthy' } }));
      cluster.at('14s', () => {
        blog.setImage('registry.example/blog:2');
        app.status({ sync: { status: 'Synced' }, health: { status: 'Progressing' } });
      });
      cluster.at('90s', () => app.status({ sync: { status: 'Synced' }, health: { status: 'Healthy' } }));
    },
  ),

  'calm-queue-is-empty-and-its-workers-are-sent-home': scenario(
    'A scaler finds its queue empty and later full again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(kindOf('scaledobjects.keda.sh/v1alpha1', 'ScaledObject'));
      const scaler = cluster.object(
        thing('keda.sh/v1alpha1', 'ScaledObject', 'video/transcoder', {
          scaleTargetRef: { name: 'transcoder' },
          minReplicaCount: 0,
        }),
      );
      const state = (active: boolean) => ({
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'ScaledObjectReady',
            message: 'ScaledObject is defined correctly and is ready for scaling',
          },
          active
            ? {
                type: 'Active',
                status: 'True',
                reason: 'ScalerActive',
                message: 'Scaling is performed because triggers are active',
              }
            : {
                type: 'Active',
                status: 'False',
                reason: 'ScalerNotActive',
                message: 'Scaling is not performed because triggers are not active',
              },
          {
            type: 'Fallback',
            status: 'False',
            reason: 'NoFallbackFound',
            message: 'No fallbacks are active on this scaled object',
          },
        ],
      });
      scaler.status(state(true));
      const workers = cluster.deployment('video/transcoder', {
        replicas: 3,
        image: 'registry.example/transcoder:8',
        probe: false,
      });
      cluster.at('10s', () => {
        scaler.status(state(false));
        workers.scale(0);
      });
      cluster.at('100s', () => {
        scaler.status(state(true));
        workers.scale(5);
      });
    },
  ),
};

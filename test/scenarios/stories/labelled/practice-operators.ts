import { company, condition, custom, define, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

const ready = condition('Ready', 'True', 'Ready', 'all is in place');

/** Operators, their objects, and namespaces. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://cloudnative-pg.io/documentation/current/wal_archiving: the bucket is gone.
  'journal-of-a-database-is-archived-nowhere': scenario(
    'The archive of a PostgreSQL cluster fails, as its bucket is gone; its Pods are healthy',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, 'postgresql.cnpg.io/v1', ['Cluster']);
      cluster.statefulSet('orders/orders-db', { replicas: 3, image: 'ghcr.example/cloudnative-pg/postgresql:17.5' });
      const database = custom(cluster, 'postgresql.cnpg.io/v1', 'Cluster', 'orders/orders-db', { instances: 3 });
      const status = (archiving: readonly [string, string, string]): object => ({
        phase: 'Cluster in healthy state',
        conditions: [
          { type: 'Ready', status: 'True', reason: 'ClusterIsReady', message: 'Cluster is Ready' },
          {
            type: 'ContinuousArchiving',
            status: archiving[0],
            reason: archiving[1],
            message: archiving[2],
            lastTransitionTime: 'now',
          },
        ],
      });
      database.status(status(['True', 'ContinuousArchivingSuccess', 'Continuous archiving is working']));
      cluster.at('8s', () =>
        database.status(
          status([
            'False',
            'ContinuousArchivingFailing',
            'unexpected failure invoking barman-cloud-wal-archive: exit status 4: An error occurred (NoSuchBucket) when calling the PutObject operation: The specified bucket does not exist',
          ]),
        ),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Cluster.postgresql.cnpg.io/orders/orders-db',
        beginsAfterSeconds: 8,
        firstMessageWithinSeconds: 900,
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/orders/orders-db'],
      });
    },
  ),

  // https://velero.io/docs/main/troubleshooting/: the place of all backups cannot be reached.
  'place-of-the-backups-is-unavailable': scenario(
    'The place where Velero puts its backups is unavailable, and a backup is refused for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, 'velero.io/v1', ['BackupStorageLocation', 'Backup']);
      cluster.deployment('velero/velero', { image: 'docker.io/velero/velero:v1.16' });
      const place = custom(cluster, 'velero.io/v1', 'BackupStorageLocation', 'velero/default', {
        provider: 'aws',
        objectStorage: { bucket: 'backups' },
      });
      place.status({ phase: 'Available' });
      const backup = custom(cluster, 'velero.io/v1', 'Backup', 'velero/nightly-20261122', {
        storageLocation: 'default',
      });
      cluster.at('8s', () =>
        place.status({
          phase: 'Unavailable',
          message:
            'BackupStorageLocation "default" is unavailable: rpc error: code = Unknown desc = operation error S3: ListObjectsV2, https response error StatusCode: 403, api error InvalidAccessKeyId: The AWS Access Key Id you provided does not exist in our records.',
        }),
      );
      cluster.at('20s', () =>
        backup.status({
          phase: 'FailedValidation',
          validationErrors: ["backup can't be created because BackupStorageLocation default is in Unavailable status."],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'BackupStorageLocation.velero.io/velero/default',
        accepts: ['Backup.velero.io/velero/nightly-20261122'],
        beginsAfterSeconds: 8,
        firstMessageWithinSeconds: 900,
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/velero/velero'],
      });
    },
  ),

  // https://fluxcd.io/flux/components/source/gitrepositories/: the host of the sources has another key.
  'source-of-all-cannot-be-cloned': scenario(
    'Flux cannot clone the source of the platform any more; two Kustomizations of it stand still',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const firm = company(cluster);
      define(cluster, 'source.toolkit.fluxcd.io/v1', ['GitRepository']);
      define(cluster, 'kustomize.toolkit.fluxcd.io/v1', ['Kustomization']);
      const source = custom(cluster, 'source.toolkit.fluxcd.io/v1', 'GitRepository', 'flux-system/platform', {
        url: 'ssh://git@code.borealis.example/platform',
      });
      source.status(ready);
      const parts = ['infra', 'apps'].map((name) => {
        const part = custom(cluster, 'kustomize.toolkit.fluxcd.io/v1', 'Kustomization', `flux-system/${name}`, {
          sourceRef: { kind: 'GitRepository', name: 'platform' },
          path: `./${name}`,
        });
        part.status(ready);
        return part;
      });
      innocentRelease(cluster, '3s', firm);
      cluster.at('8s', () =>
        source.status(
          condition(
            'Ready',
            'False',
            'GitOperationFailed',
            "failed to checkout and determine revision: unable to clone 'ssh://git@code.borealis.example/platform': ssh: handshake failed: knownhosts: key mismatch",
          ),
        ),
      );
      cluster.at('12s', () => {
        for (const part of parts)
          part.status(condition('Ready', 'False', 'ArtifactFailed', 'Source artifact not found, retrying in 30s'));
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'GitRepository.source.toolkit.fluxcd.io/flux-system/platform',
        beginsAfterSeconds: 8,
        firstMessageWithinSeconds: 900,
        messages: { resolve: 0 },
        mustNotBlame: [
          'Kustomization.kustomize.toolkit.fluxcd.io/flux-system/infra',
          'Kustomization.kustomize.toolkit.fluxcd.io/flux-system/apps',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://docs.crossplane.io/latest/guides/troubleshoot-crossplane/: the Secret with the keys of the cloud is deleted.
  'keys-of-a-provider-deleted': scenario(
    'The Secret with the keys of the cloud is deleted, and two databases of Crossplane cannot be looked after',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, 'rds.aws.m.upbound.io/v1beta1', ['Instance']);
      define(cluster, 'aws.m.upbound.io/v1beta1', ['ProviderConfig']);
      const secret = cluster.secret('crossplane/aws-keys', { credentials: 'one' });
      cluster.deployment('crossplane/provider-aws-rds', { image: imageAt('provider-aws-rds', '2.1') });
      custom(cluster, 'aws.m.upbound.io/v1beta1', 'ProviderConfig', 'crossplane/default', {
        credentials: { source: 'Secret', secretRef: { namespace: 'crossplane', name: 'aws-keys', key: 'credentials' } },
      });
      const instances = ['orders', 'invoices'].map((name) => {
        const one = custom(cluster, 'rds.aws.m.upbound.io/v1beta1', 'Instance', `crossplane/${name}`, {
          providerConfigRef: { name: 'default', kind: 'ProviderConfig' },
        });
        one.status(condition('Synced', 'True', 'ReconcileSuccess', ''));
        return one;
      });
      cluster.at('6s', () => secret.delete());
      cluster.at('10s', () => {
        for (const one of instances)
          one.status(
            condition(
              'Synced',
              'False',
              'ReconcileError',
              'connect failed: cannot initialize the Terraform plugin SDK async external client: cannot get terraform setup: cannot get credentials: cannot get credentials secret: Secret "aws-keys" not found',
            ),
          );
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Secret/crossplane/aws-keys',
        accepts: ['ProviderConfig.aws.m.upbound.io/crossplane/default'],
        beginsAfterSeconds: 10,
        firstMessageWithinSeconds: 900,
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/crossplane/provider-aws-rds'],
      });
    },
  ),

  // https://github.com/bitnami-labs/sealed-secrets#secret-rotation: the controller was installed anew with another key.
  'seal-that-nobody-can-open': scenario(
    'The controller of sealed Secrets has another key; the Secret of a new service is not made',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, 'bitnami.com/v1alpha1', ['SealedSecret']);
      cluster.deployment('kube-system/sealed-secrets', { image: imageAt('sealed-secrets-controller', '0.31') });
      cluster.at('6s', () => {
        custom(cluster, 'bitnami.com/v1alpha1', 'SealedSecret', 'survey/database', { encryptedData: { url: 'AgB4' } });
        cluster.deployment('survey/forms', {
          replicas: 2,
          image: imageAt('forms', 1),
          env: { DATABASE_URL: 'secret/database/url' },
          broken: true,
        });
      });
      const sealed = cluster.planned({
        apiVersion: 'bitnami.com/v1alpha1',
        kind: 'SealedSecret',
        metadata: { namespace: 'survey', name: 'database' },
      });
      cluster.at('8s', () =>
        sealed.status(condition('Synced', 'False', 'Unsealed', 'no key could decrypt secret (url)')),
      );
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'SealedSecret.bitnami.com/survey/database',
        accepts: ['Secret/survey/database'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/survey/forms', 'Deployment/kube-system/sealed-secrets'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/namespaces/#deleting-a-namespace
  'namespace-with-a-shared-database-deleted': scenario(
    'A namespace that looked unused is deleted, with the database of two other teams in it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('pilot/postgres', { image: 'docker.io/library/postgres:16' });
      cluster.service('pilot/postgres', port(5432));
      cluster.deployment('pilot/demo', { image: imageAt('demo', 1) });
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'pilot' } });
      cluster.at('6s', () => namespace.delete());
      const values = { PGHOST: 'postgres.pilot.svc' };
      const clients = dependants(cluster, '20s', {
        'sales/leads': {
          does: ends(['could not translate host name "postgres.pilot.svc" to address: Name or service not known']),
          values,
        },
        'hr/surveys': {
          does: ends(['java.net.UnknownHostException: postgres.pilot.svc: Name or service not known']),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Namespace//pilot',
        accepts: ['Service/pilot/postgres', 'StatefulSet/pilot/postgres'],
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/: what was made by an operator waits for it.
  'namespace-waits-for-a-crashing-operator': scenario(
    'A namespace is deleted, and a database in it waits for its operator, which crashes',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      define(cluster, 'data.borealis.example/v1', ['Database']);
      const image = imageAt('database-operator', 3);
      cluster.deployment('operators/database-operator', { image });
      cluster.object({
        apiVersion: 'data.borealis.example/v1',
        kind: 'Database',
        metadata: { name: 'main', namespace: 'trial', finalizers: ['data.borealis.example/release-disks'] },
        spec: { size: 'small' },
      });
      cluster.at('5s', () =>
        cluster.befall(
          image,
          ends(
            [
              'panic: runtime error: invalid memory address or nil pointer dereference [recovered]',
              'goroutine 212 [running]: sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).Reconcile.func1()',
            ],
            2,
            3,
          ),
        ),
      );
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'trial' } });
      cluster.at('15s', () => namespace.delete());
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Deployment/operators/database-operator',
        messages: { resolve: 0 },
        mustNotBlame: ['Namespace//trial'],
      });
    },
  ),
};

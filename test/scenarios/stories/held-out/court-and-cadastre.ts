import { scenario } from '../../kit/scenario.ts';
import { crash, ingress, ingressClass, listens, storageClass, volume } from '../../kit/things.ts';

export const stories = {
  'dockets-are-not-published-past-a-check-that-is-not-trusted': scenario(
    'The certificate of an admission check is drawn anew, and the API server still trusts the old authority; its Pods were restarted and are well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const service = { namespace: 'court-edge', name: 'ingress-admission' };
      const tls = cluster.secret('court-edge/ingress-admission-tls', { 'tls.crt': 'old', 'tls.key': 'old' });
      const check = cluster.deployment('court-edge/ingress-admission', {
        replicas: 2,
        image: 'registry.k8s.io/ingress-nginx/controller:v1.11.2',
        container: { ports: [{ name: 'webhook', containerPort: 8443 }] },
        pod: { volumes: [{ name: 'webhook-cert', secret: { secretName: 'ingress-admission-tls' } }] },
      });
      cluster.service('court-edge/ingress-admission', {
        ports: [{ name: 'https-webhook', port: 443, targetPort: 8443, protocol: 'TCP' }],
      });
      cluster.object({
        ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
        metadata: { name: 'ingress-admission' },
        webhooks: [
          {
            name: 'validate.nginx.ingress.kubernetes.io',
            clientConfig: {
              service: { ...service, path: '/networking/v1/ingresses' },
              caBundle: 'b2xkIGF1dGhvcml0eQ==',
            },
            ...{ failurePolicy: 'Fail', sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 10 },
            rules: [
              {
                ...{ apiGroups: ['networking.k8s.io'], apiVersions: ['v1'] },
                ...{ operations: ['CREATE', 'UPDATE'], resources: ['ingresses'] },
              },
            ],
          },
        ],
      });
      cluster.deployment('court-dockets/docket-web', {
        replicas: 2,
        image: 'registry.court.example/dockets/web:8.0',
      });
      cluster.service('court-dockets/docket-web');
      cluster.image('registry.court.example/dockets/publish:8.1', {
        log: [
          'service/docket-web unchanged',
          'deployment.apps/docket-web unchanged',
          'Error from server (InternalError): error when creating "ingress.yaml": Internal error occurred: failed calling webhook "validate.nginx.ingress.kubernetes.io": failed to call webhook: Post "https://ingress-admission.court-edge.svc:443/networking/v1/ingresses?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
        ],
        exit: { afterSeconds: 4, code: 1 },
      });
      cluster.at('10s', () => {
        tls.edit({ 'tls.crt': 'new', 'tls.key': 'new' });
        check.restart();
      });
      cluster.at('60s', () =>
        cluster.job('court-dockets/publish-dockets-8-1', {
          image: 'registry.court.example/dockets/publish:8.1',
          spec: { backoffLimit: 1 },
        }),
      );
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'ValidatingWebhookConfiguration//ingress-admission',
        accepts: ['Secret/court-edge/ingress-admission-tls'],
        mustNotBlame: ['Deployment/court-edge/ingress-admission', 'Deployment/court-dockets/docket-web'],
      });
    },
  ),

  'parcel-schema-job-fails-and-the-portal-waits-for-it': scenario(
    'A migration refers to a table that is not there; the portal that is rolled out with it waits for the new schema in its init container',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('cadastre/postgis', {
        image: 'registry.example/postgis:16-3.4',
        ...listens(5432),
      });
      cluster.service('cadastre/postgis', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432 }] });
      const portal = cluster.deployment('cadastre/portal', {
        replicas: 2,
        image: 'registry.example/cadastre/portal:6.4',
        init: 'registry.example/cadastre/schema-gate:6.4',
        values: { DATABASE_URL: 'postgresql://portal@postgis.cadastre.svc:5432/cadastre' },
      });
      cluster.image('registry.example/cadastre/flyway:7.0', {
        log: [
          'Flyway Community Edition 10.17.1 by Redgate',
          'Database: jdbc:postgresql://postgis.cadastre.svc:5432/cadastre (PostgreSQL 16.3)',
          'Successfully validated 43 migrations (execution time 00:00.112s)',
          'Current version of schema "public": 6.4',
          'Migrating schema "public" to version "7.0 - parcel geometry"',
          'ERROR: Migration of schema "public" to version "7.0 - parcel geometry" failed! Changes successfully rolled back.',
          'ERROR: Script V7_0__parcel_geometry.sql failed',
          'SQL State  : 42P01',
          'Message    : ERROR: relation "parcel_boundary_2019" does not exist',
          'Line       : 14',
        ],
        exit: { afterSeconds: 6, code: 1 },
      });
      cluster.image('registry.example/cadastre/schema-gate:7.0', {
        log: [
          'waiting for job schema-migrate-7-0 to bring the schema to 7.0 (flyway_schema_history says 6.4)',
          'schema is still 6.4 after 30s, giving up this attempt',
        ],
        exit: { afterSeconds: 30, code: 1 },
      });
      cluster.at('10s', () => {
        cluster.job('cadastre/schema-migrate-7-0', {
          image: 'registry.example/cadastre/flyway:7.0',
          values: { FLYWAY_URL: 'jdbc:postgresql://postgis.cadastre.svc:5432/cadastre' },
          spec: { backoffLimit: 1 },
        });
        portal.change({
          image: 'registry.example/cadastre/portal:7.0',
          init: 'registry.example/cadastre/schema-gate:7.0',
        });
      });
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'Job/cadastre/schema-migrate-7-0',
        messages: { update: '≤1' },
        mustNotBlame: ['StatefulSet/cadastre/postgis', 'Service/cadastre/postgis'],
      });
    },
  ),

  'deed-viewer-cannot-pull-after-the-robot-account-changed': scenario(
    'The pull Secret is rewritten with the token of another robot account; a drain is what makes Pods pull again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'harbor.land.example/register/deed-viewer:2.8.0';
      const pull = cluster.secret('land-register/harbor-robot', {
        '.dockerconfigjson': '{"auths":{"harbor.land.example":{"username":"robot$register","password":"a"}}}',
      });
      cluster.deployment('land-register/deed-viewer', {
        replicas: 3,
        image,
        pod: { imagePullSecrets: [{ name: 'harbor-robot' }] },
        container: { imagePullPolicy: 'Always' },
      });
      cluster.service('land-register/deed-viewer');
      cluster.at('10s', () => {
        pull.edit({
          '.dockerconfigjson': '{"auths":{"harbor.land.example":{"username":"robot$cadastre","password":"b"}}}',
        });
        cluster.image(image, { pullError: 'Unauthorized' });
      });
      cluster.at('45s', () => cluster.node('n2').drain());
      cluster.at('100s', () => cluster.node('n2').uncordon());
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'Secret/land-register/harbor-robot',
        accepts: ['Registry//harbor.land.example'],
        mustNotBlame: ['Node//n2'],
      });
    },
  ),

  'declaration-form-leads-nowhere-while-receipts-miss-an-image': scenario(
    'A Service is renamed and its Ingress is forgotten; in another namespace somebody rolls out a tag that was never pushed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      cluster.deployment('tax-office/declaration', { replicas: 2, image: 'registry.example/tax/declaration:12.3' });
      const old = cluster.service('tax-office/declaration');
      cluster.object(ingress('tax-office/declaration'));
      const mailer = cluster.deployment('tax-receipts/receipt-mailer', {
        replicas: 2,
        image: 'registry.example/tax/receipt-mailer:3.1',
      });
      cluster.image('registry.example/tax/receipt-mailer:3.2', { pullError: 'NotFound' });
      cluster.at('10s', () => {
        cluster.service('tax-office/declaration-web', { selector: { app: 'declaration' } });
        old.delete();
      });
      cluster.at('40s', () => mailer.setImage('registry.example/tax/receipt-mailer:3.2'));
      cluster.lasts('150s');
      cluster.expectIncident({
        root: 'Ingress/tax-office/declaration',
        accepts: ['Service/tax-office/declaration'],
        beginsAfterSeconds: 10,
        mustNotBlame: ['Deployment/tax-receipts/receipt-mailer', 'Deployment/tax-office/declaration'],
      });
      cluster.expectIncident({
        root: 'Deployment/tax-receipts/receipt-mailer',
        reason: 'ImageNotFound',
        mustNotBlame: ['Ingress/tax-office/declaration'],
      });
    },
  ),

  'passport-photos-no-longer-fit-on-the-object-store': scenario(
    'The drive of the object store is full; the uploader that fails was rolled out a minute before, and that has nothing to do with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('local-xfs'));
      cluster.object(volume('pv-passport-objects', 'local-xfs'));
      cluster.statefulSet('passport/minio', {
        image: 'quay.io/minio/minio:RELEASE.2025-04-22T22-12-26Z',
        ...listens(9000),
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'objects' },
              spec: {
                ...{ storageClassName: 'local-xfs', accessModes: ['ReadWriteOnce'] },
                resources: { requests: { storage: '1Gi' } },
              },
            },
          ],
        },
        pod: { volumes: [{ name: 'tmp', emptyDir: {} }] },
      });
      cluster.service('passport/minio', { ports: [{ name: 's3', port: 9000, targetPort: 9000 }] });
      const uploader = cluster.deployment('passport/photo-uploader', {
        replicas: 2,
        image: 'registry.example/passport/photo-uploader:5.6',
        values: { S3_ENDPOINT: 'http://minio.passport.svc:9000', S3_BUCKET: 'photos' },
      });
      cluster.at('10s', () => uploader.setImage('registry.example/passport/photo-uploader:5.7'));
      cluster.at('75s', () => {
        cluster.befall('quay.io/minio/minio:RELEASE.2025-04-22T22-12-26Z', {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            'INFO: MinIO Object Storage Server',
            'API: PutObject(bucket=photos, object=2026/11/29/7f/7f3c2e.jpg)',
            'Time: 09:41:12 UTC 11/29/2026',
            'RemoteHost: 10.244.1.17',
            'Error: Storage reached its minimum free drive threshold: /export free 0 B of 1.0 GiB - error drive path full (*errors.errorString)',
            '       4: internal/logger/logger.go:268:logger.LogIf()',
            'Error: Write failed. Insufficient number of drives online (*errors.errorString)',
          ],
        });
        cluster.befall(
          'registry.example/passport/photo-uploader:5.7',
          crash(
            [
              'INFO  c.e.passport.Uploader - starting photo-uploader 5.7',
              'ERROR c.e.passport.Uploader - PutObject photos/2026/11/29/7f/7f3c2e.jpg failed',
              'com.amazonaws.services.s3.model.AmazonS3Exception: Storage backend has reached its minimum free drive threshold. Please delete a few objects to proceed. (Service: Amazon S3; Status Code: 507; Error Code: XMinioStorageFull; Request ID: 17F07B7E66FF01BF)',
              'ERROR c.e.passport.Uploader - health write to http://minio.passport.svc:9000/photos failed, exiting',
            ],
            5,
          ),
        );
      });
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/passport/objects-minio-0',
        accepts: ['StatefulSet/passport/minio'],
        mustNotBlame: ['Deployment/passport/photo-uploader'],
      });
    },
  ),

  'hearing-calendar-asks-a-health-path-that-has-moved': scenario(
    'A new version answers its health check under another path; the rollout stands still with the old Pods serving',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const calendar = cluster.deployment('probate/hearing-calendar', {
        replicas: 3,
        image: 'registry.example/probate/hearing-calendar:2.9',
        spec: { progressDeadlineSeconds: 120 },
      });
      cluster.service('probate/hearing-calendar');
      cluster.image('registry.example/probate/hearing-calendar:3.0', {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 404',
        log: [
          'Started HearingCalendarApplication in 7.412 seconds (process running for 8.02)',
          "Exposing 3 endpoints beneath base path '/actuator'",
          'WARN o.s.web.servlet.PageNotFound : No mapping for GET /ready',
        ],
      });
      cluster.at('10s', () => calendar.setImage('registry.example/probate/hearing-calendar:3.0'));
      cluster.lasts('200s');
      cluster.expectIncident({ root: 'Deployment/probate/hearing-calendar' });
    },
  ),

  'law-index-does-not-start-on-the-machine-that-was-not-tuned': scenario(
    'A member of the search cluster is added and lands on a new machine whose kernel settings are the default',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', 'n3'].map((name) => ({ name, cpu: '4' })));
      const image = 'opensearchproject/opensearch:2.15.0';
      cluster.image(image, ({ spec }) =>
        spec.nodeName === 'n4'
          ? crash(
              [
                '[2026-11-29T08:02:11,540][INFO ][o.o.n.Node] [law-index-3] version[2.15.0], pid[1], build[tar/61dbcd0795c9bfe9b81e5762175414bc38bbcadf], OS[Linux/6.1.0/amd64]',
                '[2026-11-29T08:02:19,214][INFO ][o.o.b.BootstrapChecks] [law-index-3] bound or publishing to a non-loopback address, enforcing bootstrap checks',
                '[2026-11-29T08:02:19,233][ERROR][o.o.b.Bootstrap] [law-index-3] node validation exception',
                '[1] bootstrap checks failed',
                '[1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
                '[2026-11-29T08:02:19,241][INFO ][o.o.n.Node] [law-index-3] stopping ...',
              ],
              8,
              78,
            )
          : {},
      );
      const index = cluster.statefulSet('legal-search/law-index', { replicas: 3, image, cpu: '3', ...listens(9200) });
      cluster.service('legal-search/law-index', { clusterIP: 'None', ports: [{ name: 'http', port: 9200 }] });
      cluster.at('5s', () => cluster.addNode({ name: 'n4', cpu: '4', labels: { pool: 'search-2' } }));
      cluster.at('30s', () => index.scale(4));
      cluster.lasts('150s');
      cluster.expectIncident({ root: 'Node//n4', accepts: ['StatefulSet/legal-search/law-index'] });
    },
  ),
};

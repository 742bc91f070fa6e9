import { custom, define } from '../../kit/company.ts';
import { type ClusterBuilder, scenario } from '../../kit/scenario.ts';
import { claim, volume } from '../../kit/things.ts';

/** A server that listens on a port of its own and is probed there. */
const serves = (port: number, more: object = {}): { readonly probe: false; readonly container: object } => ({
  probe: false,
  container: { ports: [{ containerPort: port }], readinessProbe: { tcpSocket: { port } }, ...more },
});
const onPort = (port: number): object => ({ ports: [{ name: 'main', port, targetPort: port, protocol: 'TCP' }] });

/** A condition that changes now; `observedGeneration` where the controller of its kind writes one. */
const now = (type: string, status: string, reason: string, message: string, observedGeneration?: number): object => ({
  ...{ type, status, reason, message, lastTransitionTime: 'now' },
  ...(observedGeneration !== undefined && { observedGeneration }),
});

const certManager = 'cert-manager.io/v1';
const gatewayApi = 'gateway.networking.k8s.io/v1';

/** The kinds of the Gateway API, a class that is accepted and a Gateway of it. */
function gatewayOf(cluster: ClusterBuilder, place: string, secret: string): ReturnType<ClusterBuilder['object']> {
  define(cluster, gatewayApi, ['Gateway', 'HTTPRoute']);
  return custom(cluster, gatewayApi, 'Gateway', place, {
    gatewayClassName: 'envoy',
    listeners: [
      {
        ...{ name: 'https', port: 443, protocol: 'HTTPS', allowedRoutes: { namespaces: { from: 'Same' } } },
        tls: { mode: 'Terminate', certificateRefs: [{ group: '', kind: 'Secret', name: secret }] },
      },
    ],
  });
}

/** The status of such a Gateway that is well. */
const gatewayIsWell = (attachedRoutes: number): object => ({
  addresses: [{ type: 'IPAddress', value: '203.0.113.40' }],
  conditions: [
    now('Accepted', 'True', 'Accepted', 'The Gateway has been scheduled by Envoy Gateway', 1),
    now('Programmed', 'True', 'Programmed', 'Address assigned to the Gateway, 1/1 envoy replicas available', 1),
  ],
  listeners: [
    {
      ...{ name: 'https', attachedRoutes, supportedKinds: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }] },
      conditions: [
        now('Programmed', 'True', 'Programmed', 'Sending translated listener configuration to the data plane', 1),
        now('Accepted', 'True', 'Accepted', 'Listener has been successfully translated', 1),
        now('ResolvedRefs', 'True', 'ResolvedRefs', 'Listener references have been resolved', 1),
      ],
    },
  ],
});

/** A route to port 80 of a Service, and what its Gateway says of it. */
const routeTo = (gateway: string, service: string, path = '/'): object => ({
  parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: gateway }],
  rules: [
    {
      matches: [{ path: { type: 'PathPrefix', value: path } }],
      backendRefs: [{ group: '', kind: 'Service', name: service, port: 80 }],
    },
  ],
});
const routeStatus = (gateway: string, ...conditions: readonly object[]): object => ({
  parents: [
    {
      controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
      parentRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: gateway },
      conditions,
    },
  ],
});

export const stories = {
  'shipyard-repository-token-rotated-to-a-wrong-one': scenario(
    'The token with which a GitOps controller reads the repository of a shipyard is replaced by one that does not work; a service of the application is rolled out at the same time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, 'argoproj.io/v1alpha1', ['Application']);
      cluster.statefulSet('argocd/argocd-application-controller', { image: 'quay.io/argoproj/argocd:v2.13.2' });
      const token = cluster.secret('argocd/repo-shipyard', {
        ...{ type: 'git', url: 'https://git.shipyard.example/deploy/docks.git', username: 'argo', password: 'glpat-1' },
      });
      const docks = cluster.deployment('shipyard/docks', { replicas: 2, image: 'registry.example/shipyard/docks:2.0' });
      const application = custom(cluster, 'argoproj.io/v1alpha1', 'Application', 'argocd/docks', {
        project: 'default',
        source: { repoURL: 'https://git.shipyard.example/deploy/docks.git', path: 'prod', targetRevision: 'main' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'shipyard' },
      });
      application.status({ sync: { status: 'Synced' }, health: { status: 'Healthy' } });
      cluster.at('15s', () =>
        token.edit({
          ...{
            type: 'git',
            url: 'https://git.shipyard.example/deploy/docks.git',
            username: 'argo',
            password: 'glpat-2',
          },
        }),
      );
      cluster.at('20s', () => docks.setImage('registry.example/shipyard/docks:2.1'));
      cluster.at('45s', () =>
        application.status({
          ...{ sync: { status: 'Unknown' }, health: { status: 'Healthy' } },
          conditions: [
            {
              ...{ type: 'ComparisonError', lastTransitionTime: 'now' },
              message:
                'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: authentication required: HTTP Basic: Access denied. The provided password or token is incorrect',
            },
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/argocd/repo-shipyard',
        accepts: ['Application.argoproj.io/argocd/docks'],
        beginsAfterSeconds: 45,
        mustNotBlame: ['Deployment/shipyard/docks'],
      });
    },
  ),
  'beach-shop-certificate-names-an-issuer-that-was-renamed': scenario(
    'A cluster issuer is made anew under another name; the certificate of a beach shop still names the old one when a host name is added to it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, certManager, ['Certificate', 'CertificateRequest']);
      define(cluster, certManager, ['ClusterIssuer'], 'Cluster');
      cluster.deployment('cert-manager/cert-manager', { image: 'quay.io/jetstack/cert-manager-controller:v1.16.2' });
      const old = custom(cluster, certManager, 'ClusterIssuer', '/letsencrypt', {
        acme: { email: 'ops@beach.example' },
      });
      old.status({
        conditions: [
          now('Ready', 'True', 'ACMEAccountRegistered', 'The ACME account was registered with the ACME server', 1),
        ],
      });
      const spec = (dnsNames: readonly string[]): object => ({
        ...{ secretName: 'beachshop-tls', dnsNames },
        issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'letsencrypt' },
      });
      const certificate = custom(
        cluster,
        certManager,
        'Certificate',
        'beachshop/beachshop',
        spec(['shop.beach.example']),
      );
      certificate.status({
        conditions: [now('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired', 1)],
      });
      cluster.deployment('beachshop/towels', { replicas: 2, image: 'registry.example/beachshop/towels:1.2' });
      const request = cluster.planned({
        ...{ apiVersion: certManager, kind: 'CertificateRequest' },
        metadata: {
          ...{ name: 'beachshop-2', namespace: 'beachshop' },
          annotations: { 'cert-manager.io/certificate-name': 'beachshop' },
        },
        spec: { issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'letsencrypt' } },
      });
      cluster.at('10s', () => {
        old.delete();
        custom(cluster, certManager, 'ClusterIssuer', '/letsencrypt-prod', {
          acme: { email: 'ops@beach.example' },
        }).status({
          conditions: [
            now('Ready', 'True', 'ACMEAccountRegistered', 'The ACME account was registered with the ACME server', 1),
          ],
        });
      });
      cluster.at('30s', () => certificate.patch({ spec: spec(['shop.beach.example', 'www.beach.example']) }));
      cluster.at('32s', () => {
        certificate.status({
          conditions: [
            now(
              'Ready',
              'False',
              'RequestChanged',
              'Fields on existing CertificateRequest resource not up to date: [spec.dnsNames]',
              2,
            ),
            now(
              'Issuing',
              'True',
              'RequestChanged',
              'Fields on existing CertificateRequest resource not up to date: [spec.dnsNames]',
              2,
            ),
          ],
        });
        request.create();
      });
      cluster.at('34s', () =>
        request.status({
          conditions: [
            now('Approved', 'True', 'cert-manager.io', 'Certificate request has been approved by cert-manager.io'),
            now(
              'Ready',
              'False',
              'Pending',
              'Referenced "ClusterIssuer" not found: clusterissuer.cert-manager.io "letsencrypt" not found',
            ),
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Certificate.cert-manager.io/beachshop/beachshop',
        accepts: [
          'CertificateRequest.cert-manager.io/beachshop/beachshop-2',
          'ClusterIssuer.cert-manager.io//letsencrypt',
        ],
        beginsAfterSeconds: 32,
        mustNotBlame: ['ClusterIssuer.cert-manager.io//letsencrypt-prod', 'Deployment/cert-manager/cert-manager'],
      });
    },
  ),
  'vineyard-secret-store-pointed-at-a-vault-that-is-gone': scenario(
    'A secret store of a vineyard is given the address of a vault that no longer answers; everything that is synced from it fails. The operator was rolled out just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'external-secrets.io/v1';
      define(cluster, group, ['SecretStore', 'ExternalSecret']);
      const operator = cluster.deployment('external-secrets/external-secrets', {
        image: 'ghcr.io/external-secrets/external-secrets:v0.16.1',
      });
      const provider = (server: string): object => ({
        provider: { vault: { server, path: 'vineyard', version: 'v2' } },
      });
      const store = custom(
        cluster,
        group,
        'SecretStore',
        'vineyard/vault',
        provider('https://vault-a.vineyard.example:8200'),
      );
      store.status({ conditions: [now('Ready', 'True', 'Valid', 'store validated')] });
      const synced = ['cellar-db', 'label-printer', 'tasting-mail'].map((name) =>
        custom(cluster, group, 'ExternalSecret', `vineyard/${name}`, {
          ...{ refreshInterval: '1m', secretStoreRef: { kind: 'SecretStore', name: 'vault' }, target: { name } },
        }),
      );
      for (const one of synced) one.status({ conditions: [now('Ready', 'True', 'SecretSynced', 'secret synced')] });
      cluster.at('10s', () => operator.setImage('ghcr.io/external-secrets/external-secrets:v0.16.2'));
      cluster.at('40s', () => store.patch({ spec: provider('https://vault-b.vineyard.example:8200') }));
      cluster.at('45s', () => {
        store.status({
          conditions: [
            now(
              'Ready',
              'False',
              'InvalidProviderConfig',
              'unable to validate store: unable to log in with Kubernetes auth: Put "https://vault-b.vineyard.example:8200/v1/auth/kubernetes/login": dial tcp: lookup vault-b.vineyard.example: no such host',
            ),
          ],
        });
      });
      cluster.at('1m5s', () => {
        for (const one of synced)
          one.status({
            conditions: [
              now(
                'Ready',
                'False',
                'SecretSyncedError',
                'error processing spec.data[0] (key: vineyard): SecretStore "vault" is not ready',
              ),
            ],
          });
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'SecretStore.external-secrets.io/vineyard/vault',
        beginsAfterSeconds: 45,
        mustNotBlame: [
          'Deployment/external-secrets/external-secrets',
          'ExternalSecret.external-secrets.io/vineyard/cellar-db',
          'ExternalSecret.external-secrets.io/vineyard/label-printer',
        ],
      });
    },
  ),
  'regatta-database-fills-its-volume': scenario(
    'The volume of a database that an operator runs is full; the database ends in a panic, its clients are refused, and its operator says so',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'postgresql.cnpg.io/v1';
      define(cluster, group, ['Cluster']);
      cluster.deployment('cnpg-system/cnpg-controller-manager', {
        image: 'ghcr.io/cloudnative-pg/cloudnative-pg:1.25.0',
      });
      const database = custom(cluster, group, 'Cluster', 'regatta/regatta-db', {
        instances: 1,
        storage: { size: '1Gi' },
      });
      database.status({
        ...{ phase: 'Cluster in healthy state', instances: 1, readyInstances: 1, currentPrimary: 'regatta-db-1' },
        conditions: [now('Ready', 'True', 'ClusterIsReady', 'Cluster is Ready')],
      });
      cluster.object(volume('pv-regatta-db-1', 'fast'));
      cluster.object(claim('regatta/regatta-db-1', 'fast', { volumeName: 'pv-regatta-db-1' }));
      const image = 'ghcr.io/cloudnative-pg/postgresql:17.2';
      cluster.pod('regatta/regatta-db-1', {
        image,
        ...serves(5432, { volumeMounts: [{ name: 'pgdata', mountPath: '/var/lib/postgresql/data' }] }),
        labels: { 'cnpg.io/cluster': 'regatta-db', 'cnpg.io/instanceRole': 'primary' },
        pod: { volumes: [{ name: 'pgdata', persistentVolumeClaim: { claimName: 'regatta-db-1' } }] },
      });
      cluster.service('regatta/regatta-db-rw', {
        ...onPort(5432),
        selector: { 'cnpg.io/cluster': 'regatta-db', 'cnpg.io/instanceRole': 'primary' },
      });
      cluster.deployment('regatta/timing', {
        ...{
          replicas: 2,
          image: 'registry.example/regatta/timing:3.0',
          values: { PGHOST: 'regatta-db-rw.regatta.svc', PGPORT: '5432' },
        },
      });
      cluster.at('20s', () =>
        cluster.befall(image, {
          exit: { afterSeconds: 3, code: 1 },
          log: [
            '{"level":"info","ts":"2026-06-20T10:02:11.508Z","logger":"postgres","msg":"record","logging_pod":"regatta-db-1","record":{"error_severity":"PANIC","sql_state_code":"53100","message":"could not write to file \\"pg_wal/xlogtemp.31\\": No space left on device"}}',
            '{"level":"info","ts":"2026-06-20T10:02:11.730Z","logger":"instance-manager","msg":"Detected low-disk space condition, avoid starting the instance","logging_pod":"regatta-db-1"}',
          ],
        }),
      );
      cluster.at('35s', () => {
        database.status({
          ...{ phase: 'Not enough disk space', readyInstances: 0 },
          phaseReason:
            'Insufficient disk space detected in one or more pods is preventing PostgreSQL from running.Please verify your storage settings. Further information inside .status.instancesReportedState',
          conditions: [now('Ready', 'False', 'ClusterIsNotReady', 'Cluster Is Not Ready')],
        });
        cluster.befall('registry.example/regatta/timing:3.0', {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            'psycopg.OperationalError: connection failed: connection to server at "10.96.80.3", port 5432 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/regatta/regatta-db-1',
        accepts: ['Cluster.postgresql.cnpg.io/regatta/regatta-db', 'Pod/regatta/regatta-db-1'],
        mustNotBlame: ['Deployment/regatta/timing', 'Deployment/cnpg-system/cnpg-controller-manager'],
      });
    },
  ),
  'campsite-route-leads-to-a-service-that-was-deleted': scenario(
    'A Service is deleted in a clean-up while a route of the campsite still leads to it; another route of the same gateway is edited well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.secret('campsite/campsite-tls', { 'tls.crt': 'x', 'tls.key': 'x' });
      gatewayOf(cluster, 'campsite/campsite', 'campsite-tls').status(gatewayIsWell(2));
      for (const name of ['pitches', 'shop']) {
        cluster.deployment(`campsite/${name}`, { replicas: 2, image: `registry.example/campsite/${name}:1.0` });
      }
      const pitches = cluster.service('campsite/pitches');
      cluster.service('campsite/shop');
      const well = (generation: number): object =>
        routeStatus(
          'campsite',
          now('Accepted', 'True', 'Accepted', 'Route is accepted', generation),
          now('ResolvedRefs', 'True', 'ResolvedRefs', 'Resolved all the Object references for the Route', generation),
        );
      const first = custom(cluster, gatewayApi, 'HTTPRoute', 'campsite/pitches', routeTo('campsite', 'pitches'));
      const second = custom(cluster, gatewayApi, 'HTTPRoute', 'campsite/shop', routeTo('campsite', 'shop'));
      first.status(well(1));
      second.status(well(1));
      cluster.at('10s', () => second.patch({ spec: routeTo('campsite', 'shop', '/shop') }));
      cluster.at('11s', () => second.status(well(2)));
      cluster.at('30s', () => pitches.delete());
      cluster.at('32s', () =>
        first.status(
          routeStatus(
            'campsite',
            now('Accepted', 'True', 'Accepted', 'Route is accepted', 1),
            now(
              'ResolvedRefs',
              'False',
              'BackendNotFound',
              'Failed to process route rule 0 backendRef 0: service campsite/pitches not found.',
              1,
            ),
          ),
        ),
      );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Service/campsite/pitches',
        accepts: ['HTTPRoute.gateway.networking.k8s.io/campsite/pitches', 'HTTPRoute/campsite/pitches'],
        beginsAfterSeconds: 30,
        mustNotBlame: [
          'HTTPRoute.gateway.networking.k8s.io/campsite/shop',
          'Deployment/campsite/pitches',
          'Service/campsite/shop',
        ],
      });
    },
  ),
  'planetarium-gateway-loses-its-certificate': scenario(
    'The Secret with the certificate of a planetarium is deleted; its gateway can no longer listen',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const pair = cluster.secret('planetarium/dome-tls', { 'tls.crt': 'x', 'tls.key': 'x' });
      const gateway = gatewayOf(cluster, 'planetarium/dome', 'dome-tls');
      gateway.status(gatewayIsWell(1));
      cluster.deployment('planetarium/shows', { replicas: 2, image: 'registry.example/planetarium/shows:5.1' });
      cluster.service('planetarium/shows');
      custom(cluster, gatewayApi, 'HTTPRoute', 'planetarium/shows', routeTo('dome', 'shows')).status(
        routeStatus(
          'dome',
          now('Accepted', 'True', 'Accepted', 'Route is accepted', 1),
          now('ResolvedRefs', 'True', 'ResolvedRefs', 'Resolved all the Object references for the Route', 1),
        ),
      );
      cluster.at('20s', () => pair.delete());
      cluster.at('22s', () =>
        gateway.status({
          addresses: [{ type: 'IPAddress', value: '203.0.113.40' }],
          conditions: [
            now('Accepted', 'True', 'Accepted', 'The Gateway has been scheduled by Envoy Gateway', 1),
            now('Programmed', 'False', 'Invalid', 'One or more listeners are not valid', 1),
          ],
          listeners: [
            {
              ...{
                name: 'https',
                attachedRoutes: 1,
                supportedKinds: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }],
              },
              conditions: [
                now('ResolvedRefs', 'False', 'InvalidCertificateRef', 'Secret planetarium/dome-tls does not exist.', 1),
                now('Programmed', 'False', 'Invalid', 'Listener is invalid, see other Conditions for details.', 1),
                now('Accepted', 'True', 'Accepted', 'Listener has been successfully translated', 1),
              ],
            },
          ],
        }),
      );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Secret/planetarium/dome-tls',
        accepts: ['Gateway.gateway.networking.k8s.io/planetarium/dome', 'Gateway/planetarium/dome'],
        beginsAfterSeconds: 20,
        mustNotBlame: ['Deployment/planetarium/shows', 'HTTPRoute.gateway.networking.k8s.io/planetarium/shows'],
      });
    },
  ),
  'canteen-release-has-a-word-for-a-number-while-a-till-crashes': scenario(
    'The values of a canteen release do not fit the schema of its chart; at the same time the tills of a shop crash on their own',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'helm.toolkit.fluxcd.io/v2';
      define(cluster, group, ['HelmRelease']);
      cluster.deployment('flux-system/helm-controller', { image: 'ghcr.io/fluxcd/helm-controller:v1.1.0' });
      cluster.deployment('canteen/menu', { replicas: 2, image: 'registry.example/canteen/menu:2.2' });
      const spec = (replicaCount: number | string): object => ({
        ...{ interval: '10m', values: { replicaCount } },
        chart: { spec: { chart: 'menu', version: '2.3.0', sourceRef: { kind: 'HelmRepository', name: 'canteen' } } },
      });
      const release = custom(cluster, group, 'HelmRelease', 'canteen/menu', spec(2));
      release.status({
        observedGeneration: 1,
        conditions: [
          now(
            'Ready',
            'True',
            'UpgradeSucceeded',
            'Helm upgrade succeeded for release canteen/menu.v14 with chart menu@2.2.9',
            1,
          ),
          now(
            'Released',
            'True',
            'UpgradeSucceeded',
            'Helm upgrade succeeded for release canteen/menu.v14 with chart menu@2.2.9',
            1,
          ),
        ],
      });
      const till = cluster.deployment('cornershop/till', {
        replicas: 2,
        image: 'registry.example/cornershop/till:8.0',
      });
      cluster.image('registry.example/cornershop/till:8.1', {
        exit: { afterSeconds: 2, code: 134 },
        log: [
          "thread 'main' panicked at src/drawer.rs:88:31:",
          'called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }',
          'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
        ],
      });
      const message =
        "Helm upgrade failed for release canteen/menu with chart menu@2.3.0: values don't meet the specifications of the schema(s) in the following chart(s):\nmenu:\n- replicaCount: Invalid type. Expected: integer, given: string\n";
      cluster.at('15s', () => release.patch({ spec: spec('three') }));
      cluster.at('20s', () =>
        release.status({
          observedGeneration: 2,
          conditions: [
            now('Ready', 'False', 'UpgradeFailed', message, 2),
            now('Released', 'False', 'UpgradeFailed', message, 2),
          ],
        }),
      );
      cluster.at('50s', () => till.setImage('registry.example/cornershop/till:8.1'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'HelmRelease.helm.toolkit.fluxcd.io/canteen/menu',
        beginsAfterSeconds: 20,
        mustNotBlame: [
          'Deployment/cornershop/till',
          'Deployment/canteen/menu',
          'Deployment/flux-system/helm-controller',
        ],
      });
      cluster.expectIncident({
        root: 'Deployment/cornershop/till',
        mustNotBlame: ['HelmRelease.helm.toolkit.fluxcd.io/canteen/menu'],
      });
    },
  ),
  'town-hall-backups-have-no-place-to-go': scenario(
    'The key of the bucket in which a town hall keeps its backups is replaced by a wrong one, and the place of the backups becomes unavailable',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, 'velero.io/v1', ['BackupStorageLocation', 'Backup']);
      cluster.deployment('velero/velero', { image: 'registry.example/velero/velero:v1.15.1' });
      const key = cluster.secret('velero/town-hall-bucket', {
        cloud: '[default]\naws_access_key_id=AK1\naws_secret_access_key=a',
      });
      const place = custom(cluster, 'velero.io/v1', 'BackupStorageLocation', 'velero/default', {
        ...{ provider: 'aws', default: true, objectStorage: { bucket: 'town-hall' } },
        credential: { name: 'town-hall-bucket', key: 'cloud' },
      });
      place.status({ phase: 'Available' });
      const backup = cluster.planned({
        ...{ apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'nightly-20260712', namespace: 'velero' } },
        spec: { storageLocation: 'default', includedNamespaces: ['townhall'] },
      });
      cluster.at('15s', () => key.edit({ cloud: '[default]\naws_access_key_id=AK1\naws_secret_access_key=b' }));
      cluster.at('40s', () =>
        place.status({
          phase: 'Unavailable',
          message:
            'BackupStorageLocation "default" is unavailable: rpc error: code = Unknown desc = operation error S3: ListObjectsV2, https response error StatusCode: 403, RequestID: 7N3, api error SignatureDoesNotMatch: The request signature we calculated does not match the signature you provided. Check your key and signing method.',
        }),
      );
      cluster.at('1m10s', () => backup.create());
      cluster.at('1m12s', () =>
        backup.status({
          phase: 'FailedValidation',
          validationErrors: ["backup can't be created because BackupStorageLocation default is in Unavailable status."],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/velero/town-hall-bucket',
        accepts: ['BackupStorageLocation.velero.io/velero/default'],
        beginsAfterSeconds: 40,
        mustNotBlame: ['Deployment/velero/velero'],
      });
    },
  ),
  'choir-archive-refuses-plain-callers-after-a-mesh-policy': scenario(
    'A mesh policy asks for mutual TLS in the namespace of a choir archive; a caller without a sidecar is cut off. The archive itself was rolled out before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, 'security.istio.io/v1', ['PeerAuthentication']);
      const scores = cluster.deployment('choirarchive/sheetmusic', {
        ...{
          replicas: 2,
          image: 'registry.example/choir/sheetmusic:3.0',
          labels: { 'sidecar.istio.io/inject': 'true' },
        },
      });
      cluster.service('choirarchive/sheetmusic');
      cluster.deployment('parish/hymn-board', {
        ...{ replicas: 2, image: 'registry.example/parish/hymn-board:1.4' },
        values: { SHEETMUSIC_URL: 'http://sheetmusic.choirarchive.svc.cluster.local' },
      });
      const policy = cluster.planned({
        ...{ apiVersion: 'security.istio.io/v1', kind: 'PeerAuthentication' },
        metadata: { name: 'default', namespace: 'choirarchive' },
        spec: { mtls: { mode: 'STRICT' } },
      });
      cluster.at('10s', () => scores.setImage('registry.example/choir/sheetmusic:3.1'));
      cluster.at('1m', () => policy.create());
      cluster.at('1m10s', () =>
        cluster.befall('registry.example/parish/hymn-board:1.4', {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            '2026/09/06 08:40:12 fetching hymns from http://sheetmusic.choirarchive.svc.cluster.local/hymns',
            '2026/09/06 08:40:12 Get "http://sheetmusic.choirarchive.svc.cluster.local/hymns": read tcp 10.244.2.17:52114->10.96.31.8:80: read: connection reset by peer',
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'PeerAuthentication.security.istio.io/choirarchive/default',
        accepts: ['Service/choirarchive/sheetmusic'],
        mustNotBlame: ['Deployment/choirarchive/sheetmusic'],
      });
    },
  ),
  'recycling-scaler-asks-for-a-queue-with-a-typo': scenario(
    'The queue name of a scaler is edited with a typo, so that nothing scales; a Node is cordoned for maintenance before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, 'keda.sh/v1alpha1', ['ScaledObject']);
      cluster.deployment('keda/keda-operator', { image: 'ghcr.io/kedacore/keda:2.16.1' });
      cluster.deployment('recycling/pickups', { replicas: 2, image: 'registry.example/recycling/pickups:2.2' });
      const spec = (queueName: string): object => ({
        ...{ scaleTargetRef: { name: 'pickups' }, minReplicaCount: 2, maxReplicaCount: 12 },
        triggers: [
          {
            type: 'rabbitmq',
            metadata: { protocol: 'http', queueName, mode: 'QueueLength', value: '20', hostFromEnv: 'RABBITMQ' },
          },
        ],
      });
      const scaled = custom(cluster, 'keda.sh/v1alpha1', 'ScaledObject', 'recycling/pickups', spec('pickups'));
      scaled.status({
        conditions: [
          now('Ready', 'True', 'ScaledObjectReady', 'ScaledObject is defined correctly and is ready for scaling'),
          now('Active', 'True', 'ScalerActive', 'Scaling is performed because triggers are active'),
        ],
      });
      cluster.at('10s', () => cluster.node('n2').cordon());
      cluster.at('30s', () => scaled.patch({ spec: spec('pickupss') }));
      cluster.at('34s', () => {
        scaled.status({
          conditions: [
            now('Ready', 'False', 'TriggerError', 'Triggers defined in ScaledObject are not working correctly'),
            now('Active', 'Unknown', 'UnknownState', 'No Triggers are active'),
          ],
        });
      });
      cluster.at('3m', () => cluster.node('n2').uncordon());
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ScaledObject.keda.sh/recycling/pickups',
        beginsAfterSeconds: 34,
        mustNotBlame: ['Node//n2', 'Deployment/keda/keda-operator', 'Deployment/recycling/pickups'],
      });
    },
  ),
  'kiln-operator-ahead-of-its-definitions': scenario(
    'The operator of a pottery is upgraded without its definitions: it does not know the version of the kind that it wants to watch',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, 'kilns.pottery.example/v1beta1', ['ClayOven']);
      const oven = custom(cluster, 'kilns.pottery.example/v1beta1', 'ClayOven', 'pottery/big-oven', { degrees: 1220 });
      oven.status({ conditions: [now('Ready', 'True', 'Firing', 'program 4 is running', 1)] });
      const operator = cluster.deployment('pottery-system/kiln-operator', {
        image: 'registry.example/pottery/kiln-operator:0.4.0',
      });
      cluster.image('registry.example/pottery/kiln-operator:0.5.0', {
        exit: { afterSeconds: 20, code: 1 },
        log: [
          '{"level":"info","ts":"2026-10-02T14:00:01Z","logger":"setup","msg":"starting manager"}',
          '{"level":"error","ts":"2026-10-02T14:00:11Z","logger":"controller-runtime.source.EventHandler","msg":"if kind is a CRD, it should be installed before calling Start","kind":"ClayOven.kilns.pottery.example","error":"no matches for kind \\"ClayOven\\" in version \\"kilns.pottery.example/v1beta2\\""}',
          '{"level":"error","ts":"2026-10-02T14:00:21Z","logger":"setup","msg":"problem running manager","error":"failed to wait for clayoven caches to sync: timed out waiting for cache to be synced for Kind *v1beta2.ClayOven"}',
        ],
      });
      cluster.at('15s', () => operator.setImage('registry.example/pottery/kiln-operator:0.5.0'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/pottery-system/kiln-operator',
        accepts: ['CustomResourceDefinition//clayovens.kilns.pottery.example'],
        mustNotBlame: ['ClayOven.kilns.pottery.example/pottery/big-oven'],
      });
    },
  ),
  'garden-centre-certificate-renews-by-itself': scenario(
    'A certificate is renewed in good time: for half a minute it is being issued, and valid all the while',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, certManager, ['Certificate', 'CertificateRequest']);
      const certificate = custom(cluster, certManager, 'Certificate', 'gardencentre/plants', {
        ...{
          secretName: 'plants-tls',
          dnsNames: ['plants.garden.example'],
          issuerRef: { kind: 'Issuer', name: 'local' },
        },
      });
      const ready = {
        ...now('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired', 1),
        lastTransitionTime: '2026-01-12T09:00:00Z',
      };
      certificate.status({ revision: 3, conditions: [ready] });
      const request = cluster.planned({
        ...{
          apiVersion: certManager,
          kind: 'CertificateRequest',
          metadata: { name: 'plants-4', namespace: 'gardencentre' },
        },
        spec: { issuerRef: { kind: 'Issuer', name: 'local' } },
      });
      cluster.at('10s', () => {
        certificate.status({
          conditions: [
            ready,
            now(
              'Issuing',
              'True',
              'Renewing',
              'Renewing certificate as renewal was scheduled at 2026-11-01 00:00:00 +0000 UTC',
              1,
            ),
          ],
        });
        request.create();
      });
      cluster.at('12s', () => {
        request.status({
          conditions: [
            now(
              'Ready',
              'False',
              'Pending',
              'Waiting on certificate issuance from order gardencentre/plants-4-1: "pending"',
            ),
          ],
        });
      });
      cluster.at('45s', () => {
        request.status({
          conditions: [now('Ready', 'True', 'Issued', 'Certificate fetched from issuer successfully')],
        });
        certificate.status({ revision: 4, conditions: [ready] });
      });
      cluster.lasts('4m');
    },
  ),
  'orchard-kustomization-waits-for-what-it-depends-on': scenario(
    'A commit reaches an orchard: what depends on the first part says for half a minute that it waits, and is then applied',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, 'kustomize.toolkit.fluxcd.io/v1', ['Kustomization']);
      const made = ['base', 'apples'].map((name) =>
        custom(cluster, 'kustomize.toolkit.fluxcd.io/v1', 'Kustomization', `orchard/${name}`, {
          ...{ interval: '5m', path: `./${name}`, prune: true, sourceRef: { kind: 'GitRepository', name: 'orchard' } },
          ...(name === 'apples' && { dependsOn: [{ name: 'base' }] }),
        }),
      );
      const applied = (commit: string): object => ({
        observedGeneration: 1,
        conditions: [now('Ready', 'True', 'ReconciliationSucceeded', `Applied revision: main@sha1:${commit}`, 1)],
      });
      for (const one of made) one.status(applied('4f1c'));
      const [base, apples] = made;
      cluster.at('10s', () => {
        base?.status({
          observedGeneration: 1,
          conditions: [
            now(
              'Ready',
              'Unknown',
              'Progressing',
              'Running health checks for revision main@sha1:9ab2 with a timeout of 5m0s',
              1,
            ),
            now('Reconciling', 'True', 'Progressing', 'Running health checks', 1),
          ],
        });
        apples?.status({
          observedGeneration: 1,
          conditions: [now('Ready', 'False', 'DependencyNotReady', "dependency 'orchard/base' is not ready", 1)],
        });
      });
      cluster.at('40s', () => base?.status(applied('9ab2')));
      cluster.at('50s', () => apples?.status(applied('9ab2')));
      cluster.lasts('4m');
    },
  ),
  'riding-school-gets-its-first-gateway': scenario(
    'A new gateway takes half a minute until its address is there; its route is there first',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, gatewayApi, ['Gateway', 'HTTPRoute']);
      cluster.secret('ridingschool/stables-tls', { 'tls.crt': 'x', 'tls.key': 'x' });
      cluster.deployment('ridingschool/lessons', { replicas: 2, image: 'registry.example/ridingschool/lessons:1.0' });
      cluster.service('ridingschool/lessons');
      const gateway = cluster.planned({
        ...{ apiVersion: gatewayApi, kind: 'Gateway', metadata: { name: 'stables', namespace: 'ridingschool' } },
        spec: {
          gatewayClassName: 'envoy',
          listeners: [
            {
              ...{ name: 'https', port: 443, protocol: 'HTTPS' },
              tls: { mode: 'Terminate', certificateRefs: [{ group: '', kind: 'Secret', name: 'stables-tls' }] },
            },
          ],
        },
      });
      const route = cluster.planned({
        ...{ apiVersion: gatewayApi, kind: 'HTTPRoute', metadata: { name: 'lessons', namespace: 'ridingschool' } },
        spec: routeTo('stables', 'lessons'),
      });
      cluster.at('10s', () => route.create());
      cluster.at('12s', () => gateway.create());
      cluster.at('14s', () => {
        gateway.status({
          conditions: [
            now('Accepted', 'True', 'Accepted', 'The Gateway has been scheduled by Envoy Gateway', 1),
            now('Programmed', 'False', 'AddressNotAssigned', 'No addresses have been assigned to the Gateway', 1),
          ],
        });
        route.status(
          routeStatus(
            'stables',
            now('Accepted', 'True', 'Accepted', 'Route is accepted', 1),
            now('ResolvedRefs', 'True', 'ResolvedRefs', 'Resolved all the Object references for the Route', 1),
          ),
        );
      });
      cluster.at('40s', () => gateway.status(gatewayIsWell(1)));
      cluster.lasts('4m');
    },
  ),
  'chess-club-database-switches-its-primary': scenario(
    'A database that an operator runs moves its primary to the other instance for an upgrade; clients reconnect and grumble',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      define(cluster, 'postgresql.cnpg.io/v1', ['Cluster']);
      const database = custom(cluster, 'postgresql.cnpg.io/v1', 'Cluster', 'chessclub/games-db', {
        instances: 2,
        storage: { size: '1Gi' },
      });
      const well = (currentPrimary: string): object => ({
        ...{ phase: 'Cluster in healthy state', instances: 2, readyInstances: 2, currentPrimary },
        conditions: [now('Ready', 'True', 'ClusterIsReady', 'Cluster is Ready')],
      });
      database.status(well('games-db-1'));
      for (const name of ['games-db-1', 'games-db-2'])
        cluster.pod(`chessclub/${name}`, { image: 'ghcr.io/cloudnative-pg/postgresql:16.6', ...serves(5432) });
      cluster.image('registry.example/chessclub/pairings:1.1', {
        log: [
          'WARN sqlalchemy.pool Invalidate connection: server closed the connection unexpectedly',
          'ERROR psycopg.errors.ReadOnlySqlTransaction: cannot execute UPDATE in a read-only transaction',
          'INFO reconnected to games-db-rw after 2.1s',
        ],
      });
      cluster.deployment('chessclub/pairings', {
        ...{
          replicas: 2,
          image: 'registry.example/chessclub/pairings:1.1',
          values: { PGHOST: 'games-db-rw.chessclub.svc' },
        },
      });
      cluster.at('10s', () =>
        database.status({
          ...{ phase: 'Switchover in progress', phaseReason: 'Switching over to games-db-2', readyInstances: 1 },
          conditions: [now('Ready', 'False', 'ClusterIsNotReady', 'Cluster Is Not Ready')],
        }),
      );
      cluster.at('35s', () => database.status(well('games-db-2')));
      cluster.lasts('4m');
    },
  ),
} as const;

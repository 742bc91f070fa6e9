/** A hospital: its archive of pictures, its laboratory, its prescriptions and its wards. */

import { type Scenario, scenario } from '../../kit/scenario.ts';
import { claim, mounts, networkPolicy, storageClass, volume } from '../../kit/things.ts';
import { definition, onPort, pullSecret, readsFiles, serves } from './parts/houses.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  'policy-of-the-patients-forgets-the-ward-boards': scenario(
    'A policy for the database of patients admits one of its two callers, shortly after an edit of harmless texts',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('clinic/patients-db', {
        image: 'registry.example/postgres:16.4',
        container: serves(5432),
      });
      cluster.service('clinic/patients-db', onPort(5432, 'postgres'));
      const values = { SPRING_DATASOURCE_URL: 'jdbc:postgresql://patients-db.clinic.svc.cluster.local:5432/patients' };
      cluster.deployment('clinic/admissions', { replicas: 2, image: 'registry.example/admissions:8.2', values });
      cluster.deployment('clinic/ward-board', {
        ...{ replicas: 2, image: 'registry.example/ward-board:3.7', values },
        ...readsFiles('ward-board-texts', '/app/texts'),
      });
      const texts = cluster.configMap('clinic/ward-board-texts', {
        'de.properties': 'bed.free=frei\nbed.taken=belegt',
      });
      cluster.service('clinic/admissions');
      cluster.service('clinic/ward-board');
      const policy = cluster.planned(
        networkPolicy('clinic/patients-db', {
          ingress: [
            {
              from: [{ podSelector: { matchLabels: { app: 'admissions' } } }],
              ports: [{ protocol: 'TCP', port: 5432 }],
            },
          ],
        }),
      );
      cluster.at('15s', () => texts.edit({ 'de.properties': 'bed.free=frei\nbed.taken=vergeben' }));
      cluster.at('30s', () => policy.create());
      cluster.at('40s', () =>
        cluster.befall('registry.example/ward-board:3.7', {
          readyAfterSeconds: 'never',
          log: [
            '2026-11-29T10:02:31.447Z  WARN 1 --- [ward-board] [nio-8080-exec-4] o.h.engine.jdbc.spi.SqlExceptionHelper   : SQL Error: 0, SQLState: 08001',
            '2026-11-29T10:02:31.448Z ERROR 1 --- [ward-board] [nio-8080-exec-4] o.h.engine.jdbc.spi.SqlExceptionHelper   : HikariPool-1 - Connection is not available, request timed out after 30000ms (total=0, active=0, idle=0, waiting=4)',
            '2026-11-29T10:02:31.451Z  WARN 1 --- [ward-board] [nnection adder] com.zaxxer.hikari.pool.PoolBase          : HikariPool-1 - Pool is empty, failed to create/setup connection',
            'org.postgresql.util.PSQLException: The connection attempt failed.',
            '\tat org.postgresql.core.v3.ConnectionFactoryImpl.openConnectionImpl(ConnectionFactoryImpl.java:364)',
            'Caused by: java.net.SocketTimeoutException: Connect timed out',
            '\tat java.base/sun.nio.ch.NioSocketImpl.timedFinishConnect(NioSocketImpl.java:546)',
            '2026-11-29T10:02:31.460Z ERROR 1 --- [ward-board] [nio-8080-exec-7] o.s.b.a.jdbc.DataSourceHealthIndicator   : DataSource health check failed: patients-db.clinic.svc.cluster.local:5432',
          ],
        }),
      );
      cluster.lasts('150s');
      cluster.expectIncident({
        root: 'NetworkPolicy/clinic/patients-db',
        mustNotBlame: [
          'ConfigMap/clinic/ward-board-texts',
          'StatefulSet/clinic/patients-db',
          'Deployment/clinic/ward-board',
        ],
      });
    },
  ),

  'index-of-the-picture-archive-has-filled-its-volume': scenario(
    'The database behind the archive of pictures has no room left; its viewer was released well a minute before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('fast'));
      cluster.object(volume('pv-pacs-db', 'fast'));
      cluster.object(claim('pacs/pacs-db-data', 'fast'));
      cluster.statefulSet('pacs/pacs-db', {
        ...{ image: 'registry.example/postgres:15.8', pod: mounts('pacs-db-data') },
        container: serves(5432, { volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }] }),
      });
      cluster.service('pacs/pacs-db', onPort(5432, 'postgres'));
      const viewer = cluster.deployment('pacs/viewer', {
        ...{ replicas: 2, image: 'registry.example/viewer:4.0' },
        values: { DATABASE_URL: 'postgresql://viewer@pacs-db.pacs.svc:5432/pacs' },
      });
      cluster.service('pacs/viewer');
      cluster.at('10s', () => viewer.setImage('registry.example/viewer:4.1'));
      cluster.at('70s', () => {
        cluster.befall('registry.example/postgres:15.8', {
          exit: { afterSeconds: 3, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            '2026-11-29 10:21:14.102 UTC [1] LOG:  starting PostgreSQL 15.8 (Debian 15.8-1.pgdg120+1) on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit',
            '2026-11-29 10:21:14.131 UTC [29] LOG:  database system was interrupted while in recovery at 2026-11-29 10:20:58 UTC',
            '2026-11-29 10:21:14.187 UTC [29] LOG:  redo starts at 4C/8E0001A8',
            '2026-11-29 10:21:15.902 UTC [29] FATAL:  could not write to file "pg_wal/xlogtemp.29": No space left on device',
            '2026-11-29 10:21:15.911 UTC [1] LOG:  startup process (PID 29) exited with exit code 1',
            '2026-11-29 10:21:15.911 UTC [1] LOG:  aborting startup due to startup process failure',
            '2026-11-29 10:21:15.912 UTC [1] LOG:  database system is shut down',
          ],
        });
        cluster.befall('registry.example/viewer:4.1', {
          readyAfterSeconds: 'never',
          log: [
            'sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at "pacs-db.pacs.svc" (10.96.14.7), port 5432 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
            '(Background on this error at: https://sqlalche.me/e/20/e3q8)',
            'INFO:     10.244.1.1:44210 - "GET /ready HTTP/1.1" 503 Service Unavailable',
          ],
        });
      });
      cluster.lasts('230s');
      cluster.expectIncident({
        root: 'StatefulSet/pacs/pacs-db',
        accepts: ['PersistentVolumeClaim/pacs/pacs-db-data', 'Pod/pacs/pacs-db-0'],
        mustNotBlame: ['Deployment/pacs/viewer'],
      });
    },
  ),

  'client-secret-of-prescriptions-is-exchanged-while-its-login-server-restarts': scenario(
    'A secret of a client is edited to that of another stage; the login server restarts of its own at the same time and is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/keycloak:26.0', { readyAfterSeconds: 12 });
      const keycloak = cluster.statefulSet('identity/keycloak', {
        replicas: 2,
        image: 'registry.example/keycloak:26.0',
      });
      cluster.service('identity/keycloak');
      const secret = cluster.secret('rx/prescriptions-oidc', { 'client-secret': 'q1w2e3r4-prod' });
      const rx = cluster.deployment('rx/prescriptions', {
        ...{ replicas: 2, image: 'registry.example/prescriptions:12.3' },
        env: { OIDC_CLIENT_SECRET: 'secret/prescriptions-oidc/client-secret' },
        values: {
          OIDC_ISSUER: 'http://keycloak.identity.svc.cluster.local/realms/hospital',
          OIDC_CLIENT_ID: 'prescriptions',
        },
      });
      cluster.service('rx/prescriptions');
      cluster.at('5s', () => keycloak.restart());
      cluster.at('50s', () => secret.edit({ 'client-secret': 'z9y8x7-test' }));
      cluster.at('60s', () => {
        cluster.image('registry.example/prescriptions:12.3', {
          exit: { afterSeconds: 6, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            '2026-11-29T10:33:08.771Z  INFO 1 --- [prescriptions] [main] r.h.rx.PrescriptionsApplication          : Starting PrescriptionsApplication v12.3 using Java 21.0.4 with PID 1',
            '2026-11-29T10:33:12.204Z ERROR 1 --- [prescriptions] [main] r.h.rx.auth.ServiceTokenProvider         : could not obtain a service token from http://keycloak.identity.svc.cluster.local/realms/hospital/protocol/openid-connect/token',
            'org.springframework.security.oauth2.client.ClientAuthorizationException: [invalid_client] Invalid client or Invalid client credentials',
            '\tat org.springframework.security.oauth2.client.ClientCredentialsOAuth2AuthorizedClientProvider.getTokenResponse(ClientCredentialsOAuth2AuthorizedClientProvider.java:94)',
            'Caused by: org.springframework.web.client.HttpClientErrorException$Unauthorized: 401 Unauthorized: "{"error":"unauthorized_client","error_description":"Invalid client or Invalid client credentials"}"',
            '2026-11-29T10:33:12.231Z ERROR 1 --- [prescriptions] [main] o.s.boot.SpringApplication               : Application run failed',
          ],
        });
        rx.restart();
      });
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Secret/rx/prescriptions-oidc',
        mustNotBlame: ['StatefulSet/identity/keycloak', 'Service/identity/keycloak'],
      });
    },
  ),

  'queue-reads-an-unknown-word-and-a-chart-has-no-tag': scenario(
    'A word that the queue does not know is written into its settings; of its own, a release elsewhere names a tag nobody pushed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('lab/rabbitmq-config', {
        'rabbitmq.conf': 'cluster_formation.peer_discovery_backend = k8s\nvm_memory_high_watermark.relative = 0.6\n',
      });
      const queue = cluster.statefulSet('lab/rabbitmq', {
        ...{ replicas: 3, image: 'registry.example/rabbitmq:3.13' },
        ...readsFiles('rabbitmq-config', '/etc/rabbitmq', serves(5672)),
      });
      cluster.service('lab/rabbitmq', onPort(5672, 'amqp'));
      const charts = cluster.deployment('theatre/anaesthesia-charts', {
        ...{ replicas: 2, image: 'registry.example/anaesthesia-charts:5.0.1' },
      });
      cluster.service('theatre/anaesthesia-charts');
      cluster.image('registry.example/anaesthesia-charts:5.0.2', { pullError: 'NotFound' });
      cluster.at('20s', () =>
        settings.edit({
          'rabbitmq.conf':
            'cluster_formation.peer_discovery_backend = k8s\nvm_memory_high_watermark.relative = 0.6\nmanagement.inactivity_timeout = 600\n',
        }),
      );
      cluster.at('30s', () => {
        cluster.image('registry.example/rabbitmq:3.13', {
          exit: { afterSeconds: 3, code: 78 },
          readyAfterSeconds: 'never',
          log: [
            "2026-11-29 10:40:31.207880+00:00 [error] <0.153.0> You've tried to set management.inactivity_timeout, but there is no setting with that name.",
            '2026-11-29 10:40:31.207951+00:00 [error] <0.153.0>   Did you mean one of these?',
            '2026-11-29 10:40:31.219311+00:00 [error] <0.153.0>     management.load_definitions',
            '2026-11-29 10:40:31.219340+00:00 [error] <0.153.0> Error generating configuration in phase transform_datatypes',
            '2026-11-29 10:40:31.219362+00:00 [error] <0.153.0> Conf file attempted to set unknown variable: management.inactivity_timeout',
            '2026-11-29 10:40:31.220104+00:00 [error] <0.153.0> ',
            'BOOT FAILED',
            '===========',
            'Error during startup: {error,failed_to_prepare_configuration}',
          ],
        });
        queue.restart();
      });
      cluster.at('60s', () => charts.setImage('registry.example/anaesthesia-charts:5.0.2'));
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'ConfigMap/lab/rabbitmq-config',
        mustNotBlame: ['Deployment/theatre/anaesthesia-charts'],
      });
      cluster.expectIncident({
        root: 'Deployment/theatre/anaesthesia-charts',
        reason: 'ImageNotFound',
        mustNotBlame: ['Registry//registry.example'],
      });
    },
  ),

  'converter-of-scans-outgrows-its-scratch-space': scenario(
    'A release of the converter writes more to its scratch space than it may; a neighbour is scaled at the same time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const resources = { requests: { 'ephemeral-storage': '1Gi' }, limits: { 'ephemeral-storage': '2Gi' } };
      const converter = cluster.deployment('pacs/dicom-converter', {
        ...{ replicas: 2, image: 'registry.example/dicom-converter:2.3', container: { resources } },
      });
      cluster.service('pacs/dicom-converter');
      const worklist = cluster.deployment('pacs/worklist', { replicas: 2, image: 'registry.example/worklist:1.9' });
      cluster.image('registry.example/dicom-converter:2.4', {
        evicted: {
          afterSeconds: 25,
          message: 'Pod ephemeral local storage usage exceeds the total limit of containers 2Gi. ',
        },
      });
      cluster.at('15s', () => worklist.scale(3));
      cluster.at('25s', () => converter.setImage('registry.example/dicom-converter:2.4'));
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Deployment/pacs/dicom-converter',
        beginsAfterSeconds: 51,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Deployment/pacs/worklist'],
      });
    },
  ),

  'share-of-the-letters-does-not-answer': scenario(
    'The file server of a share does not answer, and what is restarted cannot mount it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(
        volume('letters-share', 'nfs', {
          ...{ accessModes: ['ReadWriteMany'], csi: null, mountOptions: ['nfsvers=4.1', 'soft'] },
          nfs: { server: 'nas-2.hospital.example', path: '/export/letters' },
        }),
      );
      cluster.object(
        claim('letters/letters-share', 'nfs', { accessModes: ['ReadWriteMany'], volumeName: 'letters-share' }),
      );
      const names = ['writer', 'printer'];
      const pod = mounts('letters-share');
      const both = names.map((name) =>
        cluster.deployment(`letters/${name}`, { replicas: 2, image: `registry.example/letter-${name}:7.1`, pod }),
      );
      for (const name of names) cluster.service(`letters/${name}`);
      cluster.at('20s', () => {
        for (const name of names)
          cluster.image(`registry.example/letter-${name}:7.1`, {
            heldUp: {
              reason: 'FailedMount',
              message:
                'MountVolume.SetUp failed for volume "letters-share" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs -o nfsvers=4.1,soft nas-2.hospital.example:/export/letters /var/lib/kubelet/pods/0a4f6a0e-6d52-4f0c-9d9e-6a4b9b0a7f55/volumes/kubernetes.io~nfs/letters-share\nOutput: mount.nfs: Connection timed out\n',
            },
          });
        for (const one of both) one.restart();
      });
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'PersistentVolume//letters-share',
        accepts: ['PersistentVolumeClaim/letters/letters-share', 'ExternalEndpoint//nas-2.hospital.example'],
        mustNotBlame: ['Deployment/letters/writer', 'Deployment/letters/printer', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  'new-machine-lacks-the-tool-for-its-block-devices': scenario(
    'A machine joins without open-iscsi: the storage manager does not start there, and a database that moves there gets no volume',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/longhorn-manager:1.7.2', (pod) =>
        pod.spec.nodeName === 'n4'
          ? {
              exit: { afterSeconds: 2, code: 1 },
              readyAfterSeconds: 'never',
              log: [
                'time="2026-11-29T10:52:20Z" level=info msg="Starting longhorn manager"',
                'time="2026-11-29T10:52:20Z" level=fatal msg="Error starting manager: Failed environment check, please make sure you have iscsiadm/open-iscsi installed on the host: failed to execute: /usr/bin/nsenter [nsenter --mount=/host/proc/1/ns/mnt --net=/host/proc/1/ns/net iscsiadm --version], output , stderr nsenter: failed to execute iscsiadm: No such file or directory\\n: exit status 127" func=main.main.DaemonCmd.func3 file="daemon.go:105"',
              ],
            }
          : {},
      );
      cluster.image('registry.example/postgres:16.4', (pod) =>
        pod.spec.nodeName === 'n4'
          ? {
              heldUp: {
                reason: 'FailedAttachVolume',
                message:
                  'AttachVolume.Attach failed for volume "pvc-6de20396-e1a7-4588-bc48-22957e28d016" : CSINode n4 does not contain driver driver.longhorn.io',
              },
            }
          : {},
      );
      cluster.daemonSet('longhorn-system/longhorn-manager', { image: 'registry.example/longhorn-manager:1.7.2' });
      cluster.object(storageClass('longhorn', { provisioner: 'driver.longhorn.io' }));
      cluster.object(
        volume('pvc-6de20396-e1a7-4588-bc48-22957e28d016', 'longhorn', {
          csi: { driver: 'driver.longhorn.io', volumeHandle: 'pvc-6de20396-e1a7-4588-bc48-22957e28d016' },
        }),
      );
      cluster.object(claim('lab/results-db', 'longhorn'));
      const db = cluster.statefulSet('lab/results-db', {
        ...{ image: 'registry.example/postgres:16.4', container: serves(5432), pod: mounts('results-db') },
      });
      cluster.service('lab/results-db', onPort(5432, 'postgres'));
      cluster.deployment('lab/analysers', { replicas: 5, image: 'registry.example/analysers:2.0' });
      cluster.at('15s', () => cluster.addNode({ name: 'n4' }));
      cluster.at('60s', () => db.restart());
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'Node//n4',
        accepts: ['DaemonSet/longhorn-system/longhorn-manager'],
        mustNotBlame: ['StatefulSet/lab/results-db'],
      });
    },
  ),

  'login-for-pictures-of-the-clinic-is-overwritten': scenario(
    'The login of one namespace for a registry is overwritten; another namespace pulls from it without trouble',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const config = (auth: string): string => JSON.stringify({ auths: { 'registry.hospital.example': { auth } } });
      const login = cluster.object(pullSecret('clinic', 'regcred', config('cm9ib3QkY2xpbmljOmdvb2Q=')));
      cluster.object(pullSecret('research', 'regcred', config('cm9ib3QkcmVzZWFyY2g6Z29vZA==')));
      const pod = { imagePullSecrets: [{ name: 'regcred' }] };
      const at = (name: string, tag: string): string => `registry.hospital.example/${name}:${tag}`;
      const admissions = cluster.deployment('clinic/admissions', { replicas: 2, image: at('admissions', '1.0'), pod });
      const consents = cluster.deployment('clinic/consents', { replicas: 2, image: at('consents', '2.0'), pod });
      const cohorts = cluster.deployment('research/cohorts', { replicas: 2, image: at('cohorts', '3.0'), pod });
      for (const place of ['clinic/admissions', 'clinic/consents', 'research/cohorts']) cluster.service(place);
      cluster.image(at('admissions', '1.1'), { pullError: 'Unauthorized' });
      cluster.image(at('consents', '2.1'), { pullError: 'Unauthorized' });
      cluster.at('15s', () =>
        login.patch({
          data: { '.dockerconfigjson': Buffer.from(config('cm9ib3QkY2xpbmljOm9sZA==')).toString('base64') },
        }),
      );
      cluster.at('30s', () => {
        admissions.setImage(at('admissions', '1.1'));
        cohorts.setImage(at('cohorts', '3.1'));
      });
      cluster.at('45s', () => consents.setImage(at('consents', '2.1')));
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Secret/clinic/regcred',
        mustNotBlame: ['Registry//registry.hospital.example', 'Deployment/research/cohorts'],
      });
    },
  ),

  'gate-of-the-laboratory-outgrows-its-memory-since-a-release': scenario(
    'A release needs more memory than it has; its settings were edited before, and the service it calls is slow but well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/terminology:3.1', { readyAfterSeconds: 8 });
      const terms = cluster.deployment('lab/terminology', { replicas: 1, image: 'registry.example/terminology:3.1' });
      cluster.service('lab/terminology');
      const settings = cluster.configMap('lab/hl7-gateway', {
        LOG_LEVEL: 'INFO',
        TERMINOLOGY_URL: 'http://terminology.lab.svc',
      });
      const gate = cluster.deployment('lab/hl7-gateway', {
        ...{ replicas: 2, image: 'registry.example/hl7-gateway:5.1', memory: '256Mi', envFrom: ['hl7-gateway'] },
      });
      cluster.service('lab/hl7-gateway', onPort(2575, 'mllp'));
      cluster.image('registry.example/hl7-gateway:5.2', {
        exit: { afterSeconds: 18, code: 137, oom: true },
        log: [
          '{"time":"2026-11-29T11:03:10.202Z","level":"INFO","msg":"mllp listener started","addr":":2575"}',
          '{"time":"2026-11-29T11:03:14.871Z","level":"WARN","msg":"slow response","url":"http://terminology.lab.svc/expand","duration_ms":2140,"status":200}',
          '{"time":"2026-11-29T11:03:20.007Z","level":"INFO","msg":"message cache","entries":184022,"bytes":219402112}',
          '{"time":"2026-11-29T11:03:26.310Z","level":"INFO","msg":"message cache","entries":231907,"bytes":261209088}',
        ],
      });
      cluster.at('10s', () => settings.edit({ LOG_LEVEL: 'DEBUG', TERMINOLOGY_URL: 'http://terminology.lab.svc' }));
      cluster.at('20s', () => terms.restart());
      cluster.at('45s', () => gate.setImage('registry.example/hl7-gateway:5.2'));
      cluster.lasts('300s');
      cluster.expectIncident({
        root: 'Deployment/lab/hl7-gateway',
        reason: 'OOMKilled',
        mustNotBlame: ['ConfigMap/lab/hl7-gateway', 'Deployment/lab/terminology', 'Service/lab/terminology'],
      });
    },
  ),

  'vault-is-called-by-a-name-that-its-certificate-has-not': scenario(
    'The shared address of the vault is edited to a name that is not in its certificate; two of its clients are restarted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('vault/vault', {
        replicas: 3,
        image: 'registry.example/vault:1.18',
        container: serves(8200),
      });
      cluster.service('vault/vault', onPort(8200, 'https'));
      cluster.service('vault/vault-active', { ...onPort(8200, 'https'), selector: { app: 'vault' } });
      const address = cluster.configMap('rx/vault-address', { VAULT_ADDR: 'https://vault.vault.svc:8200' });
      const names = ['interactions', 'pharmacy'];
      const both = names.map((name) =>
        cluster.deployment(`rx/${name}`, {
          replicas: 2,
          image: `registry.example/${name}:4.4`,
          envFrom: ['vault-address'],
        }),
      );
      for (const name of names) cluster.service(`rx/${name}`);
      cluster.at('20s', () => address.edit({ VAULT_ADDR: 'https://vault-active.vault.svc:8200' }));
      cluster.at('40s', () => {
        for (const name of names)
          cluster.image(`registry.example/${name}:4.4`, {
            exit: { afterSeconds: 3, code: 1 },
            readyAfterSeconds: 'never',
            log: [
              'time=2026-11-29T11:10:44.120Z level=INFO msg="logging in to vault" addr=https://vault-active.vault.svc:8200 role=rx',
              'time=2026-11-29T11:10:44.318Z level=ERROR msg="vault login failed" err="Put \\"https://vault-active.vault.svc:8200/v1/auth/kubernetes/login\\": tls: failed to verify certificate: x509: certificate is valid for vault, vault.vault, vault.vault.svc, vault.vault.svc.cluster.local, *.vault-internal, not vault-active.vault.svc"',
              'time=2026-11-29T11:10:44.318Z level=ERROR msg="cannot start without database credentials"',
            ],
          });
        for (const one of both) one.restart();
      });
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'ConfigMap/rx/vault-address',
        mustNotBlame: ['Deployment/rx/interactions', 'Deployment/rx/pharmacy'],
      });
    },
  ),

  'night-report-finds-no-script-and-a-monitor-does-not-know-its-probe': scenario(
    'An image comes without the script that a run by the clock calls; elsewhere a release is asked for its health in a way it does not know',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const report = cluster.object({
        ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { namespace: 'wards', name: 'night-report' } },
        spec: {
          ...{ schedule: '* * * * *', concurrencyPolicy: 'Forbid' },
          jobTemplate: {
            spec: {
              backoffLimit: 0,
              template: {
                spec: {
                  restartPolicy: 'Never',
                  containers: [
                    {
                      ...{ name: 'report', image: 'registry.example/ward-tools:30' },
                      command: ['/bin/sh', '-c', './night-report.sh --all-wards'],
                    },
                  ],
                },
              },
            },
          },
        },
      });
      cluster.image('registry.example/ward-tools:30', {
        exit: { afterSeconds: 4, code: 0 },
        log: ['23 wards written'],
      });
      cluster.image('registry.example/ward-tools:31', {
        exit: { afterSeconds: 1, code: 127 },
        log: ['/bin/sh: ./night-report.sh: not found'],
      });
      const monitor = cluster.deployment('wards/bedside-monitor', {
        ...{ replicas: 2, image: 'registry.example/bedside-monitor:6.0' },
        container: { readinessProbe: { grpc: { port: 9090 } }, ports: [{ containerPort: 9090 }] },
      });
      cluster.service('wards/bedside-monitor', onPort(9090, 'grpc'));
      cluster.image('registry.example/bedside-monitor:6.1', {
        readyAfterSeconds: 'never',
        readinessSays:
          'error: health rpc failed: rpc error: code = Unimplemented desc = unknown service grpc.health.v1.Health',
        log: ['{"level":"info","msg":"grpc server listening","addr":":9090","services":["monitor.v2.Bedside"]}'],
      });
      cluster.at('10s', () =>
        report.patch({
          spec: {
            jobTemplate: {
              spec: {
                template: {
                  spec: {
                    containers: [
                      {
                        ...{ name: 'report', image: 'registry.example/ward-tools:31' },
                        command: ['/bin/sh', '-c', './night-report.sh --all-wards'],
                      },
                    ],
                  },
                },
              },
            },
          },
        }),
      );
      cluster.at('30s', () => monitor.setImage('registry.example/bedside-monitor:6.1'));
      cluster.at('260s', () => report.patch({ spec: { suspend: true } }));
      cluster.lasts('300s');
      cluster.expectIncident({
        root: 'CronJob/wards/night-report',
        mustNotBlame: ['Deployment/wards/bedside-monitor'],
      });
      cluster.expectIncident({
        root: 'Deployment/wards/bedside-monitor',
        mustNotBlame: ['CronJob/wards/night-report'],
      });
    },
  ),

  'store-of-secrets-is-no-longer-let-in': scenario(
    'The store that all external secrets are read from is refused by its vault; what was synced before is still there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'external-secrets.io';
      cluster.object(definition('ClusterSecretStore', 'clustersecretstores', group, { scope: 'Cluster' }));
      cluster.object(definition('ExternalSecret', 'externalsecrets', group));
      cluster.statefulSet('vault/vault', {
        replicas: 3,
        image: 'registry.example/vault:1.18',
        container: serves(8200),
      });
      cluster.service('vault/vault', onPort(8200, 'https'));
      cluster.deployment('external-secrets/external-secrets', { image: 'registry.example/external-secrets:0.14' });
      const apiVersion = `${group}/v1`;
      const ready = (status: 'True' | 'False', reason: string, message: string): object => ({
        conditions: [{ type: 'Ready', status, reason, message, lastTransitionTime: 'now' }],
      });
      const store = cluster.object({
        ...{ apiVersion, kind: 'ClusterSecretStore', metadata: { name: 'hospital-vault' } },
        spec: {
          provider: {
            vault: {
              ...{ server: 'https://vault.vault.svc:8200', path: 'kv', version: 'v2' },
              auth: { kubernetes: { mountPath: 'kubernetes', role: 'external-secrets' } },
            },
          },
        },
      });
      store.status(ready('True', 'Valid', 'store validated'));
      const places = [
        ['lab', 'hl7-credentials'],
        ['rx', 'drug-index-key'],
        ['pacs', 'dicom-ae-passwords'],
      ] as const;
      const secrets = places.map(([namespace, name]) => {
        cluster.secret(`${namespace}/${name}`, { value: 'x' });
        const one = cluster.object({
          ...{ apiVersion, kind: 'ExternalSecret', metadata: { namespace, name } },
          spec: {
            ...{ refreshInterval: '1m', secretStoreRef: { kind: 'ClusterSecretStore', name: 'hospital-vault' } },
            ...{ target: { name }, dataFrom: [{ extract: { key: `${namespace}/${name}` } }] },
          },
        });
        one.status(ready('True', 'SecretSynced', 'secret synced'));
        return one;
      });
      cluster.at('20s', () => {
        store.status(
          ready(
            'False',
            'InvalidProviderConfig',
            'unable to log in to auth method: unable to log in with Kubernetes auth: Error making API request.\n\nURL: PUT https://vault.vault.svc:8200/v1/auth/kubernetes/login\nCode: 403. Errors:\n\n* permission denied',
          ),
        );
      });
      cluster.at('45s', () => {
        for (const one of secrets)
          one.status(ready('False', 'SecretSyncedError', 'the desired SecretStore hospital-vault is not ready'));
      });
      cluster.lasts('120s');
      cluster.expectIncident({
        root: 'ClusterSecretStore.external-secrets.io//hospital-vault',
        beginsAfterSeconds: 20,
      });
    },
  ),
};

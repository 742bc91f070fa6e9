/** A bank: its ledgers, its cards, its checks for fraud, its counters and the exchange. */

import { type Scenario, scenario } from '../../kit/scenario.ts';
import { dns, networkPolicy, webhook } from '../../kit/things.ts';
import { account, definition, onPort, readsFiles, rights, serves } from './parts/houses.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  'risk-engine-asks-for-ten-times-its-memory-and-a-printer-is-probed-with-the-wrong-scheme': scenario(
    'A request of memory gets a digit too many; of its own, a printer gets a liveness probe in a scheme it does not speak',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const risk = cluster.deployment('risk/risk-engine', {
        ...{ replicas: 3, image: 'registry.example/risk-engine:9.4', cpu: '500m' },
        container: { resources: { requests: { cpu: '500m', memory: '1600Mi' } } },
      });
      cluster.service('risk/risk-engine');
      const printer = cluster.deployment('branch/statement-printer', {
        ...{ replicas: 2, image: 'registry.example/statement-printer:2.2' },
      });
      cluster.service('branch/statement-printer');
      cluster.at('15s', () =>
        risk.patch({
          spec: {
            template: {
              spec: {
                containers: [{ name: 'risk-engine', resources: { requests: { cpu: '500m', memory: '16000Mi' } } }],
              },
            },
          },
        }),
      );
      cluster.at('50s', () => {
        cluster.image('registry.example/statement-printer:2.2', {
          livenessFails: {
            afterSeconds: 10,
            says: 'Get "https://10.244.2.17:8080/live": http: server gave HTTP response to HTTPS client',
          },
          log: ['[2026-11-29 10:02:50 +0000] [1] [INFO] Listening at: http://0.0.0.0:8080 (1)'],
        });
        printer.patch({
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: 'statement-printer',
                    livenessProbe: { httpGet: { path: '/live', port: 8080, scheme: 'HTTPS' }, periodSeconds: 10 },
                  },
                ],
              },
            },
          },
        });
      });
      cluster.lasts('330s');
      cluster.expectIncident({
        root: 'Deployment/risk/risk-engine',
        mustNotBlame: ['Deployment/branch/statement-printer', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
      cluster.expectIncident({
        root: 'Deployment/branch/statement-printer',
        mustNotBlame: ['Deployment/risk/risk-engine'],
      });
    },
  ),

  'way-out-of-the-fraud-checks-names-another-port': scenario(
    'The rule for what the fraud checks may call is edited to a wrong port; the cache they also use is restarted before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('fraud/cases-db', { image: 'registry.example/postgres:16.4', container: serves(5432) });
      const cache = cluster.statefulSet('fraud/redis', {
        image: 'registry.example/redis:7.4',
        container: serves(6379),
      });
      cluster.service('fraud/cases-db', onPort(5432, 'postgres'));
      cluster.service('fraud/redis', onPort(6379, 'redis'));
      cluster.deployment('fraud/fraud-check', {
        ...{ replicas: 3, image: 'registry.example/fraud-check:3.0' },
        values: { DATABASE_HOST: 'cases-db.fraud.svc', DATABASE_PORT: '5432', REDIS_ADDR: 'redis.fraud.svc:6379' },
      });
      cluster.service('fraud/fraud-check');
      const egress = (port: number): object[] => [
        { to: [{ namespaceSelector: {} }], ports: [{ protocol: 'UDP', port: 53 }] },
        { to: [{ podSelector: { matchLabels: { app: 'redis' } } }], ports: [{ protocol: 'TCP', port: 6379 }] },
        { to: [{ podSelector: { matchLabels: { app: 'cases-db' } } }], ports: [{ protocol: 'TCP', port }] },
      ];
      const policy = cluster.object(
        networkPolicy('fraud/fraud-check', { policyTypes: ['Egress'], egress: egress(5432) }),
      );
      cluster.at('8s', () => cache.restart());
      cluster.at('40s', () => policy.patch({ spec: { egress: egress(6432) } }));
      cluster.at('50s', () =>
        cluster.befall('registry.example/fraud-check:3.0', {
          readyAfterSeconds: 'never',
          log: [
            '{"level":"warn","ts":"2026-11-29T10:12:31.702Z","msg":"query failed, retrying","attempt":1,"error":"dial tcp 10.96.40.12:5432: i/o timeout"}',
            '{"level":"warn","ts":"2026-11-29T10:12:41.715Z","msg":"query failed, retrying","attempt":2,"error":"dial tcp 10.96.40.12:5432: i/o timeout"}',
            '{"level":"error","ts":"2026-11-29T10:12:51.730Z","msg":"readiness","check":"database","host":"cases-db.fraud.svc","error":"failed to connect to `user=fraud database=cases`: 10.96.40.12:5432 (cases-db.fraud.svc): dial error: timeout: dial tcp 10.96.40.12:5432: i/o timeout"}',
          ],
        }),
      );
      cluster.lasts('150s');
      cluster.expectIncident({
        root: 'NetworkPolicy/fraud/fraud-check',
        mustNotBlame: ['StatefulSet/fraud/redis', 'StatefulSet/fraud/cases-db', 'Deployment/fraud/fraud-check'],
      });
    },
  ),

  'names-of-the-core-bank-are-no-longer-forwarded': scenario(
    'A block of the name service is removed with which the old core of the bank was found; two callers in two namespaces fail',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const main =
        '.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . /etc/resolv.conf\n    cache 30\n    loop\n    reload\n}\n';
      const core = 'core.bank.internal:53 {\n    errors\n    cache 30\n    forward . 10.20.0.53 10.20.1.53\n}\n';
      const corefile = cluster.configMap('kube-system/coredns', { Corefile: main + core });
      const { labels, image, replicas } = dns.workload;
      cluster.deployment('kube-system/coredns', {
        ...{ image, replicas, labels },
        ...readsFiles('coredns', '/etc/coredns', serves(53)),
      });
      cluster.object(dns.service);
      const values = { LEDGER_URL: 'https://ledger.core.bank.internal:8443' };
      const texts = cluster.configMap('cards/limits', { 'limits.yaml': 'daily: 2000\n' });
      cluster.deployment('accounts/balance-api', { replicas: 2, image: 'registry.example/balance-api:14.2', values });
      cluster.deployment('cards/limits', {
        ...{ replicas: 2, image: 'registry.example/limits:3.3', values },
        ...readsFiles('limits', '/etc/limits'),
      });
      cluster.service('accounts/balance-api');
      cluster.service('cards/limits');
      cluster.at('10s', () => texts.edit({ 'limits.yaml': 'daily: 2500\n' }));
      cluster.at('30s', () => corefile.edit({ Corefile: main }));
      cluster.at('75s', () => {
        cluster.befall('registry.example/balance-api:14.2', {
          readyAfterSeconds: 'never',
          log: [
            'level=error ts=2026-11-29T10:20:14.511Z msg="ledger request failed" err="Get \\"https://ledger.core.bank.internal:8443/v2/balances\\": dial tcp: lookup ledger.core.bank.internal on 10.96.0.10:53: no such host"',
            'level=error ts=2026-11-29T10:20:19.518Z msg="ledger request failed" err="Get \\"https://ledger.core.bank.internal:8443/v2/balances\\": dial tcp: lookup ledger.core.bank.internal on 10.96.0.10:53: no such host"',
            'level=warn ts=2026-11-29T10:20:20.001Z msg="not ready" check=ledger',
          ],
        });
        cluster.befall('registry.example/limits:3.3', {
          readyAfterSeconds: 'never',
          log: [
            '2026-11-29 10:20:16,204 ERROR [b.c.l.LedgerClient] (executor-thread-3) request to ledger failed',
            'jakarta.ws.rs.ProcessingException: java.net.UnknownHostException: ledger.core.bank.internal: Name or service not known',
            '\tat org.jboss.resteasy.client.jaxrs.engines.ManualClosingApacheHttpClient43Engine.invoke(ManualClosingApacheHttpClient43Engine.java:356)',
            'Caused by: java.net.UnknownHostException: ledger.core.bank.internal: Name or service not known',
          ],
        });
      });
      cluster.lasts('170s');
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        mustNotBlame: ['ConfigMap/cards/limits', 'Deployment/cards/limits', 'Deployment/accounts/balance-api'],
      });
    },
  ),

  'settlement-takes-the-network-of-its-machine-and-forgets-the-names': scenario(
    'A workload is moved to the network of its machines without the policy for names that this needs',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('settle/ledger-db', { image: 'registry.example/postgres:16.4', container: serves(5432) });
      cluster.service('settle/ledger-db', onPort(5432, 'postgres'));
      const settlement = cluster.deployment('settle/settlement', {
        ...{ replicas: 2, image: 'registry.example/settlement:21.1' },
        values: { PGHOST: 'ledger-db.settle.svc.cluster.local', PGPORT: '5432' },
      });
      cluster.service('settle/settlement');
      cluster.image('registry.example/settlement:21.1', (pod) =>
        (pod.spec as { hostNetwork?: boolean }).hostNetwork === true
          ? {
              exit: { afterSeconds: 3, code: 1 },
              readyAfterSeconds: 'never',
              log: [
                'Error: getaddrinfo ENOTFOUND ledger-db.settle.svc.cluster.local',
                '    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26)',
                '    at GetAddrInfoReqWrap.callbackTrampoline (node:internal/async_hooks:130:17) {',
                '  errno: -3008,',
                "  code: 'ENOTFOUND',",
                "  syscall: 'getaddrinfo',",
                "  hostname: 'ledger-db.settle.svc.cluster.local'",
                '}',
                '',
                'Node.js v22.9.0',
              ],
            }
          : {},
      );
      cluster.at('20s', () => settlement.patch({ spec: { template: { spec: { hostNetwork: true } } } }));
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Deployment/settle/settlement',
        mustNotBlame: ['StatefulSet/settle/ledger-db', 'Service/settle/ledger-db'],
      });
    },
  ),

  'webhook-outlives-the-operator-it-belonged-to': scenario(
    'An operator is uninstalled with its Service, and its webhook stays and refuses what it is asked about',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const operator = cluster.deployment('bank-vaults/vault-operator', {
        image: 'registry.example/vault-operator:1.22',
      });
      const service = cluster.service('bank-vaults/vault-operator', onPort(443, 'https'));
      cluster.deployment('cards/issuer', { replicas: 2, image: 'registry.example/issuer:7.0' });
      cluster.service('cards/issuer');
      cluster.object(
        webhook('vault-operator-hooks', { namespace: 'bank-vaults', name: 'vault-operator' }, { namespace: 'cards' }),
      );
      cluster.at('20s', () => {
        operator.delete();
        service.delete();
      });
      cluster.lasts('120s');
      cluster.expectIncident({
        root: 'ValidatingWebhookConfiguration//vault-operator-hooks',
        beginsAfterSeconds: 20,
        accepts: ['Service/bank-vaults/vault-operator'],
        mustNotBlame: ['Deployment/cards/issuer'],
      });
    },
  ),

  'binding-of-the-ledger-members-is-removed': scenario(
    'The members of a database lose the right to keep their leader in the API: none may lead, and their caller cannot write',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(account('ledger', 'postgres-pod'));
      const [role, binding] = rights('ledger', 'postgres-pod', { namespace: 'ledger', name: 'postgres-pod' }, [
        { apiGroups: [''], resources: ['endpoints'], verbs: ['create', 'get', 'list', 'patch', 'update', 'watch'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'patch', 'update', 'watch'] },
      ]);
      cluster.object(role);
      const bound = cluster.object(binding);
      cluster.statefulSet('ledger/acid-ledger', {
        ...{ replicas: 3, image: 'registry.example/spilo-16:3.3', pod: { serviceAccountName: 'postgres-pod' } },
        container: { ports: [{ containerPort: 5432 }, { containerPort: 8008 }] },
        probe: true,
      });
      cluster.service('ledger/acid-ledger', onPort(5432, 'postgres'));
      cluster.deployment('ledger/ledger-api', {
        ...{ replicas: 2, image: 'registry.example/ledger-api:30.2' },
        values: { DB_DSN: 'host=acid-ledger.ledger.svc port=5432 dbname=ledger user=ledger_owner' },
      });
      cluster.service('ledger/ledger-api');
      cluster.at('20s', () => bound.delete());
      cluster.at('35s', () => {
        const forbidden =
          'HTTP response body: b\'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"endpoints \\\\"acid-ledger\\\\" is forbidden: User \\\\"system:serviceaccount:ledger:postgres-pod\\\\" cannot patch resource \\\\"endpoints\\\\" in API group \\\\"\\\\" in the namespace \\\\"ledger\\\\"","reason":"Forbidden","details":{"name":"acid-ledger","kind":"endpoints"},"code":403}\\n\'';
        cluster.befall('registry.example/spilo-16:3.3', {
          readyAfterSeconds: 'never',
          log: [
            '2026-11-29 10:31:07,118 ERROR: Permission denied',
            '2026-11-29 10:31:07,119 ERROR: patroni.dcs.kubernetes.K8sClient.rest.ApiException: (403)',
            'Reason: Forbidden',
            forbidden,
            '2026-11-29 10:31:07,204 INFO: Lock owner: acid-ledger-0; I am acid-ledger-0',
            '2026-11-29 10:31:07,310 ERROR: failed to update leader lock',
            '2026-11-29 10:31:08,006 INFO: Demoting self (immediate-nolock)',
            '2026-11-29 10:31:10,441 INFO: demoted self because failed to update leader lock in DCS',
          ],
        });
        cluster.befall('registry.example/ledger-api:30.2', {
          readyAfterSeconds: 'never',
          log: [
            'ERROR:ledger.store:insert into postings failed',
            'psycopg.errors.ReadOnlySqlTransaction: cannot execute INSERT in a read-only transaction',
            'ERROR:ledger.health:writable check failed on acid-ledger.ledger.svc:5432',
          ],
        });
      });
      cluster.lasts('170s');
      cluster.expectIncident({
        root: 'ServiceAccount/ledger/postgres-pod',
        accepts: ['RoleBinding/ledger/postgres-pod', 'Role/ledger/postgres-pod'],
        mustNotBlame: ['Deployment/ledger/ledger-api'],
      });
    },
  ),

  'password-of-the-cards-gains-a-newline-and-a-map-has-no-tag': scenario(
    'A password is written anew with a line break at its end; elsewhere a release names a tag nobody pushed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('cards/cards-db', { image: 'registry.example/postgres:16.4', container: serves(5432) });
      cluster.service('cards/cards-db', onPort(5432, 'postgres'));
      const password = cluster.secret('cards/cards-db-app', { username: 'cards', password: 'tr0ub4dor' });
      const cards = cluster.deployment('cards/cards-api', {
        ...{ replicas: 2, image: 'registry.example/cards-api:18.0' },
        env: { DB_USER: 'secret/cards-db-app/username', DB_PASSWORD: 'secret/cards-db-app/password' },
        values: { DB_HOST: 'cards-db.cards.svc', DB_NAME: 'cards' },
      });
      cluster.service('cards/cards-api');
      const locator = cluster.deployment('branch/locator', { replicas: 2, image: 'registry.example/locator:1.4.0' });
      cluster.service('branch/locator');
      cluster.image('registry.example/locator:1.4.1', { pullError: 'NotFound' });
      cluster.at('15s', () => locator.setImage('registry.example/locator:1.4.1'));
      cluster.at('35s', () => password.edit({ username: 'cards', password: 'tr0ub4dor\n' }));
      cluster.at('50s', () => {
        cluster.image('registry.example/cards-api:18.0', {
          exit: { afterSeconds: 4, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            '{"level":"INFO","timestamp":"2026-11-29T10:40:50.105Z","message":"connecting","host":"cards-db.cards.svc","database":"cards"}',
            '{"level":"ERROR","timestamp":"2026-11-29T10:40:50.131Z","message":"could not open the pool","exception":"org.postgresql.util.PSQLException: FATAL: password authentication failed for user \\"cards\\""}',
            '{"level":"ERROR","timestamp":"2026-11-29T10:40:53.840Z","message":"giving up after 3 attempts"}',
          ],
        });
        cards.restart();
      });
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'Secret/cards/cards-db-app',
        mustNotBlame: ['StatefulSet/cards/cards-db', 'Deployment/branch/locator'],
      });
      cluster.expectIncident({
        root: 'Deployment/branch/locator',
        reason: 'ImageNotFound',
        mustNotBlame: ['Secret/cards/cards-db-app', 'Registry//registry.example'],
      });
    },
  ),

  'dump-is-older-than-the-database-it-reads': scenario(
    'A database is moved to the next major version, and the run that dumps it refuses a newer server',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const db = cluster.statefulSet('ledger/history-db', {
        image: 'registry.example/postgres:16.4',
        container: serves(5432),
      });
      cluster.service('ledger/history-db', onPort(5432, 'postgres'));
      cluster.image('registry.example/pg-backup:16', {
        exit: { afterSeconds: 5, code: 0 },
        log: ['pg_dump: saving database definition', 'upload: history.dump to s3://bank-dumps/history/{run}.dump'],
      });
      const dump = cluster.cronJob('ledger/history-dump', {
        schedule: '* * * * *',
        image: 'registry.example/pg-backup:16',
      });
      cluster.at('75s', () => {
        cluster.image('registry.example/pg-backup:16', {
          exit: { afterSeconds: 2, code: 1 },
          log: [
            'pg_dump: error: aborting because of server version mismatch',
            'pg_dump: detail: server version: 17.2 (Debian 17.2-1.pgdg120+1); pg_dump version: 16.4 (Debian 16.4-1.pgdg120+1)',
          ],
        });
        db.setImage('registry.example/postgres:17.2');
      });
      cluster.at('380s', () => dump.patch({ spec: { suspend: true } }));
      cluster.lasts('420s');
      cluster.expectIncident({ root: 'CronJob/ledger/history-dump', accepts: ['StatefulSet/ledger/history-db'] });
    },
  ),

  'issuer-of-certificates-may-not-keep-its-lease': scenario(
    'A cleanup takes the right to the lease of the one who issues certificates; the door is restarted of its own before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(account('cert-manager', 'cert-manager'));
      const [role, binding] = rights(
        'cert-manager',
        'cert-manager:leaderelection',
        { namespace: 'cert-manager', name: 'cert-manager' },
        [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'update', 'patch', 'create'] }],
      );
      const owned = cluster.object(role);
      const bound = cluster.object(binding);
      cluster.deployment('cert-manager/cert-manager', {
        ...{ image: 'registry.example/cert-manager-controller:1.16.2', pod: { serviceAccountName: 'cert-manager' } },
      });
      cluster.deployment('cert-manager/cert-manager-cainjector', {
        image: 'registry.example/cert-manager-cainjector:1.16.2',
      });
      const door = cluster.deployment('ingress-nginx/ingress-nginx-controller', {
        ...{ replicas: 2, image: 'registry.example/ingress-nginx-controller:1.12' },
      });
      cluster.at('10s', () => door.restart());
      cluster.at('40s', () => {
        owned.delete();
        bound.delete();
      });
      cluster.at('50s', () =>
        cluster.befall('registry.example/cert-manager-controller:1.16.2', {
          exit: { afterSeconds: 12, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            'I1129 10:48:02.101733       1 controller.go:104] "starting cert-manager controller" logger="cert-manager.controller" version="v1.16.2"',
            'I1129 10:48:02.114920       1 leaderelection.go:254] attempting to acquire leader lease cert-manager/cert-manager-controller...',
            'E1129 10:48:02.119317       1 leaderelection.go:436] error retrieving resource lock cert-manager/cert-manager-controller: leases.coordination.k8s.io "cert-manager-controller" is forbidden: User "system:serviceaccount:cert-manager:cert-manager" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "cert-manager"',
            'E1129 10:48:12.402610       1 leaderelection.go:436] error retrieving resource lock cert-manager/cert-manager-controller: leases.coordination.k8s.io "cert-manager-controller" is forbidden: User "system:serviceaccount:cert-manager:cert-manager" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "cert-manager"',
            'E1129 10:48:13.377240       1 main.go:43] "error executing command" err="leader election lost" logger="cert-manager"',
          ],
        }),
      );
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'ServiceAccount/cert-manager/cert-manager',
        accepts: [
          'Role/cert-manager/cert-manager:leaderelection',
          'RoleBinding/cert-manager/cert-manager:leaderelection',
        ],
        mustNotBlame: ['Deployment/ingress-nginx/ingress-nginx-controller'],
      });
    },
  ),

  'machine-of-the-exchange-goes-dark-after-an-edit': scenario(
    'The machine of a database loses its power half a minute after the settings of its caller were edited',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([{ name: 'n1' }, { name: 'n2', labels: { disk: 'nvme' } }, { name: 'n3' }]);
      cluster.statefulSet('exchange/trades-db', {
        ...{ image: 'registry.example/postgres:16.4', container: serves(5432), nodeSelector: { disk: 'nvme' } },
      });
      cluster.service('exchange/trades-db', onPort(5432, 'postgres'));
      const settings = cluster.configMap('exchange/trades-api', {
        ORDER_BATCH: '50',
        DB_HOST: 'trades-db.exchange.svc',
      });
      const api = cluster.deployment('exchange/trades-api', {
        ...{ replicas: 2, image: 'registry.example/trades-api:11.6', envFrom: ['trades-api'] },
        pod: { affinity: {} },
      });
      cluster.service('exchange/trades-api');
      cluster.at('10s', () => settings.edit({ ORDER_BATCH: '80', DB_HOST: 'trades-db.exchange.svc' }));
      cluster.at('12s', () => api.restart());
      cluster.at('40s', () => cluster.node('n2').losePower());
      cluster.at('60s', () =>
        cluster.befall('registry.example/trades-api:11.6', {
          readyAfterSeconds: 'never',
          log: [
            '2026-11-29T10:56:11Z ERR database unreachable error="dial tcp 10.96.77.4:5432: connect: no route to host" host=trades-db.exchange.svc',
            '2026-11-29T10:56:21Z ERR database unreachable error="dial tcp 10.96.77.4:5432: connect: no route to host" host=trades-db.exchange.svc',
            '2026-11-29T10:56:21Z WRN readiness set to false reason=database',
          ],
        }),
      );
      cluster.lasts('260s');
      cluster.expectIncident({
        root: 'Node//n2',
        mustNotBlame: ['ConfigMap/exchange/trades-api', 'Deployment/exchange/trades-api'],
      });
    },
  ),

  'upgrade-of-the-documents-skips-two-generations': scenario(
    'A store of documents is moved over two major versions at once and does not accept its own files; its caller fails with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const mongo = cluster.statefulSet('kyc/mongo', { image: 'registry.example/mongo:5.0', container: serves(27017) });
      cluster.service('kyc/mongo', onPort(27017, 'mongodb'));
      cluster.deployment('kyc/identity-files', {
        ...{ replicas: 2, image: 'registry.example/identity-files:2.5' },
        values: { MONGODB_URI: 'mongodb://mongo.kyc.svc.cluster.local:27017/kyc' },
      });
      cluster.service('kyc/identity-files');
      cluster.image('registry.example/mongo:7.0', {
        exit: { afterSeconds: 3, code: 62 },
        readyAfterSeconds: 'never',
        log: [
          '{"t":{"$date":"2026-11-29T11:04:30.115+00:00"},"s":"I",  "c":"CONTROL",  "id":23403,   "ctx":"initandlisten","msg":"Build Info","attr":{"buildInfo":{"version":"7.0.14"}}}',
          '{"t":{"$date":"2026-11-29T11:04:31.877+00:00"},"s":"I",  "c":"STORAGE",  "id":22430,   "ctx":"initandlisten","msg":"WiredTiger message","attr":{"message":{"category":"WT_VERB_RECOVERY","msg":"recovery was completed successfully"}}}',
          '{"t":{"$date":"2026-11-29T11:04:32.240+00:00"},"s":"F",  "c":"CONTROL",  "id":20573,   "ctx":"initandlisten","msg":"Wrong mongod version","attr":{"error":"UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document (ERROR: Location4926900: Invalid featureCompatibilityVersion document in admin.system.version: { _id: \\"featureCompatibilityVersion\\", version: \\"5.0\\" }. See https://docs.mongodb.com/master/release-notes/5.0-compatibility/#feature-compatibility.). If the current featureCompatibilityVersion is below 6.0, see the documentation on upgrading at https://docs.mongodb.com/master/release-notes/6.0/#upgrade-procedures."}}',
          '{"t":{"$date":"2026-11-29T11:04:32.251+00:00"},"s":"I",  "c":"CONTROL",  "id":23138,   "ctx":"initandlisten","msg":"Shutting down","attr":{"exitCode":62}}',
        ],
      });
      cluster.at('20s', () => mongo.setImage('registry.example/mongo:7.0'));
      cluster.at('35s', () =>
        cluster.befall('registry.example/identity-files:2.5', {
          readyAfterSeconds: 'never',
          log: [
            'MongoServerSelectionError: connect ECONNREFUSED 10.96.31.9:27017',
            '    at Topology.selectServer (/app/node_modules/mongodb/lib/sdam/topology.js:303:38) {',
            "  reason: TopologyDescription { type: 'Unknown', servers: Map(1) { 'mongo.kyc.svc.cluster.local:27017' => [ServerDescription] } }",
            '}',
          ],
        }),
      );
      cluster.lasts('190s');
      cluster.expectIncident({ root: 'StatefulSet/kyc/mongo', mustNotBlame: ['Deployment/kyc/identity-files'] });
    },
  ),

  'strict-rule-of-the-mesh-shuts-out-a-caller-without-a-proxy': scenario(
    'Mutual TLS is demanded in a namespace, and a caller that is outside the mesh is cut off at once',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(definition('PeerAuthentication', 'peerauthentications', 'security.istio.io'));
      // A sidecar stays.
      cluster.image('registry.example/proxyv2:1.24', { exit: { afterSeconds: 864_000, code: 0 } });
      cluster.deployment('istio-system/istiod', { image: 'registry.example/istio-pilot:1.24' });
      cluster.deployment('payments/quotes', {
        ...{ replicas: 2, image: 'registry.example/quotes:5.5', labels: { 'security.istio.io/tlsMode': 'istio' } },
        pod: {
          initContainers: [{ name: 'istio-proxy', image: 'registry.example/proxyv2:1.24', restartPolicy: 'Always' }],
        },
      });
      cluster.service('payments/quotes');
      cluster.deployment('branch/teller', {
        ...{
          replicas: 2,
          image: 'registry.example/teller:9.9',
          values: { QUOTES_URL: 'http://quotes.payments.svc.cluster.local' },
        },
      });
      cluster.service('branch/teller');
      const rule = cluster.planned({
        ...{ apiVersion: 'security.istio.io/v1', kind: 'PeerAuthentication' },
        metadata: { namespace: 'payments', name: 'default' },
        spec: { mtls: { mode: 'STRICT' } },
      });
      cluster.at('20s', () => rule.create());
      cluster.at('30s', () =>
        cluster.befall('registry.example/teller:9.9', {
          readyAfterSeconds: 'never',
          log: [
            'time="2026-11-29T11:12:30Z" level=error msg="quote failed" error="Get \\"http://quotes.payments.svc.cluster.local/v1/quote\\": read tcp 10.244.1.14:51882->10.96.80.3:80: read: connection reset by peer"',
            'time="2026-11-29T11:12:33Z" level=error msg="quote failed" error="Get \\"http://quotes.payments.svc.cluster.local/v1/quote\\": read tcp 10.244.1.14:51890->10.96.80.3:80: read: connection reset by peer"',
            'time="2026-11-29T11:12:40Z" level=warning msg="health: quotes unavailable"',
          ],
        }),
      );
      cluster.lasts('150s');
      cluster.expectIncident({
        root: 'PeerAuthentication.security.istio.io/payments/default',
        mustNotBlame: ['Deployment/payments/quotes', 'Deployment/branch/teller', 'Deployment/istio-system/istiod'],
      });
    },
  ),
};

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Spring says so
import { type SignCase, says } from '../case.ts';

/** Lines of failing containers as people reported them in public issues, read by rows that were written before anyone saw them. */
export const reportedCases: readonly SignCase[] = [
  says(
    'kubeflow/kubeflow#5468, katib-db-manager',
    'E1218 10:39:50.481923       1 mysql.go:62] Ping to Katib db failed: dial tcp 10.233.28.55:3306: connect: connection refused',
    'ConnectionRefused',
    { target: '10.233.28.55:3306' },
  ),
  says(
    'telekom-security/tpotce#393, rdpy',
    "/bin/sh: can't create /var/log/rdpy/rdpy.log: Permission denied",
    'PermissionDenied',
    { name: '/var/log/rdpy/rdpy.log' },
  ),
  says(
    'telekom-security/tpotce#393, conpot',
    'WARNING:scapy.runtime:No route found for IPv6 destination :: (no default route?)\nTraceback (most recent call last):\n  File "/usr/bin/conpot", line 461, in <module>\n    main()\n  File "/usr/lib/python3.6/logging/__init__.py", line 1061, in _open\n    return open(self.baseFilename, self.mode, encoding=self.encoding)\nPermissionError: [Errno 13] Permission denied: \'/var/log/conpot/conpot_ipmi.log\'',
    'PermissionDenied',
    { name: '/var/log/conpot/conpot_ipmi.log' },
  ),
  says(
    'Matgenix/atomate2_cecam_school#9',
    '2025-03-15T23:23:13.577590548Z /bin/bash: /usr/local/bin/entrypoint.sh: Permission denied',
    'PermissionDenied',
    { name: '/usr/local/bin/entrypoint.sh' },
  ),
  says(
    'jacobalberty/unifi-docker#209',
    "[2019-06-21 18:50:14,468] <docker-entrypoint> Starting unifi controller service.\nmkdir: cannot create directory '/unifi/data': Permission denied",
    'PermissionDenied',
    { name: '/unifi/data' },
  ),
  says(
    'itschasa/speedrr#28',
    '[2025-07-02 11:41:23,241] [ERROR] Uncaught exception: Traceback (most recent call last):\n   File "/home/./main.py", line 24, in <module>\n    log_loader.set_file_handler(cfg.logs_path, args.log_file_level)\n PermissionError: [Errno 13] Permission denied: \'/home/logs/speedrr.log\'\n (log_loader.py:53)',
    'PermissionDenied',
    { name: '/home/logs/speedrr.log' },
  ),
  says(
    'quickwit-oss/helm-charts#72',
    'failed to render config file template: environment variable `AWS_ACCESS_KEY_ID` is not set and no default value is provided',
    'VariableMissing',
    { name: 'AWS_ACCESS_KEY_ID' },
  ),
  says(
    'dapr in apecloud/kubeblocks#908',
    'time="2023-01-05T01:50:08Z" level=error msg="dial tcp 127.0.0.1:3306: connect: connection refused" app_id=batch-sdk scope=dapr.contrib',
    'ConnectionRefused',
    { target: '127.0.0.1:3306' },
  ),
  says(
    'kubernetes/kubernetes#23618',
    'Error from server: Get https://juliette:10250/containerLogs/default/chatroom/chatroom: dial tcp: lookup juliette on 10.255.255.1:53: no such host',
    'NameNotResolved',
    { target: 'juliette' },
  ),
  says(
    'confluentinc/schema-registry#875',
    '[2018-08-23 19:38:24,291] ERROR Server died unexpectedly:  (io.confluent.kafka.schemaregistry.rest.SchemaRegistryMain:52)\norg.apache.kafka.common.errors.TimeoutException: Timeout expired while fetching topic metadata',
    'ConnectionTimedOut',
  ),
  says(
    'iPromKnight/zilean#15',
    'Unhandled exception. Npgsql.NpgsqlException (0x80004005): Failed to connect to [::1]:5432\n ---> System.Net.Sockets.SocketException (99): Address not available\n   at System.Net.Sockets.Socket.AwaitableSocketAsyncEventArgs.CreateException(SocketError error, Boolean forAsyncThrow)',
    'HostUnreachable',
    { target: '::1:5432' },
  ),
  says(
    'lymengg/spring-boilerplate#89',
    'Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder \'SPRING_JPA_OPEN_IN_VIEW\' in value "${SPRING_JPA_OPEN_IN_VIEW}"',
    'VariableMissing',
    { name: 'SPRING_JPA_OPEN_IN_VIEW' },
  ),
  says(
    'edenhill/kcat#228',
    '%7|1581532589.118|BROKERFAIL|rdkafka#producer-1| [thrd:10.3.4.5:9092/bootstrap]: 10.3.4.5:9092/bootstrap: failed: err: Local: Broker transport failure: (errno: Connection reset by peer)',
    'ConnectionReset',
    { target: '10.3.4.5:9092' },
  ),
  says(
    'springframeworkguru/spring-boot-rabbitmq-example#4',
    '2018-09-19 11:19:31.629 ERROR 1 --- [  XNIO-3 task-4] c.b.n.a.p.a.s.aspect.QueueSendingAspect  : com.rabbitmq.client.AuthenticationFailureException: ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
    'CredentialsRejected',
  ),
  says(
    'sapcc/helm-charts#5147',
    '2023/05/17 09:22:10 FATAL: pq: could not resize shared memory segment "/PostgreSQL.710526079" to 4194304 bytes: No space left on device',
    'RequestRefused',
  ),
  says(
    'rancher/rancher#18919',
    '2019/03/20 09:34:25 [emerg] 6894#6894: SSL_CTX_use_PrivateKey_file("/etc/ingress-controller/ssl/shop-tls.pem") failed (SSL: error:2807106B:UI routines:UI_process:processing error:while reading strings error:0906406D:PEM routines:PEM_def_callback:problems getting password error:0906A068:PEM routines:PEM_do_header:bad password read)',
    'SecretUnusable',
    { name: '/etc/ingress-controller/ssl/shop-tls.pem' },
  ),
  says(
    'sijms/go-ora: ORA-12541',
    'level=fatal msg="ping database" error="ORA-12541: TNS:no listener" dsn="core@ora-prod.corp.example:1521/CORE"',
    'ConnectionRefused',
    { target: 'ora-prod.corp.example:1521' },
  ),
  says(
    'jenkins-infra/jenkins.io#3962',
    'Unable to download: java.io.IOException: Server returned HTTP response code: 502 for URL: https://get.jenkins.io/plugins/git/4.2.2/git.hpi',
    'ServiceUnavailable',
    { target: 'get.jenkins.io:443' },
  ),
  says(
    'apache/airflow#20803',
    "TimeoutError: There are still unapplied migrations after 60 seconds. MigrationHead(s) in DB: {'88344c1d9134'}",
    'SchemaMismatch',
  ),
  says(
    'hashicorp/vault api: 403',
    'Error making API request.  URL: PUT http://vault.vault.svc:8200/v1/auth/kubernetes/login Code: 403. Errors:  * permission denied',
    'AccessForbidden',
    { target: 'vault.vault.svc:8200' },
  ),
  says('hashicorp/consul api: ACL', 'Unexpected response code: 403 (ACL not found)', 'AccessForbidden'),
  says(
    'go-ldap/ldap',
    'LDAP Result Code 49 "Invalid Credentials": 80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error',
    'CredentialsRejected',
  ),
  says('nats-io/nats.go: authorization', 'nats: Authorization Violation', 'CredentialsRejected'),
  says('nats-io/nats.go: servers', 'nats: no servers available for connection', 'HostUnreachable'),
  says('MySQL 1130', "Error: Host '10.244.1.7' is not allowed to connect to this MySQL server", 'RequestRefused'),
  says(
    'boto3: bucket',
    'botocore.errorfactory.NoSuchBucket: An error occurred (NoSuchBucket) when calling the ListObjects operation: The specified bucket does not exist',
    'RequestRefused',
  ),
  says(
    'Redis replica-serve-stale-data',
    "ReplyError: MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'ServiceUnavailable',
  ),
  says('OpenSSH ssh_exchange', 'kex_exchange_identification: Connection closed by remote host', 'ConnectionReset'),
  says(
    'go-yaml/yaml v3',
    'level=fatal msg="yaml: unmarshal errors:  line 12: cannot unmarshal !!str `true` into bool"',
    'SettingsUnusable',
  ),
  says(
    'caddyserver/caddy',
    'Error: adapting config using caddyfile: Caddyfile:3: unrecognized directive: revers_proxy',
    'SettingsUnusable',
    { name: 'Caddyfile' },
  ),
  says('BusyBox wget', "wget: can't connect to remote host (10.96.1.2): Connection refused", 'ConnectionRefused', {
    target: '10.96.1.2',
  }),
  says(
    'googleapis/google-auth-library-python',
    'google.auth.exceptions.DefaultCredentialsError: Your default credentials were not found. To set up Application Default Credentials, see https://cloud.google.com/docs/authentication',
    'CredentialsMissing',
  ),
  says(
    'jitsi/jitsi-videobridge: prosody',
    'JVB 2024-05-23 09:05:33.031 WARNING: [33] MucClient.lambda$getConnectAndLoginCallable$9#640: Error connecting: org.jivesoftware.smack.sasl.SASLErrorException: SASLError using SCRAM-SHA-1: not-authorized',
    'CredentialsRejected',
  ),
];

import { imageAt } from '../../kit/company.ts';
import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Two things that go wrong at the same time and have nothing to do with each other. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/honeycombio/beeline-java/issues/180 and https://github.com/t3n/helm-charts/pull/204
  'beans-in-a-circle-here-and-a-privilege-there': reported(
    'A release comes on a framework that allows no circles between its parts; elsewhere the backup of a MySQL that was patched lacks a privilege',
    (cluster) => {
      const policies = cluster.deployment('cover/policies', { replicas: 3, image: imageAt('policies', '7.4.0') });
      cluster.service('cover/policies');
      cluster.image(
        imageAt('policies', '7.5.0'),
        ends(
          [
            'APPLICATION FAILED TO START',
            'The dependencies of some of the beans in the application context form a cycle:',
            '   policyController (field private com.cover.PolicyService com.cover.PolicyController.policyService)',
            '|  policyService (field private com.cover.PremiumService com.cover.PolicyService.premiumService)',
            '|  premiumService (field private com.cover.PolicyService com.cover.PremiumService.policyService)',
            'Relying upon circular references is discouraged and they are prohibited by default.',
          ],
          1,
          11,
        ),
      );
      const repository = 'docker.io/library/mysql';
      const mysql = server(cluster, 'shop2/mysql', `${repository}:8.0.20`, 3306, { spec: disks(cluster) });
      const dump = 'docker.io/databack/mysql-backup:1.2.2';
      cluster.image(dump, { exit: { afterSeconds: 12, code: 0 }, log: ['dumped 41 tables'] });
      const backup = cluster.cronJob('shop2/mysql-backup', { schedule: '*/4 * * * *', image: dump });
      cluster.at('200s', () => mysql.setImage(`${repository}:8.0.21`));
      cluster.at('225s', () =>
        cluster.image(dump, {
          exit: { afterSeconds: 5, code: 2 },
          log: [
            '+ mysqldump -h mysql.shop2.svc.cluster.local -P 3306 -A',
            "mysqldump: Error: 'Access denied; you need (at least one of) the PROCESS privilege(s) for this operation' when trying to dump tablespaces",
          ],
        }),
      );
      cluster.at(after(0), () => policies.setImage(imageAt('policies', '7.5.0')));
      cluster.at(after(1000), () => backup.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'Deployment/cover/policies',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/shop2/mysql', 'CronJob/shop2/mysql-backup'],
      });
      cluster.expectIncident({
        root: 'CronJob/shop2/mysql-backup',
        accepts: ['StatefulSet/shop2/mysql'],
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Deployment/cover/policies', 'Service/shop2/mysql'],
      });
    },
  ),

  // https://github.com/cracker0dks/whiteboard/issues/180 and https://github.com/nodemailer/nodemailer/issues/1714
  'library-is-a-module-here-and-no-mail-there': reported(
    'A whiteboard comes with a library that may not be required any more; at the same time the mail provider lets nobody in by password, and two services cannot send',
    (cluster) => {
      const board = cluster.deployment('school2/whiteboard', { replicas: 2, image: imageAt('whiteboard', '2.3') });
      cluster.service('school2/whiteboard');
      cluster.image(
        imageAt('whiteboard', '2.4'),
        ends([
          'Starting server in production mode.',
          '/opt/app/scripts/server-backend.js:18',
          '    const { createClient } = require("webdav");',
          'Error [ERR_REQUIRE_ESM]: require() of ES Module /opt/app/node_modules/webdav/dist/node/index.js from /opt/app/scripts/server-backend.js not supported.',
          "  code: 'ERR_REQUIRE_ESM'",
        ]),
      );
      cluster.at(after(0), () => board.setImage(imageAt('whiteboard', '2.4')));
      const values = { SMTP_HOST: 'smtp.office365.com', SMTP_PORT: '587' };
      const innocents = clients(cluster, 40, {
        'dunning/reminders': {
          does: ends([
            'Error: Invalid login: 535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [PN0PR01CA0024.INDPRD01.PROD.OUTLOOK.COM 2026-11-23T09:54:30.055Z 08DD3DD7D75D7743]',
            "  code: 'EAUTH', response: '535 5.7.139 Authentication unsuccessful', responseCode: 535, command: 'AUTH LOGIN', host: 'smtp.office365.com'",
          ]),
          values,
        },
        'people/invitations': {
          does: unready([
            "smtplib.SMTPAuthenticationError: (535, b'5.7.139 Authentication unsuccessful, basic authentication is disabled. [AM0PR02CA0210.eurprd02.prod.outlook.com]')",
            'cannot send by smtp.office365.com:587, 318 messages wait',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/school2/whiteboard',
        messages: { resolve: 0 },
        mustNotBlame: ['ExternalEndpoint//smtp.office365.com:587'],
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//smtp.office365.com:587',
        accepts: ['ExternalEndpoint//smtp.office365.com'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/school2/whiteboard'],
      });
    },
  ),

  // https://github.com/aws/aws-msk-iam-auth/issues/228 and https://github.com/kubernetes-sigs/kubespray/issues/2348
  'jar-of-a-newer-java-here-and-swap-there': reported(
    'A consumer is released with a library for a newer Java; a machine is restarted for its kernel and its kubelet does not run with the swap that came back',
    (cluster) => {
      const consumer = cluster.deployment('stream/enrich', {
        ...{ replicas: 2, image: imageAt('enrich', '3.1'), nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
      });
      cluster.image(
        imageAt('enrich', '3.2'),
        ends(
          [
            'Exception in thread "main" java.lang.UnsupportedClassVersionError: software/amazon/msk/auth/iam/IAMClientCallbackHandler has been compiled by a more recent version of the Java Runtime (class file version 61.0), this version of the Java Runtime only recognizes class file versions up to 55.0',
            '\tat java.base/java.lang.ClassLoader.defineClass1(Native Method)',
          ],
          1,
          6,
        ),
      );
      cluster.deployment('court/files', {
        ...{ replicas: 2, image: imageAt('files', 5), nodeSelector: { 'kubernetes.io/hostname': 'n3' } },
      });
      cluster.service('court/files');
      cluster.deployment('court/hearings', { replicas: 3, image: imageAt('hearings', 2) });
      cluster.at(after(0), () => consumer.setImage(imageAt('enrich', '3.2')));
      cluster.at(after(25), () => cluster.node('n3').losePower());
      cluster.expectIncident({
        root: 'Deployment/stream/enrich',
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n3', 'Node//n1'],
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/stream/enrich', 'Deployment/court/files', 'Deployment/court/hearings'],
      });
    },
  ),

  // https://github.com/bitnami/bitnami-docker-openldap/issues/1 and https://github.com/keel-hq/keel/issues/675
  'directory-keeps-its-files-shut-and-a-token-is-old': reported(
    'A directory server that was moved finds its database in use, and three services find nobody; elsewhere an updater uses a token that has run out',
    (cluster) => {
      const image = 'docker.io/bitnamilegacy/openldap:2.4.58';
      server(cluster, 'identity/openldap', image, 1389, { clusterIP: '10.96.38.9', spec: disks(cluster) });
      cluster.object({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { namespace: 'delivery', name: 'keel' },
      });
      const keel = 'docker.io/keelhq/keel:0.16.1';
      cluster.deployment('delivery/keel', { image: keel, pod: { serviceAccountName: 'keel' } });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              ' 09:06:44.24 INFO  ==> Using persisted data',
              ' 09:06:44.26 INFO  ==> ** Starting slapd **',
              '6a22ebce hdb_db_open: database "dc=example,dc=org": database already in use.',
              '6a22ebce backend_startup_one (type=hdb, suffix="dc=example,dc=org"): bi_db_open failed! (-1)',
              '6a22ebce slapd stopped.',
            ],
            1,
            2,
          ),
        );
        cluster.evict('identity', 'openldap');
      });
      const values = { LDAP_URL: 'ldap://openldap.identity.svc.cluster.local:1389' };
      const innocents = clients(cluster, 10, {
        'groupware/webmail': {
          does: unready([
            "ldap_bind(): Unable to bind to server: Can't contact LDAP server (ldap://openldap.identity.svc.cluster.local:1389)",
          ]),
          values,
        },
        'groupware/calendar': {
          does: ends([
            "ldap.SERVER_DOWN: {'result': -1, 'desc': \"Can't contact LDAP server\", 'errno': 111, 'ctrls': [], 'info': 'Connection refused'}",
          ]),
          values,
        },
        'vpn/portal': {
          does: unready([
            'LDAP Result Code 200 "Network Error": dial tcp 10.96.38.9:1389: connect: connection refused',
          ]),
          values,
        },
      });
      cluster.at(after(30), () =>
        cluster.befall(
          keel,
          ends(
            [
              'E1123 09:07:11.755213       1 reflector.go:126] pkg/mod/k8s.io/client-go@v11.0.1-0.20190516230509-ae8359b20417+incompatible/tools/cache/reflector.go:94: Failed to list *v1.DaemonSet: Unauthorized',
              'E1123 09:07:12.011840       1 reflector.go:126] pkg/mod/k8s.io/client-go@v11.0.1-0.20190516230509-ae8359b20417+incompatible/tools/cache/reflector.go:94: Failed to list *v1.Deployment: Unauthorized',
              'time="2026-11-23T09:08:11Z" level=fatal msg="health: provider kubernetes is not synced"',
            ],
            1,
            55,
          ),
        ),
      );
      cluster.expectIncident({
        root: 'StatefulSet/identity/openldap',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/delivery/keel', 'Service/identity/openldap'],
      });
      cluster.expectIncident({
        root: 'Deployment/delivery/keel',
        accepts: ['ServiceAccount/delivery/keel'],
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/identity/openldap'],
      });
    },
  ),
};

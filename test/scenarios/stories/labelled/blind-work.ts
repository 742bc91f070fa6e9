import { condition, custom, define, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { secretVolume, settingsVolume } from '../../kit/field.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

const brief = { minutes: 7 };

/** Work that ends, what is outside, and what is applied for others. */
export const stories: Readonly<Record<string, Scenario>> = {
  'payments-outside-do-not-answer': reported(
    'A payment provider does not answer three workloads of three namespaces; one of them was released a minute before',
    (cluster) => {
      const checkout = cluster.deployment('shop/checkout', { replicas: 2, image: imageAt('checkout', '14.2') });
      cluster.service('shop/checkout');
      cluster.at(after(-60), () => checkout.setImage(imageAt('checkout', '14.3')));
      cluster.at(after(0), () =>
        cluster.befall(
          imageAt('checkout', '14.3'),
          unready([
            'level=error msg="create payment intent" error="Post \\"https://api.stripe.com/v1/payment_intents\\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)"',
          ]),
        ),
      );
      const innocents = clients(cluster, 5, {
        'donate/forms': {
          does: unready([
            "stripe.error.APIConnectionError: Unexpected error communicating with Stripe. (Network error: ReadTimeout: HTTPSConnectionPool(host='api.stripe.com', port=443): Read timed out. (read timeout=80))",
          ]),
        },
        'rent/billing': {
          does: ends([
            'StripeConnectionError: An error occurred with our connection to Stripe. Request was retried 2 times.',
            '  detail: Error: connect ETIMEDOUT 34.200.27.109:443 https://api.stripe.com/v1/invoices',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.stripe.com:443',
        accepts: ['ExternalEndpoint//api.stripe.com'],
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/shop/checkout'],
      });
    },
    brief,
  ),

  'backup-comes-with-an-expired-token': reported(
    'A backup that ran for months fails each time since its token has expired; the database that it reads is well',
    (cluster, firm) => {
      server(cluster, 'ops/postgres', 'docker.io/library/postgres:16.3', 5432);
      const image = imageAt('pg-backup', '1.2');
      cluster.image(image, {
        exit: { afterSeconds: 8, code: 0 },
        log: ['upload: ./dump.sql.gz to s3://acme-backups/ops/dump.sql.gz'],
      });
      cluster.cronJob('ops/pg-backup', { schedule: '*/3 * * * *', image });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () =>
        cluster.image(image, {
          exit: { afterSeconds: 8, code: 1 },
          log: [
            'pg_dump: last built-in OID is 16383',
            'upload failed: - to s3://acme-backups/ops/dump.sql.gz An error occurred (ExpiredToken) when calling the CreateMultipartUpload operation: The provided token has expired.',
          ],
        }),
      );
      cluster.expectIncident({
        root: 'CronJob/ops/pg-backup',
        messages: { update: '≤2', reopen: '≤1' },
        mustNotBlame: ['StatefulSet/ops/postgres', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 11 },
  ),

  'batch-is-too-large-for-the-card': reported(
    'A training with twice the batch does not fit on its card and fails three times; the notebook beside it is well',
    (cluster) => {
      cluster.deployment('research/notebook', { image: imageAt('notebook', '4') });
      const image = imageAt('finetune', 'llama-0.9');
      cluster.image(image, {
        exit: { afterSeconds: 30, code: 1 },
        log: [
          '[rank0]:   File "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 117, in forward',
          '[rank0]:     return F.linear(input, self.weight, self.bias)',
          '[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 39.39 GiB of which 1.06 GiB is free. Including non-PyTorch memory, this process has 38.32 GiB memory in use.',
        ],
      });
      cluster.at(after(0), () => cluster.job('research/finetune', { image, spec: { backoffLimit: 2 } }));
      cluster.expectIncident({
        root: 'Job/research/finetune',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/research/notebook', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    brief,
  ),

  'runner-is-registered-with-a-token-of-the-past': reported(
    'The token of the CI runners is replaced in its Secret by one that was withdrawn; the restarted manager is not let in',
    (cluster) => {
      const token = cluster.secret('ci/runner-token', { token: 'one' });
      const image = 'registry.gitlab.com/gitlab-org/gitlab-runner:alpine-v17.4.0';
      let isOld = false;
      cluster.image(image, () =>
        isOld
          ? ends(
              [
                'Registration attempt 30 of 30',
                'Runtime platform                                    arch=amd64 os=linux pid=714 revision=b92ee590 version=17.4.0',
                'ERROR: Verifying runner... is not valid             correlation_id=01JDCT8V runner=glrt-t1_x',
                'PANIC: Failed to verify the runner.                 ',
              ],
              1,
              6,
            )
          : {},
      );
      const runner = cluster.deployment('ci/gitlab-runner', {
        ...{ image, env: { CI_SERVER_TOKEN: 'secret/runner-token/token' }, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.deployment('ci/build-cache', { image: imageAt('build-cache', 2) });
      cluster.at(after(0), () => {
        isOld = true;
        token.edit({ token: 'two' });
      });
      cluster.at(after(20), () => runner.restart());
      cluster.expectIncident({
        root: 'Secret/ci/runner-token',
        accepts: ['Deployment/ci/gitlab-runner'],
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/ci/build-cache'],
      });
    },
    brief,
  ),

  'sync-prunes-settings-that-are-in-use': reported(
    'A sync prunes a ConfigMap that two workloads mount; nobody notices until a machine is drained, and their Pods do not start elsewhere',
    (cluster) => {
      const settings = cluster.configMap('museum/labels', { 'labels.yaml': 'a: b' });
      const names = ['tour', 'shop'];
      for (const name of names)
        cluster.deployment(`museum/${name}`, { replicas: 3, image: imageAt(name, 2), pod: settingsVolume('labels') });
      cluster.deployment('museum/tickets', { replicas: 3, image: imageAt('tickets', 9) });
      cluster.at(after(0), () => settings.delete());
      cluster.at(after(120), () => cluster.node('n3').drain());
      cluster.expectIncident({
        root: 'ConfigMap/museum/labels',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/museum/tour', 'Deployment/museum/shop', 'Deployment/museum/tickets', 'Node//n3'],
      });
    },
    { minutes: 10 },
  ),

  'service-selects-nobody-any-more': reported(
    'A chart adds a label to the selector of a Service and not to its Pods: they are well, and nobody reaches them',
    (cluster, firm) => {
      const stock = 'garden/stock';
      cluster.deployment(stock, { replicas: 3, image: imageAt('stock', 6) });
      const service = cluster.service(stock);
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () =>
        service.patch({ spec: { selector: { app: 'stock', 'app.kubernetes.io/part-of': 'garden' } } }),
      );
      const values = { STOCK_URL: 'http://stock.garden.svc.cluster.local' };
      const innocents = clients(cluster, 8, {
        'garden/front': {
          does: unready([
            '2026/11/23 09:13:20 [error] 29#29: *412 connect() failed (111: Connection refused) while connecting to upstream, client: 10.244.1.1, server: _, request: "GET /plants HTTP/1.1", upstream: "http://stock.garden.svc.cluster.local:80/plants"',
          ]),
          values,
        },
        'garden/planner': {
          does: ends([
            'Error: connect ECONNREFUSED 10.96.61.3:80',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Service/garden/stock',
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/garden/stock', 'Deployment/logistics/tracking'],
      });
    },
    brief,
  ),

  'issuer-is-not-known-at-its-authority': reported(
    'A new site waits for its certificate, whose issuer has lost its account; the sites of before are well',
    (cluster) => {
      cluster.pro();
      define(cluster, 'cert-manager.io/v1', ['Certificate']);
      define(cluster, 'cert-manager.io/v1', ['ClusterIssuer'], 'Cluster');
      const issuer = custom(cluster, 'cert-manager.io/v1', 'ClusterIssuer', '/letsencrypt', { acme: {} });
      issuer.status(
        condition('Ready', 'True', 'ACMEAccountRegistered', 'The ACME account was registered with the ACME server'),
      );
      cluster.secret('stage/old-tls', { 'tls.crt': 'one', 'tls.key': 'one' });
      const old = custom(cluster, 'cert-manager.io/v1', 'Certificate', 'stage/old', {
        ...{ secretName: 'old-tls', issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer' } },
      });
      old.status(condition('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired'));
      cluster.deployment('stage/old', { replicas: 2, image: imageAt('stage', 5), pod: secretVolume('old-tls') });
      cluster.at(after(0), () =>
        issuer.status(
          condition(
            'Ready',
            'False',
            'ErrRegisterACMEAccount',
            'Failed to register ACME account: 403 urn:ietf:params:acme:error:unauthorized: Account is not valid, has status "deactivated"',
          ),
        ),
      );
      cluster.at(after(60), () => {
        custom(cluster, 'cert-manager.io/v1', 'Certificate', 'stage/new', {
          ...{ secretName: 'new-tls', issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer' } },
        });
        cluster.deployment('stage/new', {
          replicas: 2,
          image: imageAt('stage', 6),
          pod: secretVolume('new-tls'),
          broken: true,
        });
        cluster.service('stage/new', port(8443, 'https'));
      });
      const waiting = cluster.planned({
        ...{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata: { name: 'new', namespace: 'stage' } },
        spec: {},
      });
      cluster.at(after(62), () =>
        waiting.status(condition('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist')),
      );
      cluster.expectIncident({
        root: 'ClusterIssuer.cert-manager.io//letsencrypt',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/stage/new', 'Deployment/stage/old', 'Certificate.cert-manager.io/stage/old'],
      });
    },
    { minutes: 14 },
  ),

  'migration-fails-and-the-release-waits-for-it': reported(
    'The migration of a release fails on data that it did not expect; the new Pods wait for it in their first container',
    (cluster) => {
      server(cluster, 'clinic/postgres', 'docker.io/library/postgres:16', 5432);
      const wait = imageAt('wait-for-migration', 1);
      const visits = cluster.deployment('clinic/visits', { replicas: 2, image: imageAt('visits', '8.0'), init: wait });
      cluster.service('clinic/visits');
      const migration = imageAt('visits-migrate', '9.0');
      cluster.image(migration, {
        exit: { afterSeconds: 6, code: 1 },
        log: [
          'INFO  [alembic.runtime.migration] Running upgrade 4e1f0c -> 77ab21, unique patient number',
          'sqlalchemy.exc.IntegrityError: (psycopg2.errors.UniqueViolation) could not create unique index "ix_visits_patient_no"',
          'DETAIL:  Key (patient_no)=(100417) is duplicated.',
        ],
      });
      cluster.at(after(0), () => {
        cluster.job('clinic/visits-migrate-9-0', { image: migration, spec: { backoffLimit: 2 } });
        cluster.image(wait, {
          exit: { afterSeconds: 3600, code: 0 },
          log: ['waiting for job/visits-migrate-9-0 to complete'],
        });
        visits.setImage(imageAt('visits', '9.0'));
      });
      cluster.expectIncident({
        root: 'Job/clinic/visits-migrate-9-0',
        messages: { update: '≤2' },
        mustNotBlame: ['StatefulSet/clinic/postgres', 'Deployment/clinic/visits'],
      });
    },
    { minutes: 13 },
  ),
};

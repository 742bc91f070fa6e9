import { imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Payment, mail, identities and data of others, work that is done once, and images. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/stripe/stripe-cli/issues/1341 for the answer
  'key-of-the-payment-provider-has-run-out': reported(
    'The key of a payment provider has run out; both applications that pay with it fail, and nothing in the cluster was changed',
    (cluster, firm) => {
      cluster.secret('checkout/stripe', { 'secret-key': 'one' });
      const env = { STRIPE_API_KEY: 'secret/stripe/secret-key' };
      innocentRelease(cluster, after(-50), firm);
      const innocents = clients(cluster, 0, {
        'checkout/payments': {
          does: unready([
            'StripeAuthenticationError: Expired API Key provided: sk_live_*********************WUEguF',
            '    at res.toJSON.then.StripeAPIError.message (/app/node_modules/stripe/cjs/RequestSender.js:105:31)',
            "  type: 'StripeAuthenticationError', code: 'api_key_expired', statusCode: 401,",
          ]),
          env,
        },
        'checkout/subscriptions': {
          does: ends([
            'stripe.error.AuthenticationError: Expired API Key provided: sk_live_*********************WUEguF',
          ]),
          env,
        },
      });
      cluster.expectIncident({
        root: 'Secret/checkout/stripe',
        accepts: ['ExternalEndpoint//api.stripe.com:443', 'ExternalEndpoint//api.stripe.com'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/auth0-extensions/auth0-reset-tenant/issues/31
  'identity-provider-counts-too-many-tokens': reported(
    'An identity provider outside counts too many token requests of the whole company; three programs fail until it forgets',
    (cluster) => {
      const values = { AUTH0_DOMAIN: 'borealis.eu.auth0.com' };
      const innocents = clients(cluster, 0, {
        'identity/provisioner': {
          does: ends([
            'level=fatal msg="management api" err="Post \\"https://borealis.eu.auth0.com/oauth/token\\": oauth2: cannot fetch token: 429 Too Many Requests\\nResponse: {\\"statusCode\\":429,\\"error\\":\\"Too Many Requests\\",\\"message\\":\\"Global limit has been reached\\",\\"errorCode\\":\\"too_many_requests\\"}"',
          ]),
          values,
        },
        'sales/portal': {
          does: unready([
            'TooManyRequestsError: Global limit has been reached',
            '    at request to https://borealis.eu.auth0.com/api/v2/users (/app/node_modules/auth0/dist/cjs/lib/runtime.js:55:23)',
          ]),
          values,
        },
        'support/desk-sync': {
          does: ends([
            'requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://borealis.eu.auth0.com/oauth/token',
          ]),
          values,
        },
      });
      recover(cluster, 540, 'identity/provisioner', 'sales/portal', 'support/desk-sync');
      cluster.expectIncident({
        root: 'ExternalEndpoint//borealis.eu.auth0.com:443',
        accepts: ['ExternalEndpoint//borealis.eu.auth0.com'],
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/sendgrid/sendgrid-nodejs/issues/1032
  'mail-provider-has-no-credits-left': reported(
    'An account at a mail provider has used up its credits; a mailer and a newsletter fail with the same key',
    (cluster) => {
      cluster.secret('notify/sendgrid', { 'api-key': 'one' });
      const env = { SENDGRID_API_KEY: 'secret/sendgrid/api-key' };
      const innocents = clients(cluster, 0, {
        'notify/mailer': {
          does: ends([
            'ResponseError: Unauthorized',
            '    at node_modules/@sendgrid/client/src/classes/client.js:167:29',
            "  code: 401, response: { body: { errors: [ { message: 'Maximum credits exceeded', field: null, help: null } ] } }",
            'Node.js v20.11.1',
          ]),
          env,
        },
        'notify/newsletter': {
          does: ends([
            'python_http_client.exceptions.UnauthorizedError: HTTP Error 401: Unauthorized',
            'body: b\'{"errors":[{"message":"Maximum credits exceeded","field":null,"help":null}]}\' url: https://api.sendgrid.com/v3/mail/send',
          ]),
          env,
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.sendgrid.com:443',
        accepts: ['ExternalEndpoint//api.sendgrid.com', 'Secret/notify/sendgrid'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/spring-attic/spring-cloud-dataflow/issues/4675: what is fetched at each start cannot be fetched.
  'plugins-cannot-be-fetched-at-the-start': reported(
    'A Grafana fetches its plugins at each start; it is moved to another machine once the way to their catalogue is closed',
    (cluster, firm) => {
      const image = 'docker.io/grafana/grafana:11.2.0';
      cluster.deployment('monitoring/grafana', { image, values: { GF_INSTALL_PLUGINS: 'grafana-piechart-panel' } });
      cluster.service('monitoring/grafana');
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'Error: ✗ Failed to send request: Get "https://grafana.com/api/plugins/repo/grafana-piechart-panel":  dial tcp: lookup grafana.com on 10.96.0.10:53: no such host',
            ],
            1,
            2,
          ),
        );
        cluster.evict('monitoring', 'grafana');
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//grafana.com:443',
        accepts: ['ExternalEndpoint//grafana.com', 'Deployment/monitoring/grafana'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking', 'Service/monitoring/grafana', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/velero-io/velero/issues/3581 for the answer of the store
  'backup-has-the-key-of-another-account': reported(
    'The Secret of the nightly backups gets the key of another account; each run is refused, and nobody restarts anything',
    (cluster) => {
      const secret = cluster.secret('backup/restic', { AWS_ACCESS_KEY_ID: 'one', RESTIC_PASSWORD: 'two' });
      const image = 'docker.io/restic/restic:0.16.4';
      cluster.image(image, { exit: { afterSeconds: 15, code: 0 }, log: ['snapshot 7af9a0c3 saved'] });
      const runs = cluster.cronJob('backup/restic', {
        ...{ schedule: '*/5 * * * *', image },
        job: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'restic', image, envFrom: [{ secretRef: { name: 'restic' } }] }],
            },
          },
        },
      });
      cluster.at(after(-60), () => {
        secret.edit({ AWS_ACCESS_KEY_ID: 'three', RESTIC_PASSWORD: 'two' });
        cluster.image(image, {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            'Fatal: unable to open config file: Stat: The Access Key Id you provided does not exist in our records.',
            'Is there a repository at the following location?',
            's3:https://s3.eu-central-1.amazonaws.com/borealis-backups',
          ],
        });
      });
      cluster.at(after(1080), () => runs.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'Secret/backup/restic',
        accepts: ['CronJob/backup/restic'],
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/hystax/optscale/pull/730: an init container waits for a name without a word.
  'job-waits-for-a-search-engine-of-another-name': reported(
    'A chart renames its search engine; the Job that prepares the next release waits for the old name and says nothing',
    (cluster) => {
      const elk = server(cluster, 'optscale/elk', 'docker.io/library/elasticsearch:7.17.9', 9200);
      cluster.image('docker.io/library/busybox:1.36', {
        exit: { afterSeconds: 100_000, code: 0 },
        log: ["nc: bad address 'elk.optscale.svc.cluster.local'", "nc: bad address 'elk.optscale.svc.cluster.local'"],
      });
      const old = cluster.planned({
        ...{ apiVersion: 'v1', kind: 'Service' },
        metadata: { namespace: 'optscale', name: 'elk' },
      });
      cluster.at(after(-30), () => {
        elk.delete();
        old.delete();
        server(cluster, 'optscale/opensearch', 'docker.io/opensearchproject/opensearch:2.11.0', 9200);
      });
      cluster.at(after(0), () =>
        cluster.job('optscale/auth-migrations', {
          ...{ image: imageAt('auth-migrations', 30), init: 'docker.io/library/busybox:1.36' },
          pod: {
            initContainers: [
              {
                name: 'wait-elk',
                image: 'docker.io/library/busybox:1.36',
                command: ['sh', '-c', 'until nc -z elk.optscale.svc.cluster.local 9200 -w 2; do sleep 2; done'],
              },
            ],
          },
        }),
      );
      cluster.expectIncident({
        root: 'Service/optscale/elk',
        accepts: ['Job/optscale/auth-migrations'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['StatefulSet/optscale/opensearch'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/kubernetes/kubernetes/issues/122160: it writes beyond what it may.
  'report-writes-more-than-it-may': reported(
    'A report of the end of the month writes more to its own disk than its limit allows, and is evicted three times',
    (cluster, firm) => {
      const image = imageAt('month-report', 4);
      cluster.image(image, {
        evicted: {
          afterSeconds: 50,
          message: 'Pod ephemeral local storage usage exceeds the total limit of containers 2Gi. ',
        },
        log: ['INFO  spooling 18400000 rows to /tmp/report'],
      });
      innocentRelease(cluster, after(-35), firm);
      cluster.at(after(0), () =>
        cluster.job('finance/month-report', {
          image,
          container: { resources: { limits: { 'ephemeral-storage': '2Gi' } } },
          spec: { backoffLimit: 2 },
        }),
      );
      cluster.expectIncident({
        root: 'Job/finance/month-report',
        messages: { update: '≤2', resolve: 0 },
        // Its first Pod is evicted then; the Job itself fails with the third.
        beginsAfterSeconds: 380,
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/FoundationDB/fdb-kubernetes-operator/issues/2294
  'image-has-no-layer-for-the-new-machines': reported(
    'A new pool has machines of another architecture; the image of one workload is not built for them, and its next replicas land there',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const image = 'docker.io/foundationdb/fdb-kubernetes-operator:v2.6.0';
      const operator = cluster.deployment('fdb/fdb-operator', { replicas: 2, image });
      cluster.at(after(-60), () => cluster.addNode({ name: 'arm-1', labels: { 'kubernetes.io/arch': 'arm64' } }));
      cluster.at(after(0), () => {
        cluster.image(image, ({ spec }) =>
          spec.nodeName === 'arm-1'
            ? {
                pullError: `failed to pull and unpack image "${image}": no match for platform in manifest: not found`,
              }
            : {},
        );
        operator.scale(6);
      });
      cluster.expectIncident({
        root: 'Deployment/fdb/fdb-operator',
        accepts: ['Node//arm-1'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Registry//docker.io'],
      });
    },
  ),

  // https://github.com/containerd/containerd/issues/10662, https://github.com/ray-project/ray/issues/46813: the machines pull through a proxy.
  'proxy-of-the-machines-refuses': reported(
    'The machines pull through a proxy that is down; what starts anew with an image that is not there yet cannot be pulled from two registries',
    (cluster, firm) => {
      const images = {
        'site/strapi': 'docker.io/strapi/strapi',
        'site/imgproxy': 'ghcr.io/imgproxy/imgproxy',
        'data/dagster': 'docker.io/dagster/dagster-k8s',
      };
      const handles = Object.entries(images).map(([place, repository]) =>
        cluster.deployment(place, { replicas: 2, image: `${repository}:1.0` }),
      );
      innocentRelease(cluster, after(-45), firm);
      const hosts: Readonly<Record<string, string>> = { 'docker.io': 'registry-1.docker.io', 'ghcr.io': 'ghcr.io' };
      cluster.at(after(0), () => {
        for (const [index, repository] of Object.values(images).entries()) {
          const [host = '', ...path] = repository.split('/');
          const image = `${repository}:1.1`;
          const url = `https://${hosts[host]}/v2/${path.join('/')}/manifests/1.1`;
          cluster.image(image, {
            pullError: `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "${url}": proxyconnect tcp: dial tcp 10.20.0.5:3128: connect: connection refused`,
          });
          handles[index]?.setImage(image);
        }
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//10.20.0.5:3128',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          ...(['Deployment/site/strapi', 'Deployment/site/imgproxy', 'Deployment/data/dagster'] as const),
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/canonical/microk8s/issues/4754: the pull Secrets of two teams belong to one user, who is blocked.
  'user-behind-two-pull-secrets-is-blocked': reported(
    'The user of a registry whose token two namespaces pull with is blocked; what scales up in either cannot pull',
    (cluster) => {
      const host = 'registry.gitlab.example';
      const places = ['maps/tiles', 'maps/router', 'ride/matching'];
      for (const namespace of ['maps', 'ride']) cluster.secret(`${namespace}/gitlab`, { '.dockerconfigjson': '{}' });
      const pod = { imagePullSecrets: [{ name: 'gitlab' }] };
      const image = (place: string): string => `${host}/${place}:3.1`;
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: image(place), pod }));
      cluster.at(after(0), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(image(place), {
            pullError: `failed to pull and unpack image "${image(place)}": failed to resolve reference "${image(place)}": failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://gitlab.example/jwt/auth?scope=repository%3A${place.replace('/', '%2F')}%3Apull&service=container_registry: 403 Forbidden: denied: access forbidden`,
          });
          handles[index]?.scale(5);
        }
      });
      cluster.expectIncident({
        root: `Registry//${host}`,
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/maps/tiles', 'Deployment/maps/router', 'Deployment/ride/matching'],
      });
    },
  ),

  // https://github.com/chatwoot/chatwoot/issues/12735 for tags that their makers change; here under a clock.
  'tag-of-a-nightly-run-was-moved': reported(
    'The tag that a run by the clock pulls each time was moved to a broken build; it fails from one run to the next',
    (cluster) => {
      const image = imageOf('etl/dedupe');
      cluster.image(image, { exit: { afterSeconds: 12, code: 0 }, log: ['deduplicated 4012 rows'] });
      const runs = cluster.cronJob('etl/dedupe', { schedule: '*/4 * * * *', image });
      server(cluster, 'etl/postgres', 'docker.io/library/postgres:16.2', 5432);
      cluster.at(after(-20), () =>
        cluster.image(image, {
          exit: { afterSeconds: 2, code: 1 },
          log: [
            'Traceback (most recent call last):',
            '  File "/usr/local/bin/dedupe", line 5, in <module>',
            '    from dedupe.cli import main',
            "ModuleNotFoundError: No module named 'dedupe.cli'",
          ],
        }),
      );
      cluster.at(after(1080), () => runs.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'CronJob/etl/dedupe',
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['StatefulSet/etl/postgres'],
      });
    },
    { minutes: 25 },
  ),
};

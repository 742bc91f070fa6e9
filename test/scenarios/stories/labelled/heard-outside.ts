import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Registries, work by the clock or done once, and what others run. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/actions/delete-package-versions/issues/162, https://github.com/snok/container-retention-policy/issues/97
  'cleaner-of-a-registry-deletes-what-tags-lead-to': reported(
    'A weekly cleaning deletes the manifests that the tags of three images lead to; what moves to another machine cannot be pulled again',
    (cluster, firm) => {
      const names = ['tenant-proxy', 'tenant-ui', 'plugins'];
      const images = names.map((name) => `ghcr.io/province/traction-${name}:1.4.0`);
      for (const [index, name] of names.entries())
        cluster.deployment(`traction/${name}`, { image: images[index] ?? '', nodeSelector: { pool: 'apps' } });
      cluster.nodes([
        ...['n1', 'n2', 'n3'].map((name) => ({ name, labels: { pool: name === 'n1' ? 'apps' : 'rest' } })),
      ]);
      innocentRelease(cluster, after(-50), firm);
      cluster.at('220s', () => cluster.addNode({ name: 'm1', labels: { pool: 'apps' } }));
      cluster.at(after(0), () => {
        for (const image of images)
          cluster.image(image, {
            pullError: `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
          });
        cluster.node('n1').drain();
      });
      cluster.expectIncident({
        root: 'Registry//ghcr.io',
        accepts: names.map((name) => `Deployment/traction/${name}` as const),
        messages: { resolve: 0, update: '≤2', open: '≤3' },
        mustNotBlame: ['Node//n1', 'Node//m1', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/tektoncd/pipeline/issues/8870: the project moved to another registry and closed its old one.
  'registry-of-a-project-was-closed': reported(
    'A project has closed its old registry; its controller, its webhook and its resolver are moved to other machines and cannot be pulled again',
    (cluster) => {
      const names = ['tekton-pipelines-controller', 'tekton-pipelines-webhook', 'tekton-events-controller'];
      const imageOfPart = (name: string): string =>
        `gcr.io/tekton-releases/github.com/tektoncd/pipeline/cmd/${name.replace('tekton-', '')}:v0.59.0`;
      for (const name of names) {
        cluster.deployment(`tekton-pipelines/${name}`, { image: imageOfPart(name) });
        cluster.service(`tekton-pipelines/${name}`);
      }
      cluster.at(after(0), () => {
        for (const name of names) {
          const image = imageOfPart(name);
          cluster.image(image, {
            pullError: `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://gcr.io/v2/token?scope=repository%3Atekton-releases%3Apull&service=gcr.io: 403 Forbidden`,
          });
          cluster.evict('tekton-pipelines', name);
        }
      });
      cluster.expectIncident({
        root: 'Registry//gcr.io',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...names.map((name) => `Deployment/tekton-pipelines/${name}` as const),
          ...(['Node//n1', 'Node//n2', 'Node//n3'] as const),
        ],
      });
    },
  ),

  // https://github.com/GoogleContainerTools/kaniko/issues/2655: 1.13 looks for its credentials elsewhere than 1.5 did.
  'builder-looks-for-its-credentials-elsewhere': reported(
    'The builder of a CronJob is upgraded and finds its credentials no more; each run since may not push, while the registry is well',
    (cluster) => {
      const repository = 'gcr.io/kaniko-project/executor';
      cluster.secret('ci/push-credentials', { 'config.json': 'one' });
      cluster.image(`${repository}:v1.5.1`, {
        exit: { afterSeconds: 25, code: 0 },
        log: ['Pushed image to 1 destinations'],
      });
      const build = cluster.cronJob('ci/base-images', { schedule: '*/3 * * * *', image: `${repository}:v1.5.1` });
      cluster.image(`${repository}:v1.13.0`, {
        exit: { afterSeconds: 4, code: 1 },
        log: [
          'level=debug msg="Copying file /workspace/source/Dockerfile to /kaniko/Dockerfile"',
          'error checking push permissions -- make sure you entered the correct tag name, and that you are authenticated correctly, and try again: checking push permission for "registry.borealis.example/base:202611": POST https://registry.borealis.example/v2/base/blobs/uploads/: UNAUTHORIZED: authentication required',
        ],
      });
      cluster.at(after(0), () =>
        build.patch({
          spec: {
            jobTemplate: {
              spec: {
                template: { spec: { containers: [{ name: 'base-images', image: `${repository}:v1.13.0` }] } },
              },
            },
          },
        }),
      );
      cluster.expectIncident({
        root: 'CronJob/ci/base-images',
        accepts: ['Secret/ci/push-credentials'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Node//n1', 'Registry//gcr.io', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/frappe/helm/issues/19: the server has other character sets than the run expects.
  'new-site-expects-another-character-set': reported(
    'A run that makes a new site finds its database set otherwise than it needs, and fails at each try; the sites of before go on',
    (cluster, firm) => {
      server(cluster, 'erp/mariadb', 'docker.io/library/mariadb:10.11.6', 3306);
      cluster.deployment('erp/erpnext', { replicas: 2, image: 'docker.io/frappe/erpnext-worker:v12.8.0' });
      cluster.service('erp/erpnext');
      const image = 'docker.io/frappe/erpnext-worker:v12.8.0-site';
      cluster.image(
        image,
        ends(
          [
            'Created user _3b119d647a0c4667',
            'For key character_set_server. Expected value utf8mb4, found value utf8',
            'For key collation_server. Expected value utf8mb4_unicode_ci, found value utf8_general_ci',
            'Creation of your site - north.example failed because MariaDB is not properly ',
            'Database settings do not match expected values; stopping database setup.',
          ],
          1,
          12,
        ),
      );
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => cluster.job('erp/create-new-site', { image, spec: { backoffLimit: 3 } }));
      cluster.expectIncident({
        root: 'Job/erp/create-new-site',
        accepts: ['StatefulSet/erp/mariadb'],
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/erp/erpnext', 'Deployment/logistics/tracking', 'Node//n1'],
      });
    },
  ),

  // https://preproom.ai/code/oc-g504: a managed service of feature flags is out; over after ten minutes.
  'managed-flags-are-not-streamed': reported(
    'A managed service of feature flags is out; three services that wait for their flags at the start end or are not ready, for ten minutes',
    (cluster, firm) => {
      const host = 'stream.launchdarkly.com';
      innocentRelease(cluster, after(-20), firm);
      const values = { LD_STREAM_URI: `https://${host}` };
      const places = {
        'travel/offers': {
          does: ends(
            [
              `[LaunchDarkly] Unexpected response (or network error) on stream connection: Get "https://${host}/all": dial tcp 151.101.2.217:443: i/o timeout, will retry`,
              'panic: timeout encountered waiting for LaunchDarkly client initialization',
            ],
            2,
            12,
          ),
          values,
        },
        'travel/seats': {
          does: unready([
            `warn: [LaunchDarkly] Received I/O error (connect ETIMEDOUT) for streaming request to https://${host}/all - will retry`,
          ]),
          values,
        },
        'travel/loyalty': {
          does: unready([
            `ldclient.util WARNING: Unexpected error on stream connection: HTTPSConnectionPool(host='${host}', port=443): Max retries exceeded with url: /all (Caused by ConnectTimeoutError), will retry`,
          ]),
          values,
        },
      };
      const innocents = clients(cluster, 0, places);
      recover(cluster, 600, ...Object.keys(places));
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:443`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'Deployment/kube-system/coredns'],
      });
    },
    { minutes: 23 },
  ),

  // https://github.com/alkem-io/server/pull/6241, https://github.com/Ylianst/MeshCentral/issues/7877: one try, and 3.5 seconds for it.
  'sign-in-page-is-discovered-too-slowly': reported(
    'The sign-in that a company rents answers too slowly; two servers that ask it once at their start end, and a third is unready',
    (cluster) => {
      const host = 'borealis.okta.com';
      const values = { OIDC_ISSUER: `https://${host}/oauth2/default` };
      const slow = ends(
        [
          `OidcService: discovering https://${host}/oauth2/default/.well-known/openid-configuration`,
          `RPError: outgoing request to https://${host}/oauth2/default/.well-known/openid-configuration timed out after 3500ms`,
          '    at /app/node_modules/openid-client/lib/helpers/request.js:140:13',
        ],
        1,
        6,
      );
      const innocents = clients(cluster, 0, {
        'spaces/server': { does: slow, values },
        'spaces/notifications': { does: slow, values },
        'remote/console': {
          does: unready([
            `Error: OIDC: Discovery failed. Get "https://${host}/oauth2/default/.well-known/openid-configuration": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
          ]),
          values,
        },
      });
      cluster.deployment('spaces/whiteboard', { image: imageAt('whiteboard', 2) });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:443`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/spaces/whiteboard', 'Deployment/kube-system/coredns'],
      });
    },
  ),
};

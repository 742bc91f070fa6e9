import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, recover, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Releases after which others fail, and some that fail by themselves. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/airbytehq/airbyte/issues/32267, https://github.com/temporalio/cli/issues/807
  'workflow-server-starts-empty': reported(
    'A Temporal is redeployed with another persistence and knows no namespaces; the workers of three teams end or wait',
    (cluster, firm) => {
      const temporal = cluster.deployment('flows/temporal', {
        ...{ replicas: 2, image: 'docker.io/temporalio/auto-setup:1.26.2', values: { DBNAME: 'temporal' } },
      });
      cluster.service('flows/temporal', { ports: [{ name: 'main', port: 7233, targetPort: 7233, protocol: 'TCP' }] });
      innocentRelease(cluster, after(-120), firm);
      cluster.at(after(0), () => temporal.change({ replicas: 2, values: { DBNAME: 'temporal_v2' } }));
      const innocents = clients(cluster, 40, {
        'etl/worker': {
          does: ends([
            'io.grpc.StatusRuntimeException: NOT_FOUND: Namespace default is not found.',
            '\tat io.grpc.stub.ClientCalls.toStatusRuntimeException(ClientCalls.java:268)',
          ]),
          values: { TEMPORAL_HOST: 'temporal.flows:7233' },
        },
        'etl/connectors': {
          does: ends([
            '{"time":"2026-11-22T22:31:03.083517-07:00","level":"ERROR","msg":"Failed to start sdk worker, out of retries","component":"perns-worker-manager","wf-namespace":"bar","error":"Namespace bar is not found."}',
          ]),
          values: { TEMPORAL_ADDRESS: 'temporal.flows.svc.cluster.local:7233' },
        },
        'billing/renewals': {
          does: unready(['poller started queue=renewals']),
          values: { TEMPORAL_ADDRESS: 'temporal.flows.svc:7233' },
        },
      });
      cluster.expectIncident({
        root: 'Deployment/flows/temporal',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/2FastLabs/agent-squad/issues/213, https://github.com/bartve/disconnect/pull/13: a page where JSON was expected.
  'prices-come-as-a-page': reported(
    'A release of a price service answers its API with its HTML page; three callers cannot read that, and it is rolled back after ten minutes',
    (cluster) => {
      const prices = cluster.deployment('shop/prices', { replicas: 3, image: imageAt('prices', '3.14.0') });
      cluster.service('shop/prices');
      cluster.at(after(0), () => prices.setImage(imageAt('prices', '3.15.0')));
      cluster.at(after(600), () => prices.setImage(imageAt('prices', '3.14.0')));
      const innocents = clients(cluster, 25, {
        'shop/checkout': {
          does: unready([
            'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
            '    at JSON.parse (<anonymous>)',
          ]),
          values: { PRICES_URL: 'http://prices/api' },
        },
        'shop/offers': {
          does: ends(['json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)']),
          values: { PRICE_SERVICE: 'http://prices.shop.svc.cluster.local/api' },
        },
        'apps/mobile-api': {
          does: unready(['level=error msg="load prices" err="invalid character \'<\' looking for beginning of value"']),
          values: { PRICES_ENDPOINT: 'http://prices.shop/api' },
        },
      });
      recover(cluster, 630, 'shop/checkout', 'shop/offers', 'apps/mobile-api');
      cluster.expectIncident({
        root: 'Deployment/shop/prices',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/gitpod-io/gitpod/pull/18628, https://github.com/microsoft/mindaro/issues/179
  'image-without-the-program-of-its-probe': reported(
    'A slimmer image lacks the program that its readiness probe calls; the program itself runs well',
    (cluster) => {
      const repository = 'docker.io/library/redis';
      const probe = { readinessProbe: { exec: { command: ['redis-cli', 'ping'] } } };
      const redis = cluster.deployment('installer/redis', {
        image: `${repository}:7.0.12`,
        probe: false,
        container: probe,
      });
      cluster.service('installer/redis', { ports: [{ name: 'main', port: 6379, targetPort: 6379, protocol: 'TCP' }] });
      cluster.image(`${repository}:7.2.0-slim`, {
        readyAfterSeconds: 'never',
        readinessSays:
          'rpc error: code = Unknown desc = failed to exec in container: failed to start exec "90a2bc2e": OCI runtime exec failed: exec failed: unable to start container process: exec: "redis-cli": executable file not found in $PATH: unknown',
        log: ['1:M 22 Nov 2026 10:01:12.004 * Ready to accept connections tcp'],
      });
      cluster.at(after(0), () => redis.setImage(`${repository}:7.2.0-slim`));
      cluster.expectIncident({
        root: 'Deployment/installer/redis',
        beginsAfterSeconds: 335,
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/snyk-labs/nodejs-goof/issues/1290: an option that the runtime does not take in this variable.
  'option-of-the-runtime-is-refused': reported(
    'A variable with options of Node.js is set for a storefront; the runtime takes none of them in that variable',
    (cluster, firm) => {
      const first = { replicas: 3, image: imageAt('storefront-ssr', '20.1') };
      const ssr = cluster.deployment('web/storefront-ssr', first);
      cluster.service('web/storefront-ssr');
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        cluster.image(
          imageAt('storefront-ssr', '20.1'),
          ends(['/usr/local/bin/node: --openssl-legacy-provider is not allowed in NODE_OPTIONS'], 9, 1),
        );
        ssr.change({ ...first, values: { NODE_OPTIONS: '--max-old-space-size=400 --openssl-legacy-provider' } });
      });
      cluster.expectIncident({
        root: 'Deployment/web/storefront-ssr',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),
};

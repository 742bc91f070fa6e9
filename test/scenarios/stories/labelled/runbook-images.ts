import { type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';

const names = ['orders', 'crm', 'reports'];
const refs = names.map((name) => `Deployment/apps/${name}` as const);

/** Images that do not arrive. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/: the robot account got a new password.
  'robot-account-replaced': scenario(
    'The registry no longer takes the robot account; three workloads are restarted and pull anew',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.secret('apps/harbor-robot', { '.dockerconfigjson': 'x' });
      const pod = { imagePullSecrets: [{ name: 'harbor-robot' }] };
      const handles = names.map((name) =>
        cluster.deployment(`apps/${name}`, { replicas: 2, image: `harbor.acme.example/apps/${name}:1`, pod }),
      );
      cluster.at('6s', () => {
        for (const name of names)
          cluster.image(`harbor.acme.example/apps/${name}:2`, {
            pullError: `failed to pull and unpack image "harbor.acme.example/apps/${name}:2": failed to resolve reference "harbor.acme.example/apps/${name}:2": failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://harbor.acme.example/service/token: 401 Unauthorized`,
          });
      });
      for (const [index, handle] of handles.entries())
        cluster.at(`${8 + 3 * index}s`, () => handle.setImage(`harbor.acme.example/apps/${names[index]}:2`));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Registry//harbor.acme.example',
        accepts: ['Secret/apps/harbor-robot'],
        messages: { resolve: 0 },
        mustNotBlame: refs,
      });
    },
  ),

  // https://goharbor.io/docs/2.13.0/install-config/configure-https/: its own certificate was not renewed.
  'registry-certificate-runs-out': scenario(
    'The certificate of the registry runs out; two releases cannot pull',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const handles = ['orders', 'crm'].map((name) =>
        cluster.deployment(`apps/${name}`, { replicas: 2, image: `harbor.acme.example/apps/${name}:1` }),
      );
      for (const name of ['orders', 'crm'])
        cluster.image(`harbor.acme.example/apps/${name}:2`, {
          pullError: `failed to pull and unpack image "harbor.acme.example/apps/${name}:2": failed to resolve reference "harbor.acme.example/apps/${name}:2": failed to do request: Head "https://harbor.acme.example/v2/apps/${name}/manifests/2": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-22T09:12:03Z is after 2026-11-22T00:00:00Z`,
        });
      cluster.at('8s', () => handles[0]?.setImage('harbor.acme.example/apps/orders:2'));
      cluster.at('14s', () => handles[1]?.setImage('harbor.acme.example/apps/crm:2'));
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Registry//harbor.acme.example',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/apps/orders', 'Deployment/apps/crm'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/containers/images/#specifying-imagepullsecrets-on-a-pod: the new namespace has not got it.
  'namespace-without-pull-secret': scenario(
    'A new namespace lacks the Secret with which its images are pulled; elsewhere all pull',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const pod = { imagePullSecrets: [{ name: 'harbor-robot' }] };
      cluster.secret('apps/harbor-robot', { '.dockerconfigjson': 'x' });
      const orders = cluster.deployment('apps/orders', {
        replicas: 2,
        image: 'harbor.acme.example/apps/orders:1',
        pod,
      });
      for (const name of ['orders', 'crm'])
        cluster.image(`harbor.acme.example/apps/${name}:1-preview`, {
          pullError: `failed to pull and unpack image "harbor.acme.example/apps/${name}:1-preview": failed to resolve reference "harbor.acme.example/apps/${name}:1-preview": pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
        });
      cluster.at('6s', () => {
        for (const name of ['orders', 'crm'])
          cluster.deployment(`preview-42/${name}`, {
            image: `harbor.acme.example/apps/${name}:1-preview`,
            pod,
            broken: true,
          });
      });
      // The same registry serves others meanwhile.
      cluster.at('12s', () => orders.setImage('harbor.acme.example/apps/orders:1.1'));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Secret/preview-42/harbor-robot',
        accepts: ['Registry//harbor.acme.example'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/apps/orders', 'Deployment/preview-42/orders', 'Deployment/preview-42/crm'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/containers/images/#image-names: a CI variable was empty.
  'image-name-with-a-hole': scenario('A pipeline leaves the tag of an image empty', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const orders = cluster.deployment('apps/orders', { replicas: 2, image: 'harbor.acme.example/apps/orders:1' });
    cluster.image('harbor.acme.example/apps/orders:', {
      pullError:
        'Failed to apply default image tag "harbor.acme.example/apps/orders:": couldn\'t parse image name "harbor.acme.example/apps/orders:": invalid reference format',
    });
    cluster.at('8s', () => orders.setImage('harbor.acme.example/apps/orders:'));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Deployment/apps/orders',
      messages: { resolve: 0 },
      mustNotBlame: ['Registry//harbor.acme.example'],
    });
  }),
};

import type { Ref } from '../../../../src/model/ref.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

const host = 'harbor.example';
const image = (name: string): string => `${host}/apps/${name}`;

/** Where images come from. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://goharbor.io/docs/main/administration/
  'registry-of-the-house-is-down': scenario(
    'The registry that runs in the cluster itself crashes; whoever starts on another machine finds no image',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      cluster.object(ingressClass);
      cluster.deployment('harbor/harbor-core', { replicas: 1, image: 'mirror.example/goharbor/harbor-core:2.11' });
      cluster.service('harbor/harbor-core');
      cluster.object(ingress('harbor/harbor', 'harbor-core'));
      const names = ['desk', 'mailroom'];
      const all = names.map((name) => cluster.deployment(`office/${name}`, { replicas: 2, image: image(`${name}:1`) }));
      cluster.at('10s', () =>
        cluster.befall(
          'mirror.example/goharbor/harbor-core:2.11',
          ends([
            '[ERROR] [/lib/cache/cache.go:124]: failed to ping redis://harbor-redis:6379/0, retry after 500ms : dial tcp: lookup harbor-redis: no such host',
            '[FATAL] [/core/main.go:184]: failed to initialize cache: retry timeout',
          ]),
        ),
      );
      cluster.at('24s', () => {
        for (const [index, name] of names.entries()) {
          cluster.image(image(`${name}:2`), {
            pullError: `failed to pull and unpack image "${image(`${name}:2`)}": failed to resolve reference "${image(`${name}:2`)}": unexpected status from HEAD request to https://${host}/v2/apps/${name}/manifests/2: 503 Service Temporarily Unavailable`,
          });
          all[index]?.setImage(image(`${name}:2`));
        }
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/harbor/harbor-core',
        accepts: [`Registry//${host}`],
        mustNotBlame: names.map((name): Ref => `Deployment/office/${name}`),
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/
  'pull-secret-of-one-team-is-wrong': scenario(
    'The pull secret of one team is renewed with a wrong password; another team pulls from the same registry as ever',
    (cluster) => {
      surroundings(cluster);
      const auth = (password: string): object => ({
        '.dockerconfigjson': JSON.stringify({ auths: { [host]: { username: 'team', password } } }),
      });
      const secret = cluster.planned({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'regcred', namespace: 'parking' } },
        type: 'kubernetes.io/dockerconfigjson',
        stringData: auth('guess'),
      });
      secret.create();
      const pod = { imagePullSecrets: [{ name: 'regcred' }] };
      const names = ['tickets', 'gates'];
      const all = names.map((name) =>
        cluster.deployment(`parking/${name}`, { replicas: 2, image: image(`${name}:1`), pod }),
      );
      const other = cluster.deployment('transit/timetable', { replicas: 2, image: image('timetable:1') });
      cluster.at('8s', () => secret.patch({ stringData: auth('wrong') }));
      cluster.at('16s', () => {
        for (const [index, name] of names.entries()) {
          cluster.image(image(`${name}:2`), { pullError: 'Unauthorized' });
          all[index]?.setImage(image(`${name}:2`));
        }
        other.setImage(image('timetable:2'));
      });
      cluster.lasts('2m15s');
      cluster.expectIncident({
        root: 'Secret/parking/regcred',
        mustNotBlame: ['Deployment/parking/tickets', 'Deployment/parking/gates', 'Deployment/transit/timetable'],
      });
    },
  ),
  // https://distribution.github.io/distribution/about/insecure/
  'certificate-of-the-registry-expired': scenario(
    'The certificate of the registry has expired: three releases of two teams get no image',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      const places = ['fleet/routes', 'fleet/drivers', 'depot/stock'] as const;
      const all = places.map((place) =>
        cluster.deployment(place, { replicas: 2, image: image(`${place.split('/')[1]}:1`) }),
      );
      cluster.at('5s', () => wiki.setImage('registry.acme.example/wiki:4.0'));
      cluster.at('12s', () => {
        for (const [index, place] of places.entries()) {
          const name = place.split('/')[1];
          cluster.image(image(`${name}:2`), {
            pullError: `failed to pull and unpack image "${image(`${name}:2`)}": failed to resolve reference "${image(`${name}:2`)}": failed to do request: Head "https://${host}/v2/apps/${name}/manifests/2": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-02T08:00:12Z is after 2026-11-02T00:00:00Z`,
          });
          all[index]?.setImage(image(`${name}:2`));
        }
      });
      cluster.lasts('2m15s');
      cluster.expectIncident({
        root: `Registry//${host}`,
        mustNotBlame: [...places.map((place): Ref => `Deployment/${place}`), 'Deployment/office/wiki'],
      });
    },
  ),
};

import { condition, custom, define, imageAt, innocentRelease } from '../../kit/company.ts';
import { after, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';

/** Images and packages that are not had. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/terraform-google-modules/terraform-google-kubernetes-engine/issues/1779: the account of the new pool.
  'new-pool-may-not-read-the-registry': reported(
    'A pool of machines is added whose account may not read the registry of the firm; two workloads that grow onto it get no image there',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const host = 'europe-west2-docker.pkg.dev';
      const names = ['speech', 'subtitles'];
      const imageFor = (name: string): string => `${host}/dev-speech/ml/${name}:4.19.5`;
      const handles = names.map((name) => cluster.deployment(`speech/${name}`, { replicas: 2, image: imageFor(name) }));
      cluster.at(after(0), () => {
        for (const name of names) {
          const image = imageFor(name);
          const pullError = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": unexpected status from HEAD request to https://${host}/v2/dev-speech/ml/${name}/manifests/4.19.5: 403 Forbidden: denied: Permission "artifactregistry.repositories.downloadArtifacts" denied on resource "projects/dev-speech/locations/europe-west2/repositories/ml" (or it may not exist)`;
          cluster.image(image, ({ spec }) => (String(spec.nodeName).startsWith('pool-b') ? { pullError } : {}));
        }
        for (const name of ['pool-b-1', 'pool-b-2'])
          cluster.addNode({ name, labels: { 'cloud.google.com/gke-nodepool': 'pool-b' } });
      });
      cluster.at(after(45), () => {
        for (const handle of handles) handle.scale(7);
      });
      cluster.expectIncident({
        root: `Registry//${host}`,
        accepts: ['Node//pool-b-1', 'Node//pool-b-2'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...names.map((name) => `Deployment/speech/${name}` as const), 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/stalwartlabs/stalwart/issues/1192, https://github.com/containerd/containerd/issues/10134
  'layers-are-packed-in-a-newer-way': reported(
    'A mail server comes with layers that are packed in a way which the runtime of the machines cannot open; taken back after a quarter of an hour',
    (cluster, firm) => {
      const repository = 'docker.io/stalwartlabs/mail-server';
      const mail = cluster.deployment('post/stalwart', { image: `${repository}:v0.11.4` });
      cluster.service('post/stalwart');
      innocentRelease(cluster, after(-15), firm);
      cluster.image(`${repository}:v0.11.6`, {
        pullError: `failed to pull and unpack image "${repository}:v0.11.6": failed to extract layer sha256:178615070e3d6a5fcb2c6d23ebe1c245f05f6ba2f873a870cb4769ea1056dced: archive/tar: invalid tar header: unknown`,
      });
      cluster.at(after(0), () => mail.setImage(`${repository}:v0.11.6`));
      cluster.at(after(900), () => mail.setImage(`${repository}:v0.11.4`));
      cluster.expectIncident({
        root: 'Deployment/post/stalwart',
        messages: { resolve: 1 },
        mustNotBlame: ['Registry//docker.io', 'Node//n1', 'Node//n2', 'Node//n3', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 26 },
  ),

  // https://github.com/crossplane/crossplane/issues/3023: it asks for the package itself, as nobody.
  'package-of-a-provider-is-denied': reported(
    'The package of a provider of Crossplane is moved to a registry that it may not read: the newer package is not unpacked, and the older one runs on',
    (cluster) => {
      cluster.pro();
      define(cluster, 'pkg.crossplane.io/v1', ['Provider'], 'Cluster');
      cluster.deployment('crossplane-system/crossplane', { image: imageAt('crossplane', '1.16.0') });
      const provider = custom(cluster, 'pkg.crossplane.io/v1', 'Provider', '/provider-kubernetes', {
        package: 'xpkg.upbound.io/crossplane-contrib/provider-kubernetes:v0.13.0',
      });
      const healthy = [
        { type: 'Installed', status: 'True', reason: 'ActivePackageRevision', lastTransitionTime: 'now' },
        { type: 'Healthy', status: 'True', reason: 'HealthyPackageRevision', lastTransitionTime: 'now' },
      ];
      provider.status({ conditions: healthy });
      const host = 'europe-docker.pkg.dev';
      const why = `cannot unpack package: failed to fetch package digest from remote: GET https://${host}/v2/token?scope=repository: DENIED: Permission "artifactregistry.repositories.downloadArtifacts" denied on resource "projects/adm-dev-ope/locations/europe/repositories/docker-gke" (or it may not exist)`;
      cluster.at(after(0), () =>
        provider.patch({ spec: { package: `${host}/adm-dev-ope/docker-gke/provider-kubernetes:v0.14.0` } }),
      );
      cluster.at(after(6), () => provider.status(condition('Installed', 'False', 'UnpackingPackage', why)));
      cluster.expectIncident({
        root: 'Provider.pkg.crossplane.io//provider-kubernetes',
        accepts: [`Registry//${host}`],
        messages: { resolve: 0 },
        beginsAfterSeconds: 336,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Deployment/crossplane-system/crossplane'],
      });
    },
    { minutes: 28 },
  ),
};

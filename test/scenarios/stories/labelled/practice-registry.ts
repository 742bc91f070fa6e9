import { type Ref, refOf } from '../../../../src/model/ref.ts';
import { company, imageAt, innocentRelease } from '../../kit/company.ts';
import { split } from '../../kit/manifests.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';

/** Workloads of several teams whose images are of one registry, and that are restarted. */
function restarted(
  cluster: ClusterBuilder,
  host: string,
  places: readonly string[],
  says: (image: string) => string,
): void {
  const images = places.map((place) => `${host}/${place}:3`);
  const handles = places.map((place, index) => cluster.deployment(place, { replicas: 2, image: images[index] ?? '' }));
  cluster.at('6s', () => {
    for (const image of images) cluster.image(image, { pullError: says(image) });
  });
  cluster.at('10s', () => {
    for (const handle of handles) handle.restart();
  });
}
const deployments = (places: readonly string[]): readonly Ref[] =>
  places.map((place) => refOf('Deployment', split(place).namespace, split(place).name));
const failedTo = (image: string, what: string): string =>
  `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${what}`;

/** Images that do not come. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://status.quay.io: a public registry answers 502.
  'public-registry-answers-502': scenario(
    'A public registry answers 502 while workloads of three teams restart',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const places = ['auth/dex', 'storage/thanos', 'edge/oauth-proxy'];
      innocentRelease(cluster, '3s', firm);
      restarted(cluster, 'quay.example', places, (image) =>
        failedTo(
          image,
          `unexpected status from HEAD request to https://quay.example/v2/${image.split('/').slice(1).join('/').replace(':3', '')}/manifests/3: 502 Bad Gateway`,
        ),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Registry//quay.example',
        messages: { resolve: 0 },
        mustNotBlame: [...deployments(places), 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/containerd/containerd/issues: what a mirror sends is not what was asked for.
  'mirror-sends-other-layers': scenario(
    'A mirror sends layers that do not match their digests to two teams',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const places = ['shop/banner', 'hr/calendar'];
      restarted(
        cluster,
        'mirror.borealis.example',
        places,
        (image) =>
          `failed to pull and unpack image "${image}": failed commit on ref "layer-sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef": unexpected commit digest sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, expected sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef: failed precondition`,
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Registry//mirror.borealis.example',
        messages: { resolve: 0 },
        mustNotBlame: deployments(places),
      });
    },
  ),

  // https://github.com/containerd/containerd/blob/main/RELEASES.md#deprecated-features: Docker schema 1 images.
  'image-in-a-format-of-the-past': scenario(
    'An old image is in a format that the new runtime of all machines does not read',
    (cluster) => {
      const firm = company(cluster);
      innocentRelease(cluster, '2s', firm);
      const image = imageAt('fax-gateway', '2016');
      const fax = cluster.deployment('office/fax-gateway', { image, spec: { strategy: { type: 'Recreate' } } });
      cluster.at('6s', () => {
        cluster.image(image, {
          pullError: `failed to pull and unpack image "${image}": unpack: media type "application/vnd.docker.distribution.manifest.v1+prettyjws" is no longer supported since containerd v2.1, please rebuild the image as "application/vnd.docker.distribution.manifest.v2+json" or "application/vnd.oci.image.manifest.v1+json"`,
        });
        fax.restart();
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/office/fax-gateway',
        messages: { resolve: 0 },
        mustNotBlame: ['Registry//registry.borealis.example', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://docs.docker.com/docker-hub/troubleshoot/: the store behind a registry cuts the connections.
  'store-behind-a-registry-cuts-connections': scenario(
    'Layers of one registry break off half-way for two teams, manifests come',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const places = ['plant/scada', 'bank/risk', 'bank/limits'];
      restarted(
        cluster,
        'images.foundry.example',
        places,
        (image) =>
          `failed to pull and unpack image "${image}": failed to copy: httpReadSeeker: failed open: failed to do request: Get "https://blobs.images.foundry.example/sha256/5f/5f70bf18": read tcp 10.0.4.17:51544->198.51.100.9:443: read: connection reset by peer`,
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Registry//images.foundry.example',
        accepts: [
          'ExternalEndpoint//blobs.images.foundry.example:443',
          'ExternalEndpoint//blobs.images.foundry.example',
          'Registry//blobs.images.foundry.example',
        ],
        messages: { resolve: 0 },
        mustNotBlame: deployments(places),
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/: a repository was made private.
  'repository-made-private': scenario(
    'The project of a base tool is made private, and two teams may not pull from the registry any more',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const places = ['ci/scanner', 'docs/linter'];
      restarted(cluster, 'ghcr.example', places, (image) =>
        failedTo(
          image,
          `failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://ghcr.example/token?scope=repository%3Atools%3Apull&service=ghcr.example: 401 Unauthorized`,
        ),
      );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Registry//ghcr.example',
        messages: { resolve: 0 },
        mustNotBlame: deployments(places),
      });
    },
  ),
};

import { imageAt, innocentRelease, onlyOn } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';

/** Images that are not had. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/containers/image/issues/1953, https://github.com/cri-o/cri-o/pull/8656: a policy on all machines asks for it.
  'image-that-nobody-signed': reported(
    'The machines run signed images only, and a release comes with an image that was not signed; taken back after a quarter of an hour',
    (cluster, firm) => {
      const ledger = cluster.deployment('treasury/ledger', { replicas: 3, image: imageAt('ledger', '2.18.0') });
      cluster.service('treasury/ledger');
      innocentRelease(cluster, after(-30), firm);
      cluster.image(imageAt('ledger', '2.19.0'), {
        pullError:
          'SignatureValidationFailed: copying system image from manifest list: Source image rejected: A signature was required, but no signature exists',
      });
      cluster.at(after(0), () => ledger.setImage(imageAt('ledger', '2.19.0')));
      cluster.at(after(900), () => ledger.setImage(imageAt('ledger', '2.18.0')));
      cluster.expectIncident({
        root: 'Deployment/treasury/ledger',
        accepts: ['Registry//registry.borealis.example'],
        messages: { resolve: 1 },
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/containerd/cri/issues/1367, https://github.com/cri-o/cri-o/issues/5045: the others know that it speaks HTTP.
  'new-machine-speaks-tls-to-a-plain-registry': reported(
    'A machine is added whose runtime was not told that the registry of the plant speaks plain HTTP; two teams get no Pods there',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const host = 'registry.plant.example:5000';
      const names = ['panel', 'conveyor'];
      const handles = names.map((name) =>
        cluster.deployment(`line/${name}`, { replicas: 2, image: `${host}/hmi/${name}:4.2` }),
      );
      cluster.at(after(0), () => {
        for (const name of names) {
          const image = `${host}/hmi/${name}:4.2`;
          const pullError = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "https://${host}/v2/hmi/${name}/manifests/4.2": http: server gave HTTP response to HTTPS client`;
          cluster.image(image, onlyOn('n3', { pullError }));
        }
        cluster.addNode({ name: 'n3' });
      });
      cluster.at(after(40), () => {
        for (const handle of handles) handle.scale(5);
      });
      cluster.expectIncident({
        root: 'Node//n3',
        accepts: [`Registry//${host}`],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/line/panel', 'Deployment/line/conveyor', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/62732, https://github.com/rancher/k3os/issues/431: it was cleaned away, and cannot be had.
  'pause-image-does-not-come': reported(
    'The image of the sandboxes was cleaned away on one machine, which may not fetch it again: no new Pod begins there',
    (cluster, firm) => {
      const places = ['grocer/basket', 'grocer/slots'];
      const handles = places.map((place) => {
        cluster.service(place);
        return cluster.deployment(place, { replicas: 3, image: imageOf(place) });
      });
      innocentRelease(cluster, after(-90), firm);
      const pause = 'registry.k8s.io/pause:3.9';
      const heldUp = {
        reason: 'FailedCreatePodSandBox',
        message: `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "${pause}": failed to pull image "${pause}": failed to pull and unpack image "${pause}": failed to resolve reference "${pause}": failed to do request: Head "https://registry.k8s.io/v2/pause/manifests/3.9": dial tcp 34.96.108.209:443: i/o timeout`,
      } as const;
      cluster.at(after(0), () => {
        for (const place of places) cluster.image(imageOf(place), onlyOn('n2', { heldUp }));
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Node//n2',
        accepts: ['Registry//registry.k8s.io'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Deployment/grocer/basket', 'Deployment/grocer/slots', 'Node//n1', 'Node//n3'],
      });
    },
  ),
};

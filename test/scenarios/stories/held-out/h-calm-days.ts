import { condition, custom, define, imageAt } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

/** Normal days: nobody may hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kured.dev/docs/operation/: one machine at a time, drained, restarted and put back.
  'quiet-machines-restart-for-their-kernel-in-turn': reported(
    'The machines get a new kernel: each is drained, restarts and comes back, with a replicated database and two services among what moves',
    (cluster) => {
      server(cluster, 'config/etcd', 'quay.io/coreos/etcd:v3.5.17', 2379, {
        ...{ replicas: 3, spec: disks(cluster) },
      });
      cluster.object(budget('config/etcd', { maxUnavailable: 1 }));
      for (const place of ['museum/tickets', 'museum/tours']) {
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
        cluster.object(budget(place, { maxUnavailable: 1 }));
      }
      for (const [index, name] of ['n1', 'n2', 'n3'].entries()) {
        cluster.at(after(330 * index), () => cluster.node(name).drain());
        cluster.at(after(330 * index + 60), () => cluster.node(name).reboot('45s'));
        cluster.at(after(330 * index + 150), () => cluster.node(name).uncordon());
      }
    },
    { minutes: 22 },
  ),

  // https://keda.sh/docs/latest/concepts/scaling-deployments/: from nothing and back, and a run of the clock beside it.
  'quiet-queue-wakes-its-workers-and-sends-them-home': reported(
    'A queue fills twice: its workers are scaled from nothing to five and back, while a CronJob does its work every three minutes',
    (cluster) => {
      cluster.pro();
      define(cluster, 'keda.sh/v1alpha1', ['ScaledObject']);
      server(cluster, 'print/nsqd', 'docker.io/nsqio/nsq:v1.3.0', 4150);
      const workers = cluster.deployment('print/layout', { replicas: 0, image: imageAt('layout', 8), probe: false });
      const scaled = custom(cluster, 'keda.sh/v1alpha1', 'ScaledObject', 'print/layout', {
        scaleTargetRef: { name: 'layout' },
      });
      scaled.status(
        condition('Ready', 'True', 'ScaledObjectReady', 'ScaledObject is defined correctly and is ready for scaling'),
      );
      cluster.image(imageAt('proofs', 3), { exit: { afterSeconds: 25, code: 0 }, log: ['checked 18 proofs'] });
      const proofs = cluster.cronJob('print/proofs', { schedule: '*/3 * * * *', image: imageAt('proofs', 3) });
      for (const [seconds, replicas] of [
        [0, 1],
        [30, 5],
        [330, 0],
        [600, 3],
        [800, 0],
      ] as const)
        cluster.at(after(seconds), () => workers.scale(replicas));
      cluster.at(after(1000), () => proofs.patch({ spec: { suspend: true } }));
    },
  ),

  // https://linkerd.io/2/tasks/rotating_webhooks_certificates/: the certificate, then those that read it; one probe is late on the way.
  'quiet-issuer-of-a-mesh-is-renewed': reported(
    'The issuer of a mesh is renewed and its identities restarted for it; later one Pod of a service misses its readiness probe for twenty seconds',
    (cluster) => {
      const secret = cluster.secret('linkerd/linkerd-identity-issuer', { 'tls.crt': 'one', 'tls.key': 'one' });
      const identity = cluster.deployment('linkerd/linkerd-identity', {
        ...{
          replicas: 3,
          image: 'cr.l5d.io/linkerd/controller:edge-24.8.2',
          pod: secretVolume('linkerd-identity-issuer'),
        },
      });
      cluster.service('linkerd/linkerd-identity');
      const image = imageOf('radio/streams');
      cluster.deployment('radio/streams', { replicas: 3, image });
      cluster.service('radio/streams');
      cluster.at(after(0), () => secret.edit({ 'tls.crt': 'two', 'tls.key': 'two' }));
      cluster.at(after(30), () => identity.restart());
      let late: string | undefined;
      cluster.at(after(500), () =>
        cluster.befall(image, ({ metadata }) => {
          late ??= metadata.name;
          return metadata.name === late ? { readyAfterSeconds: 'never' } : {};
        }),
      );
      cluster.at(after(522), () => cluster.befall(image, {}));
    },
  ),
};

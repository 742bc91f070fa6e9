import type { Behaviour } from '../../kit/hands.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';

const image = 'registry.initech.example/ledger:3.2';
const others = ['n2', 'n3'];

/** Where the only replica of something is. The other machines take Pods from the third second on. */
const home = 'n1';

/** A workload of one replica with its Service, on a machine of its own, beside one that has nothing to do with it. */
function ledger(cluster: ClusterBuilder, kind: 'deployment' | 'statefulSet' = 'deployment', spec: object = {}) {
  cluster.recordedFrom('sandbox');
  for (const name of others) cluster.node(name).cordon();
  const workload = cluster[kind]('accounts/ledger', { image, spec });
  cluster.service('accounts/ledger');
  cluster.at('3s', () => {
    for (const name of others) cluster.node(name).uncordon();
    cluster.deployment('shop/checkout', { replicas: 2, image: 'registry.initech.example/checkout:8' });
  });
  return workload;
}

/** From a moment on Pods of the image do this where they start. */
function startsSo(cluster: ClusterBuilder, when: string, behaviour: Behaviour): void {
  cluster.at(when, () => cluster.image(image, behaviour));
}

/** As kube-controller-manager says it while the machine before still has the volume. */
const stillAttached =
  'Multi-Attach error for volume "pvc-6d1f" Volume is already exclusively attached to one node and can\'t be attached to another';

/** Its volume is detached there and attached here, for a minute; then it starts so. */
function movesItsVolume(cluster: ClusterBuilder, behaviour: Behaviour): void {
  startsSo(cluster, '9s', { heldUp: { reason: 'FailedAttachVolume', message: stillAttached } });
  cluster.at('10s', () => cluster.node(home).drain());
  cluster.at('70s', () => cluster.befall(image, behaviour));
  cluster.lasts('2m30s');
}

/** The only replica of something is away for a while, on its way back as on any normal day: nobody is to hear of it. */
export const stories: Readonly<Record<string, Scenario>> = {
  'only-replica-drained-with-a-pull': scenario(
    'The machine of an only replica is drained, and its image takes 40 s to pull on the next',
    (cluster) => {
      ledger(cluster);
      startsSo(cluster, '9s', { pullSeconds: 40 });
      cluster.at('10s', () => cluster.node(home).drain());
      cluster.lasts('2m');
    },
  ),

  // https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html: two minutes' notice, then the machine goes.
  'only-replica-on-a-spot-machine': scenario(
    'The spot machine of an only replica is called back, and the next one joins 20 s later',
    (cluster) => {
      cluster.nodes([home]);
      cluster.recordedFrom('sandbox');
      cluster.deployment('accounts/ledger', { image });
      cluster.service('accounts/ledger');
      startsSo(cluster, '9s', { pullSeconds: 6 });
      cluster.at('10s', () => cluster.node(home).drain());
      cluster.at('30s', () => cluster.addNode({ name: 'n4' }));
      cluster.at('100s', () => cluster.node(home).remove());
      cluster.lasts('2m30s');
    },
  ),

  'stateful-set-moves-its-volume': scenario(
    'A StatefulSet of one moves, and its volume takes a minute to be detached and attached',
    (cluster) => {
      ledger(cluster, 'statefulSet');
      movesItsVolume(cluster, {});
    },
  ),

  'stateful-set-moves-its-volume-and-pulls': scenario(
    'A StatefulSet of one moves: a minute for its volume, and 23 s for its image',
    (cluster) => {
      ledger(cluster, 'statefulSet');
      movesItsVolume(cluster, { pullSeconds: 23 });
    },
  ),

  'only-replica-starts-for-a-minute': scenario(
    'A JVM that is the only replica is moved, and takes a minute to be ready as it always does',
    (cluster) => {
      cluster.image(image, { readyAfterSeconds: 60 });
      ledger(cluster);
      cluster.at('10s', () => cluster.node(home).drain());
      cluster.lasts('2m30s');
    },
  ),

  'recreate-with-a-slow-start': scenario(
    'A release that takes the only replica away first, pulls for 20 s and starts for 30 s',
    (cluster) => {
      const release = ledger(cluster, 'deployment', { strategy: { type: 'Recreate' } });
      const next = 'registry.initech.example/ledger:3.3';
      cluster.image(next, { pullSeconds: 20, readyAfterSeconds: 30 });
      cluster.at('10s', () => release.setImage(next));
      cluster.lasts('2m30s');
    },
  ),

  'machine-of-an-only-replica-reboots': scenario(
    'The machine of an only replica is cordoned and started anew; it is back after 75 s',
    (cluster) => {
      ledger(cluster);
      cluster.at('8s', () => cluster.node(home).cordon());
      cluster.at('10s', () => cluster.node(home).reboot('75s'));
      cluster.at('120s', () => cluster.node(home).uncordon());
      cluster.lasts('2m30s');
    },
  ),
};

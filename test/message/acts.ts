import type { RawObject } from '../../src/model/raw-object.ts';
import { networkPolicy } from '../world/network-objects.ts';
import { at, condition, configMap, managed, node } from '../world/objects.ts';
import { dependentStories } from './dependents.ts';
import {
  type ClusterStory,
  crashed,
  failing,
  image,
  long,
  nodeInTrouble,
  nodes,
  onNode,
  podsOf,
  release,
  replicaSet,
  sized,
} from './shop.ts';

type Cluster = Parameters<ClusterStory>[0];

const broken = podsOf('api', 2, {}, 2);
const again = (minute: number): RawObject[] => {
  const managedFields = [managed('kubectl-rollout', at(minute), { 'f:spec': { 'f:template': {} } })];
  return [sized('Deployment', 'api', 5, 5, { generation: 3, managedFields }), ...podsOf('api', 5)];
};

/** The release that crashes, told. */
function crash(k8s: Cluster): void {
  release(crashed(1))(k8s);
}

/** The release is undone at a minute. */
function rollBack(k8s: Cluster, minute: number): void {
  k8s.put(at(minute), ...again(minute), replicaSet('api', 5));
  k8s.gone(at(minute, 2), ...broken);
}

/** What becomes of problems once they are told, from raw objects; the last thing told is the text to keep. */
export const actStories: Readonly<Record<string, ClusterStory>> = {
  ...dependentStories,
  'fixed-by-rollback': (k8s) => {
    crash(k8s);
    rollBack(k8s, 50);
    k8s.wait(at(60));
  },
  'scaled-to-zero': (k8s) => {
    crash(k8s);
    const managedFields = [managed('kubectl-scale', at(50), { 'f:spec': { 'f:replicas': {} } })];
    k8s.put(at(50), sized('Deployment', 'api', 0, 0, { generation: 3, image: image('1.5.0'), managedFields }));
    k8s.gone(at(50, 2), ...broken, ...podsOf('api', 4));
    k8s.wait(at(60));
  },
  deleted: (k8s) => {
    crash(k8s);
    k8s.gone(at(50), sized('Deployment', 'api', 5, 4), ...broken, ...podsOf('api', 4));
    k8s.wait(at(60));
  },
  'over-by-itself': (k8s) => {
    failing(crashed(1))(k8s);
    k8s.put(at(35), ...podsOf('api', 2, { createdAt: at(34) }), sized('Deployment', 'api', 3, 3));
    k8s.wait(at(50));
  },
  'fails-again': (k8s) => {
    failing(crashed(1))(k8s);
    k8s.put(at(35), ...podsOf('api', 2, { createdAt: at(34) }), sized('Deployment', 'api', 3, 3));
    const fails = podsOf('api', 2, { createdAt: at(34), statuses: crashed(1)(at(42)) });
    k8s.put(at(42), ...fails, sized('Deployment', 'api', 3, 1));
    k8s.wait(at(45));
  },
  'cut-off-by-policy': (k8s) => {
    const labels = { app: 'api' };
    const pods = (conditions?: readonly object[]): RawObject[] =>
      podsOf('api', 3, { labels, ...(conditions && { conditions: conditions.map((each) => ({ ...each })) }) });
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...pods());
    k8s.start(at(0));
    const managedFields = [managed('kubectl-client-side-apply', at(8), { 'f:spec': {} })];
    k8s.put(at(8), networkPolicy('default-deny', { createdAt: at(8), managedFields, spec: { podSelector: {} } }));
    k8s.put(at(9), ...pods([condition('Ready', 'False', at(9), 'ContainersNotReady')]));
    k8s.put(at(9), sized('Deployment', 'api', 3, 0));
    k8s.wait(at(15));
  },
  'config-map-edited': (k8s) => {
    const edited = [managed('kubectl-edit', at(8), { 'f:data': { 'f:app.yaml': {} } })];
    const uses = { containers: [{ name: 'api', image: image('1.4.2'), envFrom: [{ configMapRef: { name: 'app' } }] }] };
    k8s.put(
      long,
      ...nodes,
      configMap('app', { createdAt: long }),
      sized('Deployment', 'api', 3, 3),
      replicaSet('api', 3),
    );
    k8s.put(long, ...podsOf('api', 3, { spec: uses }));
    k8s.start(at(0));
    k8s.put(at(8), configMap('app', { createdAt: long, managedFields: edited }));
    k8s.put(
      at(10, 30),
      ...podsOf('api', 3, { createdAt: at(10), spec: uses, statuses: crashed(78)(at(10)) }),
      sized('Deployment', 'api', 3, 0),
    );
    k8s.wait(at(12));
  },
  'node-back': (k8s) => {
    nodeInTrouble({ node: { ready: 'Unknown', since: at(10) }, podsFail: true })(k8s);
    k8s.put(at(31), node('n1', { since: at(31) }), ...onNode(true, at(31)));
    k8s.wait(at(45));
  },
  startup: (k8s) => {
    k8s.put(at(-20), ...nodes, node('n4', { ready: 'Unknown', since: at(-20) }));
    for (const name of ['web', 'cart', 'search'])
      k8s.put(
        at(-20),
        sized('Deployment', name, 3, 0),
        replicaSet(name, 3),
        ...podsOf(name, 3, { statuses: crashed(1)(at(-30)) }),
      );
    k8s.start(at(0));
    k8s.wait(at(1));
  },
};

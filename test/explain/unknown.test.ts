import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Ref } from '../../src/model/ref.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { at, cluster } from './helpers.ts';

const kinds = ['Pod', 'ReplicaSet', 'Deployment', 'Node'] as const;
const confidences = ['unknown', 'likely', 'high'] as const;

type Scene = {
  readonly lost: boolean;
  readonly missing: boolean;
  readonly edited: boolean;
  readonly oldFail: boolean;
  readonly crashAt: number;
  readonly availableSince: number;
};
const scene: fc.Arbitrary<Scene> = fc.record({
  lost: fc.boolean(),
  missing: fc.boolean(),
  edited: fc.boolean(),
  oldFail: fc.boolean(),
  crashAt: fc.constantFrom(31, 400, 1500),
  availableSince: fc.constantFrom(-600, 0, 35),
});

/** A rollout whose new Pods crash, a Node that may be lost and a Secret that may be missing; some kinds are not seen. */
function explained(is: Scene, hidden: readonly string[]): readonly Explanation[] {
  const k8s = cluster();
  k8s.node('n1');
  k8s.node('n2');
  const available = {
    type: 'Available',
    status: 'True',
    reason: '',
    message: '',
    since: at(is.availableSince),
  } as const;
  const api = k8s.deployment('shop/api', { replicas: 4, revisions: 2, conditions: [available] });
  const old = k8s.pods('shop/api', 2, { nodes: ['n1', 'n2'] });
  const fresh = k8s.pods('shop/api', 2, {
    revision: 2,
    first: 9,
    nodes: ['n1', 'n2'],
    readySince: is.crashAt,
    ready: false,
  });
  k8s.deployment('shop/web', { replicas: 2 });
  const web = k8s.pods('shop/web', 2, { nodes: ['n1', 'n2'], ready: false });
  if (is.edited) k8s.change(api, 'image', 30);
  for (const pod of [...fresh, ...(is.oldFail ? old : [])]) k8s.find(pod, 'CrashLoopBackOff', { since: is.crashAt });
  if (is.lost) {
    k8s.find('Node//n1', 'NodeNotReady', { since: 10 });
    for (const pod of web.slice(0, 1)) k8s.find(pod, 'PodNotReady', { since: 12 });
  }
  const secret: Ref = 'Secret/shop/db';
  if (is.missing) {
    k8s.find(secret, 'SecretMissing', { since: 10 });
    for (const pod of web.slice(1)) k8s.find(pod, 'CreateContainerConfigError', { since: 11, names: [secret] });
  }
  for (const kind of hidden) k8s.hide(kind);
  return k8s.explain(1600);
}

test('what is not seen makes nothing more certain', () => {
  fc.assert(
    fc.property(scene, fc.subarray([...kinds]), (is, hidden) => {
      const seen = new Map(explained(is, []).map((one) => [`${one.root.ref} ${one.reason}`, one]));
      for (const { root, reason, confidence } of explained(is, hidden)) {
        const known = seen.get(`${root.ref} ${reason}`);
        if (known === undefined) continue;
        assert.ok(
          confidences.indexOf(confidence) <= confidences.indexOf(known.confidence),
          `${root.ref} ${reason} is ${confidence} without ${hidden.join(', ')}, ${known.confidence} with all`,
        );
      }
    }),
    { numRuns: runs(200), seed: 3 },
  );
});

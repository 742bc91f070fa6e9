/** Suspects who did not do it: the story in which they would have, but those who fail say that they fail of their own. */
import { kindOf, type Ref } from '../../src/model/ref.ts';
import { at } from '../world/objects.ts';
import { claims, type Edge, type House } from './adapter.ts';
import { tellWith } from './tell.ts';

const minuteMs = 60_000;
const ownWords = ['panic: runtime error: index out of range [3] with length 3', 'goroutine 1 [running]:'];

/** Pods that crash in a story and are told in the trouble of another object. */
function crashingUnderAnother(k8s: House): readonly Ref[] {
  return k8s
    .explain()
    .flatMap(({ root, members }) =>
      members.flatMap(({ subject: { ref }, reason }) =>
        reason === 'CrashLoopBackOff' && kindOf(ref) === 'Pod' && ref !== root.ref ? [ref] : [],
      ),
    );
}

/** Whether the suspect of an edge is blamed, surely, for who panics of his own. `undefined`: nobody crashes in the story. */
export function isBlamedForPanics(edge: Edge): boolean | undefined {
  // Nobody is heard before he is there.
  let heardAt = at(7);
  const plain = tellWith(edge.guilty, [], (raws, now) => {
    heardAt = Math.max(heardAt, now + minuteMs);
    return raws;
  });
  const pods = crashingUnderAnother(plain);
  const roots = new Set(plain.explain().map(({ root }) => root.ref));
  if (pods.length === 0) return undefined;
  const heard = pods.map((pod) => ({ at: heardAt, does: (k8s: House) => k8s.hear(heardAt, pod, ...ownWords) }));
  const k8s = tellWith(edge.guilty, [...heard, { at: heardAt + 2 * minuteMs, does: () => undefined }]);
  return claims(k8s).some(
    ({ root, confidence, sufferers }) =>
      confidence === 'high' && roots.has(root) && pods.some((pod) => pod !== root && sufferers.includes(pod)),
  );
}

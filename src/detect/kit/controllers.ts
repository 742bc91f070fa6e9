import { nameOf, type Ref } from '../../model/ref.ts';
import { maxWorkloads } from '../../world/reading/bounds.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** Field managers that say nothing of who they are. */
const anonymous = new Set([
  'manager',
  'unknown',
  'kube-apiserver',
  'kube-controller-manager',
  'helm',
  'Go-http-client',
]);

/**
 * The workloads that are called as a field manager is, by which a controller writes: most are named after their binary. Managers
 * that many controllers share name nobody.
 */
export function controllersNamed(manager: string | undefined, world: ObservedWorld): readonly Ref[] {
  if (manager === undefined || anonymous.has(manager) || manager.startsWith('kubectl')) return [];
  const found: Ref[] = [];
  for (const kind of ['Deployment', 'StatefulSet'])
    for (const { ref } of Iterator.from(world.all(kind)).take(maxWorkloads))
      if (nameOf(ref) === manager) found.push(ref);
  return found.slice(0, 3);
}

/** Detectors do not look at the same instant as controllers write. */
const slackMs = 60_000;

/** Of these workloads those that have served nothing since an instant (epoch milliseconds) or longer. */
export function downSince(workloads: readonly Ref[], since: number, world: ObservedWorld): readonly Ref[] {
  return workloads.filter((ref) => {
    const view = world.get(ref);
    const isDown = typeof view === 'object' && 'replicas' in view && view.replicas > 0 && view.ready === 0;
    return isDown && world.since(ref, 'unserved') <= since + slackMs;
  });
}

/** What the programs are called that look after custom resources. */
const isOperator = /(?:^|-)(?:operator|controller|manager)(?:-|$)/;
/** Parts of the names of groups and finalizers that many have. */
const usual: ReadonlySet<string> = new Set([
  'com',
  'org',
  'dev',
  'net',
  'apps',
  'k8s',
  'operator',
  'controller',
  'manager',
]);

/**
 * The workloads that may look after what a resource or a finalizer is called (`kafkas.kafka.strimzi.io`, `data.example.com/release`):
 * operators whose name begins with a word of it, or has one as a whole.
 */
export function operatorsFor(called: readonly string[], world: ObservedWorld): readonly Ref[] {
  const words = new Set(
    called
      .flatMap((name) => name.toLowerCase().split(/[^a-z0-9]+/))
      .flatMap((word) => [word, word.replace(/s$/, '')])
      .filter((word) => word.length > 3 && !usual.has(word)),
  );
  const found: Ref[] = [];
  for (const kind of ['Deployment', 'StatefulSet'])
    for (const { ref } of Iterator.from(world.all(kind)).take(maxWorkloads))
      if (
        isOperator.test(nameOf(ref)) &&
        nameOf(ref)
          .split('-')
          .some((word) => words.has(word))
      )
        found.push(ref);
  return found.slice(0, 3);
}

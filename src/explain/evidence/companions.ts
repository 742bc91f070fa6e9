import type { Finding } from '../../model/finding.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { registryHost, repositoryOf } from '../../world/pods/image.ts';
import { fanOut, settledMs } from '../../world/view/bounds.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { podsOf, unreadyOf, workloadOf } from './workload.ts';

const everything = refOf('Cluster', '', 'makers');

/** Whose image it is, `docker.io/istio`; `undefined`: the repository says nobody. */
function makerOf(image: string): string | undefined {
  const [organization, ...rest] = repositoryOf(image).split('/');
  return rest.length === 0 ? undefined : `${registryHost(image)}/${organization}`;
}

/** The Deployments by the makers of their images; worked out once for all that ask. */
const byMaker = sharedAnswer((_, world): ReadonlyMap<string, readonly Ref[]> => {
  const found = new Map<string, Ref[]>();
  for (const view of world.all('Deployment'))
    for (const maker of 'template' in view ? makersOf(view.template.containers) : []) {
      const known = found.get(maker) ?? [];
      found.set(maker, known);
      if (known.length < fanOut) known.push(view.ref);
    }
  return found;
});

const makersOf = (containers: readonly { readonly image: string }[]): ReadonlySet<string> =>
  new Set(containers.flatMap(({ image }) => makerOf(image) ?? []));

/** The containers beside the program of a Pod: that is the one of the workload's name, or else the first. */
function companionsOf({ template }: PodView, workload: Ref): PodView['template']['containers'] {
  const running = template.containers.filter(({ role }) => role !== 'init');
  const own = running.find(({ name }) => name === nameOf(workload)) ?? running[0];
  return running.filter((one) => one !== own && makerOf(one.image) !== makerOf(own?.image ?? ''));
}

/**
 * What directs the companions of a Pod: Deployments of another namespace that are of the same maker, and the settings that these read. The
 * proxies of a mesh do what its control plane says.
 */
export function directorsOf(effect: Finding, world: World): readonly Ref[] {
  const workload = workloadOf(world, effect.subject.ref);
  const [pod] = unreadyOf(effect, world);
  const companions = pod ? companionsOf(pod, workload) : [];
  if (companions.length === 0) return [];
  const known = byMaker(everything, world);
  const directors = [...makersOf(companions)]
    .flatMap((maker) => known.get(maker) ?? [])
    .filter((ref) => namespaceOf(ref) !== namespaceOf(workload));
  const settings = directors
    .flatMap((director) => podsOf(world, director, 1))
    .flatMap(({ ref }) => [...world.linked(ref, 'uses', 'out', fanOut)])
    .filter((used) => settingsKinds.includes(kindOf(used)));
  return [...new Set([...directors, ...settings])];
}

/** Whether what directs the companions of what fails was edited shortly before. */
export const areDirectorsEdited = (finding: Finding, world: World): boolean =>
  directorsOf(finding, world).some((director) =>
    world.changes(director, finding.since - settledMs).some(({ at }) => at <= finding.since),
  );

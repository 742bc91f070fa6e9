import type { Finding } from '../../model/finding.ts';
import { nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { fanOut, podsOfWorkload, recentMs, siblingsAsked, usersOfOne } from '../../world/view/bounds.ts';
import { wordsOfDriver } from '../../world/view/driver-names.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { workloadsOf } from './needs.ts';
import { saysOf } from './says.ts';
import { podsOf, podView, unreadyOf, workloadOf } from './workload.ts';

/** What programs say whose file system does not work. */
export const broken: readonly SignKind[] = ['FileSystemFailing', 'ReadOnlyFileSystem'];
/** The same, and that there is no room in it. */
export const ofFiles: readonly SignKind[] = [...broken, 'NoSpaceLeft'];

/** The volumes that the Pods of a finding mount which do not serve. */
const volumesOf = (effect: Finding, world: World): readonly Ref[] =>
  unreadyOf(effect, world)
    .slice(0, siblingsAsked)
    .flatMap(({ ref }) => [...world.linked(ref, 'mounts', 'out', fanOut)])
    .flatMap((claim) => [...world.linked(claim, 'binds', 'out', 1)]);

/** The drivers of the volumes that what fails mounts. */
export function driversOf(effect: Finding, world: World): readonly Ref[] {
  return [...new Set(volumesOf(effect, world).flatMap((volume) => [...world.linked(volume, 'driven-by', 'out', 1)]))];
}

/** The Services by the names and addresses by which kubelets mount from them; worked out once for all that ask. */
const servicesByHost = sharedAnswer((_, world): ReadonlyMap<string, Ref> => {
  const found = new Map<string, Ref>();
  for (const view of world.all('Service')) {
    if (view.kind !== 'Service') continue;
    const long = `${nameOf(view.ref)}.${namespaceOf(view.ref)}.svc`;
    for (const host of [view.clusterIP, long, `${long}.cluster.local`]) if (host) found.set(host, view.ref);
  }
  return found;
});
const everything = refOf('Cluster', '', 'file-servers');

/** The workloads of the cluster from whose shares it mounts. */
export function fileServersOf(effect: Finding, world: World): readonly Ref[] {
  const services = volumesOf(effect, world).flatMap((ref) => {
    const view = world.get(ref);
    const host = typeof view === 'object' && view.kind === 'PersistentVolume' ? view.server : undefined;
    return (host && servicesByHost(everything, world).get(host)) || [];
  });
  const client = workloadOf(world, effect.subject.ref);
  return [...new Set(services.flatMap((service) => workloadsOf(service, client, world)))];
}

/** Who mounts volumes of a driver: the Nodes of those that do not serve, and the workloads of these and of those that do. */
const usersOf = sharedAnswer((driver, world) => {
  const [nodes, failing, serving] = [new Set<string>(), new Set<Ref>(), new Set<Ref>()];
  for (const volume of world.linked(driver, 'driven-by', 'in', usersOfOne))
    for (const claim of world.linked(volume, 'binds', 'in', 1))
      for (const ref of world.linked(claim, 'mounts', 'in', fanOut)) {
        const pod = podView(world, ref);
        if (pod?.node === undefined || pod.deletionAt !== undefined || pod.phase === 'Succeeded') continue;
        (isReady(pod) ? serving : failing).add(workloadOf(world, ref));
        if (!isReady(pod)) nodes.add(pod.node);
      }
  return { nodes: nodes.size, failing: failing.size, serving: serving.difference(failing).size };
});

/** Whether those that do not serve with volumes of a driver are on several Nodes, and as many as serve: what they share is not one machine. */
export function failsForMost(driver: Ref, world: World): boolean {
  const { nodes, failing, serving } = usersOf(driver, world);
  return nodes > 1 && failing >= serving;
}

/** Whether an agent brings volumes that what fails mounts, by the words of its name or namespace. */
export function bringsVolumesOf(effect: Finding, world: World, agent: Ref): boolean {
  const owner = workloadOf(world, agent);
  const called = `${namespaceOf(owner)}/${nameOf(owner)}`.toLowerCase();
  return driversOf(effect, world).some((driver) => {
    const words = wordsOfDriver(nameOf(driver)).flat();
    return (words.length > 0 ? words : ['csi']).some((word) => called.includes(word));
  });
}

/** Whether a server serves, and its Pods were started anew shortly before what fails began to. */
export function startedAnew({ since }: Finding, world: World, server: Ref): boolean {
  const pods = podsOf(world, server, podsOfWorkload).filter(({ deletionAt }) => deletionAt === undefined);
  return (
    pods.some(isReady) &&
    pods.some(({ containers }) =>
      containers.some(({ running }) => running && running.startedAt <= since && running.startedAt >= since - recentMs),
    )
  );
}

/** Whether others may fail for what brings the volumes of a program which says that it cannot use them. */
export function sharesItsVolumes(finding: Finding, world: World): boolean {
  return (
    saysOf(finding, world).some(({ kind }) => ofFiles.includes(kind)) &&
    (driversOf(finding, world).some((driver) => failsForMost(driver, world)) ||
      fileServersOf(finding, world).some((server) => startedAnew(finding, world, server)))
  );
}

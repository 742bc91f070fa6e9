import type { Finding } from '../../model/finding.ts';
import { kindOf, nameOf, type Ref } from '../../model/ref.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { lastEnd } from '../../world/memory/facets.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { fanOut, leadMs, podsOfWorkload, recentMs, settledMs, siblingsAsked } from '../../world/view/bounds.ts';
import { backendsOf } from '../../world/view/endpoints.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { blamedEdit } from './edits.ts';
import { servedMs } from './served.ts';
import { dnsOf } from './system.ts';
import { isNobodysNumber, unanswered } from './unanswered.ts';
import { isNewRevision, podsOf, unreadyOf, workloadOf, workloadView } from './workload.ts';

const maxWorkloads = 8;

/** Whether a Service has no Pods at all: that it is down is found of it, and who is behind it says no more. */
const hasNoPods = (service: Ref, world: World): boolean =>
  Iterator.from(world.linked(service, 'selects', 'out', 1)).next().done === true;

/** The Services that a template names and that listen on the port of an address: names become numbers before they are dialled. */
function servicesAt(address: Ref, pod: Ref, world: World): readonly Ref[] {
  const port = Number(/:(\d+)$/.exec(nameOf(address))?.[1]);
  return [...world.linked(pod, 'depends-on', 'out', fanOut)].filter((ref) => {
    const view = world.get(ref);
    return typeof view === 'object' && view.kind === 'Service' && view.ports.some((one) => one.port === port);
  });
}

/** The Services that the program of a Pod names as why it fails; cluster DNS, where it cannot resolve a name. */
function servicesSaid(pod: Ref, world: World): ReadonlySet<Ref> {
  const said = new Set<Ref>();
  for (const { kind, to } of world.signs(pod)) {
    if (kind === 'NameNotResolved') for (const dns of dnsOf(pod, world)) if (!hasNoPods(dns, world)) said.add(dns);
    if (to === undefined || !unanswered.includes(kind)) continue;
    if (kindOf(to) === 'Service') said.add(to);
    else if (isNobodysNumber(to)) for (const service of servicesAt(to, pod, world)) said.add(service);
  }
  return said;
}

/** The Services that a Pod names in its template, and those that its program names as why it fails. */
function servicesOf(pod: Ref, world: World): Set<Ref> {
  return new Set([...world.linked(pod, 'depends-on', 'out', fanOut), ...servicesSaid(pod, world)]);
}

/** The workloads behind a Service. */
const workloadsBehind = sharedAnswer((service, world): ReadonlySet<Ref> => {
  const workloads = new Set<Ref>();
  for (const workload of world.linked(service, 'fronts', 'out', maxWorkloads))
    workloads.add(workloadOf(world, workload));
  for (const pod of world.linked(service, 'selects', 'out', maxWorkloads)) workloads.add(workloadOf(world, pod));
  return workloads;
});

/** The workloads behind a Service, but for one that would be its own client. */
export function workloadsOf(service: Ref, client: Ref, world: World): readonly Ref[] {
  const workloads = workloadsBehind(service, world);
  return workloads.has(client) ? [] : [...workloads];
}

/** Some of the Pods of a workload, those first that do not serve: those that serve again may have been the cause until then. */
const suspectPods = sharedAnswer((workload, world): readonly Ref[] =>
  podsOf(world, workload, podsOfWorkload)
    .sort((a, b) => Number(isReady(a)) - Number(isReady(b)))
    .slice(0, siblingsAsked)
    .map(({ ref }) => ref),
);

/** What stands behind a Service by its EndpointSlices. */
const backends = sharedAnswer((service, world) => ({ found: backendsOf(service, world) }));

/** Whether nothing is behind a Service that gets traffic, as far as it is seen. */
export function isEmpty(service: Ref, world: World): boolean {
  return backends(service, world).found?.ready === 0;
}

/**
 * The Services that a Pod names in its variables, its arguments and its log, the workloads behind them, and some of the Pods of these, those
 * first that do not serve.
 */
export function neededBy(pod: Ref, world: World): readonly Ref[] {
  const client = workloadOf(world, pod);
  const found = new Set<Ref>();
  for (const service of servicesOf(pod, world)) {
    found.add(service);
    for (const workload of workloadsOf(service, client, world)) {
      found.add(workload);
      for (const suspect of suspectPods(workload, world)) found.add(suspect);
    }
  }
  return [...found];
}

/**
 * Whether a workload has Pods, none of them is ready, and their own containers say so: where a Node is gone, the last that it said of
 * them is that they are well.
 */
export function isDownByItself(workload: Ref, world: World): boolean {
  const pods = podsOf(world, workload, podsOfWorkload).filter(({ deletionAt }) => deletionAt === undefined);
  return (
    (workloadView(world, workload)?.replicas ?? 0) > 0 &&
    pods.length > 0 &&
    pods.every((pod) => !isReady(pod) && pod.containers.some(({ ready }) => !ready))
  );
}

/** What may be wrong with a workload that others depend on. `since`, `endedAt`: epoch milliseconds. */
type Suspect = { readonly ref: Ref; readonly since: number; readonly endedAt?: number };

/** Whether one run of every container of a Pod began before an instant (epoch milliseconds): the Pod was up, and not between two crashes. */
function wasUp(pod: PodView, at: number): boolean {
  return pod.containers.every((container) => {
    const end = lastEnd(container);
    const startedAt = container.running?.startedAt ?? end?.startedAt;
    return startedAt === undefined ? container.waiting === undefined || end !== undefined : startedAt <= at;
  });
}

/** Whether none of the Pods behind a Service was up in one run when a client of it began to fail: what is ready now serves between two crashes. */
function isUnsteady(workloads: readonly Ref[], at: number, world: World): boolean {
  const pods = workloads.flatMap((workload) => podsOf(world, workload, podsOfWorkload));
  return pods.length > 0 && pods.every((pod) => !wasUp(pod, at));
}

/** Whether more than half of the Pods behind a Service are not ready, or were not up then: what agrees by a majority answers nobody. */
function hasLostMajority(workloads: readonly Ref[], at: number, world: World): boolean {
  const pods = workloads.flatMap((workload) => podsOf(world, workload, podsOfWorkload));
  return pods.length > 2 && 2 * pods.filter((pod) => !(isReady(pod) && wasUp(pod, at))).length > pods.length;
}

/** Whether a container of a Pod has run: what has not yet, as of a release whose image cannot be pulled, nobody misses. */
const hasRun = ({ containers }: PodView): boolean =>
  containers.some((container) => (container.running ?? lastEnd(container)) !== undefined);

/** Whether a Pod behind a Service that is named for not answering ended just before: its address is still given out, or its share of the data gone. */
function failsWith(workloads: readonly Ref[], at: number, world: World): boolean {
  const pods = workloads.flatMap((workload) => podsOf(world, workload, podsOfWorkload));
  return pods.some((pod) => hasRun(pod) && !isReady(pod) && !wasUp(pod, at));
}

/** The Pod of a finding, or some of those of its workload that do not serve. */
function clientsOf(effect: Finding, world: World): readonly PodView[] {
  // Of what is only alerted of nothing need look as if it failed.
  const isAlert = effect.reason === 'ExternalAlert';
  const pods = isAlert ? podsOf(world, effect.subject.ref, podsOfWorkload) : unreadyOf(effect, world);
  return pods.slice(0, siblingsAsked);
}

/** What the Pod of a finding needs, or Pods of its workload that do not serve. */
export function neededByAny(effect: Finding, world: World): readonly Ref[] {
  const [first, ...others] = clientsOf(effect, world).map(({ ref }) => neededBy(ref, world));
  return others.length === 0 ? (first ?? []) : [...new Set([...(first ?? []), ...others.flat()])];
}

/**
 * Whether a Pod, or the Pods of a workload, can fail because of what they depend on: a Service that they name, and behind which the
 * suspect stands, lost its last endpoint before they began to fail, or had lost it until the suspect was healthy again, or has had
 * none but those that come and go with each crash; and no edit of their own workload suggests itself.
 */
export function lacksWhatItNeeds(effect: Finding, world: World, suspect: Suspect): boolean {
  const clients = clientsOf(effect, world);
  // Siblings need the same, and of what one says the log of another may not have been read.
  const said = clients
    .map(({ ref }) => servicesSaid(ref, world))
    .reduce((all, one) => all.union(one), new Set<Ref>() as ReadonlySet<Ref>);
  return clients.length > 0 && clients.every((pod) => lacks(pod, said, effect, world, suspect));
}

function lacks(
  pod: PodView,
  said: ReadonlySet<Ref>,
  effect: Finding,
  world: World,
  { ref, endedAt }: Suspect,
): boolean {
  // What it was edited to need may not be what is down, unless its program says so.
  const asked = isEdited(pod, effect, world) ? said : servicesOf(pod.ref, world).union(said);
  const client = workloadOf(world, pod.ref);
  const suspect = workloadOf(world, ref);
  for (const service of asked) {
    const { found } = backends(service, world);
    const workloads = found ? workloadsOf(service, client, world) : [];
    if (!found || !workloads.includes(suspect)) continue;
    if (found.ready === 0 && found.emptySince <= effect.since + leadMs) return true;
    if (found.ready > 0 && endedAt !== undefined && effect.since <= endedAt) return true;
    if (isUnsteady(workloads, effect.since, world)) return true;
    if (said.has(service) && hasLostMajority(workloads, effect.since, world)) return true;
    if (said.has(service) && failsWith(workloads, effect.since, world)) return true;
  }
  return false;
}

/**
 * Whether what the program of a Pod names as why it fails is down by itself: a Service that lost its last endpoint, or whose Pods come
 * and go with each crash, since about an instant (epoch milliseconds); cluster DNS, where it cannot resolve a name.
 */
export function namesWhatIsDown(pod: Ref, since: number, world: World): boolean {
  const client = workloadOf(world, pod);
  return [...servicesSaid(pod, world)].some((service) => isDownSince(service, client, since, world));
}

function isDownSince(service: Ref, client: Ref, since: number, world: World): boolean {
  const { found } = backends(service, world);
  const workloads = found ? workloadsOf(service, client, world) : [];
  if (!found || workloads.length === 0) return false;
  return found.ready === 0 ? found.emptySince >= since - settledMs : isUnsteady(workloads, since, world);
}

/** Whether nobody answers for names, or whoever does comes and goes with each crash. `since`: epoch milliseconds. */
export function isDnsDown(pod: Ref, since: number, world: World): boolean {
  return dnsOf(pod, world).some((dns) => isDownSince(dns, workloadOf(world, pod), since, world));
}

/**
 * Whether a Pod runs first since an edit that can have changed whom it calls: of its own template, or of settings that it reads. What
 * has served with a name before did not get it by an edit.
 */
export function isNewlyTold(effect: Finding, world: World): boolean {
  const [pod] = unreadyOf(effect, world);
  if (pod === undefined || (servedMs(pod, effect) ?? 1) > 0) return false;
  if (isEdited(pod, effect, world)) return true;
  return Iterator.from(world.linked(pod.ref, 'uses', 'out', fanOut)).some(
    (used) =>
      settingsKinds.includes(kindOf(used)) &&
      world.changes(used, effect.since - recentMs).some(({ at }) => at <= pod.createdAt + leadMs),
  );
}

/**
 * Since when (epoch milliseconds) nothing gets traffic behind a Service that the Pods of a finding need and for which there are
 * workloads; `undefined`: what they need is there, or an edit of their own suggests itself.
 */
export function lackingSince(effect: Finding, world: World): number | undefined {
  for (const pod of clientsOf(effect, world)) {
    if (isEdited(pod, effect, world)) continue;
    const client = workloadOf(world, pod.ref);
    for (const service of servicesOf(pod.ref, world)) {
      const { found } = backends(service, world);
      if (found?.ready !== 0 || found.emptySince > effect.since + leadMs) continue;
      if (workloadsOf(service, client, world).length > 0) return found.emptySince;
    }
  }
  return undefined;
}

/** Its workload was edited shortly before, and the Pod is of the new template and has never served. */
function isEdited(pod: PodView, effect: Finding, world: World): boolean {
  if (!isNewRevision(world, pod) || (servedMs(pod, effect) ?? 1) > 0) return false;
  const changes = world.changes(workloadOf(world, pod.ref), effect.since - recentMs);
  return (
    blamedEdit(
      changes.filter(({ at }) => at <= effect.since + leadMs),
      effect,
    ) !== undefined
  );
}

import { isDenied } from '../../model/denied.ts';
import { describeRef, namespaceOf, refOf } from '../../model/ref.ts';
import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { serving } from '../kit/backends.ts';
import type { Problem } from '../kit/detector.ts';
import { driverAgentsOf, driverSecretsOf, unregisteredDriver } from '../kit/driver-agent.ts';
import { missingCustom, missingForContainer } from '../kit/missing.ts';
import { silentServer } from './file-server.ts';
import { isHeldByLasting } from './held-volume.ts';

/** How long what a Pod names may be missing: a Secret or ConfigMap made just after the Pod is no fault. */
export const missingSeconds = 30;
/**
 * The first attempts at a volume or a network may fail; what does not come within this time does not come by itself. Nobody is told
 * before 75 s, so that what several Pods have in common shows before the first of them is told.
 */
export const troubleSeconds = 60;
/** A Pod that is moved waits for its volume to be detached elsewhere. */
const moveSeconds = 180;
/**
 * That the file system of a disk is damaged, as fsck and mount say it (k8s.io/mount-utils hands on their words): no attempt mends that.
 */
const damaged =
  /'fsck' found errors on device \S+ but could not correct them|bad superblock on \/dev\/|can't read superblock/;

/** What a text of a failed mount says about how long to wait for it. */
export function mountProblem(pod: PodView, { message }: EventView, world: ObservedWorld): Partial<Problem> {
  const [, volume] = /volume "([^"]+)"/.exec(message) ?? [];
  const facts = given({ node: pod.node, volume });
  const missing = missingForContainer(message, namespaceOf(pod.ref));
  if (missing) {
    const { ref, key } = missing;
    const named = { missing: describeRef(ref), ...given({ missingKey: key }) };
    return { forSeconds: missingSeconds, settle: 'conclusive', facts: { ...facts, ...named }, names: [ref] };
  }
  if (/references non-existent (?:secret|config) key/.test(message))
    return { forSeconds: missingSeconds, settle: 'conclusive', facts };
  if (damaged.test(message)) return { forSeconds: missingSeconds, settle: 'conclusive', facts };
  const custom = missingCustom(message, namespaceOf(pod.ref));
  if (custom) return { facts, names: [custom] };
  const driver = unregisteredDriver(message);
  const agents = driverAgentsOf(pod, message, world);
  if (driver !== undefined && pod.node !== undefined)
    return { facts: { ...facts, driver }, names: [refOf('Node', '', pod.node), ...agents] };
  const server = silentServer(message, world);
  if (server)
    return { facts: { ...facts, serverSays: server.says }, names: [server.ref, ...serving(server.ref, world)] };
  if (!/Multi-Attach error/.test(message))
    return { facts, names: isDenied(message) ? [...agents, ...driverSecretsOf(pod, world)] : agents };
  return { facts, forSeconds: isHeldByLasting(pod, world) ? troubleSeconds : moveSeconds };
}

import type { Finding } from '../../model/finding.ts';
import { earliest } from '../../model/instants.ts';
import { patience } from '../../model/patience.ts';
import { kindOf, type Ref, refOf } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import { unansweredLookup } from '../../world/view/cluster-dns.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';
import type { Cause } from '../candidates/candidates.ts';
import { fanOut, podsOfWorkload, siblingsAsked } from '../evidence/bounds.ts';
import { directorsAwaitedUntil } from '../evidence/companions.ts';
import { lackingSince } from '../evidence/needs.ts';
import { failsInZoneAlone, failsThereAlone, zonesOf } from '../evidence/one-node.ts';
import { leftUntil } from '../evidence/outlive.ts';
import { endsInSilence, saysOf } from '../evidence/says.ts';
import { refused, unanswered } from '../evidence/unanswered.ts';
import { volumesAwaitedUntil } from '../evidence/volumes.ts';
import { podView, workloadOf } from '../evidence/workload.ts';
import { isSaidOfOthers, unavailable } from '../rules/reasons.ts';

/** By then (ms after a Service has lost its last endpoint) there is a finding of what stands behind it, or of the Service itself. */
const foundWithinMs = patience.emptyService * 1000 + 5_000;
/**
 * An address outside is judged by two workloads: by then (ms after the first began to fail) another that needs it as well has failed as
 * often, where all start anew at their own pace.
 */
const sharedWithinMs = 90_000;
/** The Service of the API server, which no template names and every controller needs. */
const apiServer = refOf('Service', 'default', 'kubernetes');
/**
 * Nobody answers there, or for its name. A name that is not found may be written wrong, and is nobody else's trouble.
 */
const isOutside = ({ kind, to, line }: PlacedSign): boolean =>
  kind === 'NameNotResolved'
    ? unansweredLookup.test(line)
    : unanswered.includes(kind) && to !== undefined && (kindOf(to) === 'ExternalEndpoint' || to === apiServer);
/** What is said of whom the program calls. */
const called: ReadonlySet<SignKind> = new Set([...refused, ...unanswered]);

/** Whether a Pod of another workload that has this link to an object is not ready either: it will say why in a moment. */
function failsElsewhere(
  of: Ref,
  link: 'depends-on' | 'uses' | 'asks',
  own: Ref,
  world: World,
  isIt: (pod: Ref) => boolean = () => true,
): boolean {
  for (const pod of world.linked(of, link, 'in', podsOfWorkload)) {
    const view = podView(world, pod);
    if (!view || view.deletionAt !== undefined || isReady(view) || workloadOf(world, pod) === own) continue;
    if (isIt(pod)) return true;
  }
  return false;
}

/** Whether somebody else fails beside a program with what both are given, and has not been read yet: it may say the same. */
function isToBeJoined({ subject, shares = [] }: Finding, own: Ref, world: World): boolean {
  const isUnread = (pod: Ref): boolean => world.lastWords(pod) === undefined && world.signs(pod).length === 0;
  return (
    world.lastWords(subject.ref) !== undefined &&
    shares.some((shared) => {
      const kind = kindOf(shared);
      const link = kind === 'Service' ? 'depends-on' : kind === 'Secret' ? 'uses' : 'asks';
      return failsElsewhere(shared, link, own, world, isUnread);
    })
  );
}

/** Whether a Service turns the program away, or cannot be reached, while another workload fails that names it. */
const isShared = ({ kind, to }: PlacedSign, own: Ref, world: World): boolean =>
  called.has(kind) && to !== undefined && kindOf(to) === 'Service' && failsElsewhere(to, 'depends-on', own, world);

/** Whether a Secret is named for what the program says while another workload fails that uses it. */
const isSharedSecret = (name: Ref, own: Ref, world: World): boolean =>
  kindOf(name) === 'Secret' && failsElsewhere(name, 'uses', own, world);

/** Whether a program ended and said nothing that anybody can read, while nobody else who names what it does is unready: its own trouble. */
const isAlone = (finding: Finding, own: Ref, world: World): boolean =>
  world.lastWords(finding.subject.ref) !== undefined &&
  endsInSilence(finding, world) &&
  Iterator.from(world.linked(finding.subject.ref, 'depends-on', 'out', fanOut)).every(
    (service) => !failsElsewhere(service, 'depends-on', own, world),
  );

/**
 * That a program behind a Service crashes is found from the third time on, and a kubelet takes a moment to say so (ms): by then it is known by
 * what its program says.
 */
const crashFoundWithinMs = patience.crashWithoutOthers * 1000 + 2_000;

/** When the containers of a Pod that crash first did (epoch milliseconds). */
const crashesOf = (pod: Ref, world: World): readonly number[] =>
  (podView(world, pod)?.containers ?? []).flatMap(({ name, terminated, last }) =>
    ((terminated ?? last)?.exitCode ?? 0) === 0 ? [] : [world.since(pod, `container/${name}/crashing`)],
  );

/**
 * Until when (epoch milliseconds) the Pods behind a Service are found to crash, which have begun to since about then; `undefined`: none has,
 * or they are found.
 */
function crashFoundBy({ subject, since }: Finding, members: readonly Finding[], world: World): number | undefined {
  const pods = [...world.linked(subject.ref, 'selects', 'out', fanOut)];
  if (members.some((member) => pods.includes(member.subject.ref))) return undefined;
  const crashes = pods.flatMap((pod) => crashesOf(pod, world)).filter((at) => at >= since - crashFoundWithinMs);
  return crashes.length === 0 ? undefined : earliest(crashes) + crashFoundWithinMs;
}

/**
 * What is not ready beside it on its Node is found by then (ms after the first began to fail): after 30 s that it stands unready, or its
 * third crash, and the 15 s in which what a Node has in common is put together.
 */
const besideWithinMs = 150_000;
/** Whether only the Pods of a workload on one Node fail, and something else on that Node is not ready either: the Node may be why. */
function failsBeside(finding: Finding, world: World): boolean {
  const own = workloadOf(world, finding.subject.ref);
  const pod = podView(world, finding.subject.ref);
  if (pod?.node === undefined) return false;
  const node = refOf('Node', '', pod.node);
  const isSilent = !saysOf(finding, world).some(({ kind }) => unanswered.includes(kind));
  if (!isSilent && zonesOf(finding, world).some((zone) => failsInZoneAlone(finding, world, zone))) return true;
  if (!failsThereAlone(finding, world, node, ['Deployment', 'StatefulSet'])) return false;
  return Iterator.from(world.linked(node, 'runs-on', 'in', podsOfNode)).some((ref) => {
    const view = podView(world, ref);
    const isStanding = view?.phase === 'Running' && view.deletionAt === undefined && !isReady(view);
    return isStanding && workloadOf(world, ref) !== own;
  });
}

/**
 * Until when (epoch milliseconds) something is to be found of what the failing programs need: nobody answers there, they say no other
 * reason, and of a server that fails at the same time as a hundred clients one of these is often found first. For an address outside,
 * until others can have said the same, and for a Service that turns it away or that it cannot reach, or a Secret that it is named for, while
 * others fail with the same; for a Service, until the programs behind it are found to crash; for a machine, volumes or an edited
 * control plane, until others are found that have it in common. `undefined`: nothing is waited for.
 */
function serverAwaitedUntil(members: readonly Finding[], world: World): number | undefined {
  const some = members.slice(0, siblingsAsked);
  const beside = some.find((finding) => failsBeside(finding, world));
  if (beside !== undefined) return beside.since + besideWithinMs;
  for (const finding of some) {
    const { ref } = finding.subject;
    const crashFound = kindOf(ref) === 'Service' ? crashFoundBy(finding, members, world) : undefined;
    if (crashFound !== undefined) return crashFound;
    const said = saysOf(finding, world);
    const own = workloadOf(world, ref);
    if (said.some((sign) => isOutside(sign) || isShared(sign, own, world))) return finding.since + sharedWithinMs;
    if (finding.names.some((name) => isSharedSecret(name, own, world))) return finding.since + sharedWithinMs;
    if (isToBeJoined(finding, own, world)) return finding.since + sharedWithinMs;
    const until = volumesAwaitedUntil(finding, world) ?? directorsAwaitedUntil(finding, world);
    if (until !== undefined) return until;
    const since = lackingSince(finding, world);
    if (since === undefined || isAlone(finding, own, world)) continue;
    if (said.length === 0 || said.some(({ kind }) => unanswered.includes(kind))) return since + foundWithinMs;
  }
  return undefined;
}

/**
 * A moment in which nothing serves is shorter (ms). Pods that run on are asked earlier what they say (`detect/workloads/outage.ts`), and what they name is
 * found by that.
 */
const momentMs = patience.outage * 1000;
/** Whether all that is known is that workloads serve nothing, and what they say of it. */
const isMoment = (members: readonly Finding[]): boolean =>
  members.every(({ reason }) => unavailable.includes(reason) || isSaidOfOthers(reason));

/** Until when (epoch milliseconds) it may be a moment: nothing else fails of it, and nothing has for so long. */
function momentUntil(members: readonly Finding[]): number | undefined {
  return isMoment(members) ? earliest(members.map(({ since }) => since)) + momentMs : undefined;
}

/**
 * Until when (epoch milliseconds) an explanation is to wait: for what its failing programs need, or where its cause has ended, for what
 * that left behind to go. `undefined`: for nothing.
 */
export function awaitedUntil(cause: Cause | undefined, members: readonly Finding[], world: World): number | undefined {
  if (cause === undefined) return serverAwaitedUntil(members, world) ?? momentUntil(members);
  return cause.endedAt === undefined ? momentUntil(members) : leftUntil(members, cause.endedAt, world);
}

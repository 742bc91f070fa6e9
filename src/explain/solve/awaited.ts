import type { Finding } from '../../model/finding.ts';
import { earliest } from '../../model/instants.ts';
import { patience } from '../../model/patience.ts';
import { kindOf, type Ref, refOf } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import { fanOut, podsOfWorkload, siblingsAsked } from '../../world/view/bounds.ts';
import { unansweredLookup } from '../../world/view/cluster-dns.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';
import type { Cause } from '../candidates/candidates.ts';
import { areDirectorsEdited } from '../evidence/companions.ts';
import { lackingSince } from '../evidence/needs.ts';
import { failsInZoneAlone, failsThereAlone, zonesOf } from '../evidence/one-node.ts';
import { leftUntil } from '../evidence/outlive.ts';
import { endsInSilence, saysOf } from '../evidence/says.ts';
import { refused, unanswered } from '../evidence/unanswered.ts';
import { sharesItsVolumes } from '../evidence/volumes.ts';
import { podView, workloadOf } from '../evidence/workload.ts';
import { isSaidOfOthers, unavailable } from '../rules/reasons.ts';

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

/** That a program behind a Service crashes is found from the second time on, and a kubelet takes a moment to say so (ms). */
const crashFoundMs = patience.crashWithoutOthers * 1000 + 2_000;

/** When the containers of a Pod that crash first did (epoch milliseconds). */
const crashesOf = (pod: Ref, world: World): readonly number[] =>
  (podView(world, pod)?.containers ?? []).flatMap(({ name, terminated, last }) =>
    ((terminated ?? last)?.exitCode ?? 0) === 0 ? [] : [world.since(pod, `container/${name}/crashing`)],
  );

/** Since when (epoch milliseconds) Pods behind a Service crash that have begun to since about then; `undefined`: none has, or they are found. */
function crashSince({ finding: { subject, since }, members, world }: Asked): number | undefined {
  const pods = kindOf(subject.ref) === 'Service' ? [...world.linked(subject.ref, 'selects', 'out', fanOut)] : [];
  if (members.some((member) => pods.includes(member.subject.ref))) return undefined;
  const crashes = pods.flatMap((pod) => crashesOf(pod, world)).filter((at) => at >= since - crashFoundMs);
  return crashes.length === 0 ? undefined : earliest(crashes);
}

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

/** Whether others are about to say the same: of an address outside, or while they fail with the Service, Secret, volumes or director that it has. */
function isToBeShared({ finding, said, own, world }: Asked): boolean {
  return (
    said.some((sign) => isOutside(sign) || isShared(sign, own, world)) ||
    finding.names.some((name) => isSharedSecret(name, own, world)) ||
    isToBeJoined(finding, own, world) ||
    sharesItsVolumes(finding, world) ||
    areDirectorsEdited(finding, world)
  );
}

/** Since when (epoch milliseconds) nobody answers behind what a program needs that says no other reason. */
function serverLackingSince({ finding, said, own, world }: Asked): number | undefined {
  const since = lackingSince(finding, world);
  if (since === undefined || isAlone(finding, own, world)) return undefined;
  return said.length === 0 || said.some(({ kind }) => unanswered.includes(kind)) ? since : undefined;
}

/** A finding that nothing explains yet, with what its program says and whose it is, among all that are told with it. */
type Asked = {
  readonly finding: Finding;
  readonly members: readonly Finding[];
  readonly said: readonly PlacedSign[];
  readonly own: Ref;
  readonly world: World;
};

/** Something that may still be found: since when (epoch milliseconds) it is waited for, if it is, and for how long (ms) at most. */
type Wait = { since(asked: Asked): number | undefined; readonly atMostMs: number };

/** What is waited for while nothing explains a finding: until it is seen, or until then at the latest. */
const waits: readonly Wait[] = [
  // What stands unready beside it on its Node: 30 s, or its second crash, and what a Node has in common is put together.
  {
    since: ({ finding, world }) => (failsBeside(finding, world) ? finding.since : undefined),
    atMostMs: 150_000,
  },
  // The crash of the programs behind a Service.
  { since: crashSince, atMostMs: crashFoundMs },
  // Another workload that says the same, or has the same in common: all start anew at their own pace.
  {
    since: (asked) => (isToBeShared(asked) ? asked.finding.since : undefined),
    atMostMs: 90_000,
  },
  // What stands behind a Service that has lost its last endpoint, or the Service itself.
  {
    since: serverLackingSince,
    atMostMs: patience.emptyService * 1000 + 5_000,
  },
];

/** Until when (epoch milliseconds) the first of the waits holds, of the findings that are asked; `undefined`: none does. */
function causeAwaitedUntil(members: readonly Finding[], world: World): number | undefined {
  const all = members.slice(0, siblingsAsked).map((finding): Asked => {
    const own = workloadOf(world, finding.subject.ref);
    return { finding, members, said: saysOf(finding, world), own, world };
  });
  for (const { since, atMostMs } of waits)
    for (const asked of all) {
      const at = since(asked);
      if (at !== undefined) return at + atMostMs;
    }
  return undefined;
}

/**
 * A moment in which nothing serves is shorter (ms). Pods that run on are asked earlier what they say (`detect/workloads/outage.ts`), and what they name is
 * found by that.
 */
const momentMs = patience.outage * 1000;

/** Until when (epoch milliseconds) it may be a moment: all that is known is that workloads serve nothing, and what they say of it. */
function momentUntil(members: readonly Finding[]): number | undefined {
  const isMoment = members.every(({ reason }) => unavailable.includes(reason) || isSaidOfOthers(reason));
  return isMoment ? earliest(members.map(({ since }) => since)) + momentMs : undefined;
}

/**
 * Until when (epoch milliseconds) an explanation is to wait: for what its failing programs need, or where its cause has ended, for what
 * that left behind to go. `undefined`: for nothing.
 */
export function awaitedUntil(cause: Cause | undefined, members: readonly Finding[], world: World): number | undefined {
  if (cause === undefined) return causeAwaitedUntil(members, world) ?? momentUntil(members);
  return cause.endedAt === undefined ? momentUntil(members) : leftUntil(members, cause.endedAt, world);
}

import { isAlike } from '../model/near-miss.ts';
import { describeRef, kindOf, nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { SignKind } from '../model/sign.ts';
import { refusedSigns, unreachedSigns } from '../model/sign-groups.ts';
import { unansweredLookup } from '../world/cluster-dns.ts';
import { backendsOf } from '../world/endpoints.ts';
import { given } from '../world/fields.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { ServiceView } from '../world/kinds/service.ts';
import { isReady } from '../world/readiness.ts';
import type { ObservedWorld } from '../world/world.ts';
import { podsBehind } from './backends.ts';
import { type Caller, callersWho, minWorkloads, problemOf } from './callers.ts';
import { secretRejected, secretsBehind } from './credentials.ts';
import type { NamedDetector, Naming, Problem } from './detector.ts';
import { areApart, dnsSaid } from './dns-said.ts';
import { inCommon, isSteady, silentUsers } from './in-common.ts';
import { isUntrusting } from './login-secrets.ts';
import { openPorts } from './ports.ts';
import { namedBySign } from './said.ts';

/** That calls fail, in words that do not tell why: it goes with whatever others say of the same. */
const vague: SignKind = 'CallFailed';

/** Pods that cannot mount from one server and are looked at. */
const mostMounting = 256;

/** Those who say one of some things of an object, by when they began. */
function callersOf(ref: Ref, kinds: readonly SignKind[], naming: Naming, world: ObservedWorld): Caller[] {
  return callersWho((sign) => kinds.includes(sign.kind) && namedBySign(sign) === ref, naming, world);
}

/** Those whose kubelets say that they cannot mount from it. */
function mountersOf(naming: Naming, world: ObservedWorld): Caller[] {
  return Iterator.from(naming)
    .flatMap(([ref, findings]) =>
      findings.flatMap(({ facts, since, detail: line = '' }): Caller[] => {
        const kind = unreachedSigns.find((each) => each === facts.serverSays);
        return kind === undefined ? [] : [{ ref, workload: world.topOwner(ref), since, sign: { kind, line } }];
      }),
    )
    .take(mostMounting)
    .toArray();
}

/** What is said of an address once its name is known. */
const dialled = unreachedSigns.filter((kind) => kind !== 'NameNotResolved');

/** By when they began. */
const inOrder = (callers: readonly Caller[]): readonly Caller[] => [...callers].sort((a, b) => a.since - b.since);

const isVague = ({ sign }: Caller): boolean => sign.kind === vague;

/** Whether calls fail where nobody is: that others cannot reach it says why, and so does a Service without endpoints. */
function isUnreached(ref: Ref, naming: Naming, world: ObservedWorld): boolean {
  if (callersOf(ref, unreachedSigns, naming, world).length > 0) return true;
  return kindOf(ref) === 'Service' && backendsOf(ref, world)?.ready === 0;
}

/** Those who name it in their template, began to fail with the others, and say nothing of why. */
function silentAbout(ref: Ref, naming: Naming, world: ObservedWorld): Caller[] {
  return silentUsers(ref, naming, world).map(({ pod, ...caller }) => ({
    ...caller,
    ref: pod,
    sign: { kind: vague, line: '' },
  }));
}

/** What several workloads say that turns them away; with the Secrets that they share, where it rejects what they have from these. */
function refusal(ref: Ref, naming: Naming, world: ObservedWorld): Problem | false {
  const speakers = callersOf(ref, [...refusedSigns, vague], naming, world);
  if (speakers.length === 0 || (speakers.some(isVague) && isUnreached(ref, naming, world))) return false;
  const callers = inOrder([...speakers, ...silentAbout(ref, naming, world)]);
  const problem = problemOf(callers, minWorkloads);
  if (!problem) return false;
  const { sign } = speakers.find((caller) => !isVague(caller)) ?? speakers[0] ?? {};
  const told = sign ? { ...problem, detail: sign.line, facts: { ...problem.facts, sign: sign.kind } } : problem;
  return sign && (sign.kind === 'CredentialsRejected' || isUntrusting(sign))
    ? { ...told, names: secretsBehind(speakers, world) }
    : told;
}

/** An object of the same kind that somebody may have meant: another namespace, a slip of the pen, a name cut short. */
function meant(ref: Ref, world: ObservedWorld): Ref | undefined {
  const [name, namespace] = [nameOf(ref), namespaceOf(ref)];
  const isCut = (other: string): boolean => other.startsWith(`${name}-`) || name.startsWith(`${other}-`);
  const near: Ref[] = [];
  for (const { ref: other } of world.all('Service')) {
    const own = nameOf(other);
    const isNear = namespaceOf(other) === namespace ? isAlike(name, own) || isCut(own) : own === name;
    if (isNear) near.push(other);
  }
  // In its own namespace first.
  const rank = (other: Ref): number => Number(namespaceOf(other) !== namespace);
  return near.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}

const common = {
  edition: 'Community',
  severity: 'high',
  settle: 'waits',
  symptom: 'service',
  patience: 'as long as the incident takes to settle',
} as const;
const logs = 'the last log lines and termination messages of containers that fail (`src/signs/`)';
const logsAndMounts = `${logs}; of a file server the Events FailedMount of those who mount from it`;

const externalUnreachable: NamedDetector = {
  ...common,
  id: 'T30',
  judges: 'ExternalEndpoint',
  reasons: [{ reason: 'ExternalEndpointUnreachable', family: 'named', sure: 'likely' }],
  source: logsAndMounts,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that they cannot resolve or reach one address outside the cluster',
  clears: 'fewer than two workloads fail for it',
  isNot:
    'the trouble of one workload with an address; an address of the cluster; what a program says beside the reason why it fails',
  judge: (ref, naming, world) => {
    const mounters = mountersOf(naming, world);
    const unreached = callersOf(ref, unreachedSigns, naming, world);
    const others = unreached.length > 0 ? callersOf(ref, [vague], naming, world) : [];
    const problem = problemOf([...unreached, ...others, ...mounters], minWorkloads);
    return problem && mounters.length > 0
      ? { ...problem, facts: { ...problem.facts, mounted: mounters.length } }
      : problem;
  },
};

const externalRefusing: NamedDetector = {
  ...common,
  id: 'T31',
  judges: 'ExternalEndpoint',
  reasons: [{ reason: 'ExternalEndpointRefusing', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that one address outside the cluster shows a certificate that is not valid, rejects their credentials, limits their requests, answers that it is unavailable, has no connections left, or fails their calls in words that tell no more',
  clears: 'fewer than two workloads fail for it',
  isNot: 'one workload with a wrong password of its own',
  judge: refusal,
};

/** A name that was looked up where nobody answered may be there: who found no resolver does not know. */
const isAnswered = ({ sign }: Caller): boolean => sign.kind !== 'NameNotResolved' || !unansweredLookup.test(sign.line);

const serviceMissing: NamedDetector = {
  ...common,
  id: 'T32',
  judges: 'Service',
  reasons: [{ reason: 'ServiceMissing', family: 'named', sure: 'high' }],
  settle: 'conclusive',
  source: logs,
  predicate: 'a program that fails says that it cannot reach a Service of the cluster, and there is no such Service',
  clears: 'it is there, or no program fails for it any more',
  isNot: 'a Service that is there and does not answer; one that cannot be seen',
  judge: (ref, naming, world) => {
    if (naming.size === 0 || world.get(ref) !== 'absent') return false;
    const problem = problemOf(callersOf(ref, unreachedSigns, naming, world).filter(isAnswered), 1);
    if (!problem) return false;
    const near = meant(ref, world);
    return {
      ...problem,
      facts: { ...problem.facts, missing: describeRef(ref), ...given({ near: near && describeRef(near) }) },
    };
  },
};

const serviceRefusing: NamedDetector = {
  ...common,
  id: 'T33',
  judges: 'Service',
  reasons: [{ reason: 'ServiceRefusing', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that a Service of the cluster shows a certificate that is not valid, rejects their credentials, answers that it is unavailable, has no connections or locks left, or, while it has endpoints, fails their calls in words that tell no more',
  clears: 'fewer than two workloads fail for it',
  isNot: 'one workload with a wrong password of its own',
  judge: (ref, naming, world) => naming.size > 0 && world.get(ref) !== 'absent' && refusal(ref, naming, world),
};

/** Whom nobody can reach although somebody is there: cluster DNS that does not answer, or knows no such name, has rows of its own. */
function unreached(ref: Ref, naming: Naming, world: ObservedWorld): Problem | false {
  const service = naming.size > 0 ? world.get(ref) : undefined;
  if (typeof service !== 'object' || service.kind !== 'Service') return false;
  if (service.selector !== undefined && !((backendsOf(ref, world)?.ready ?? 0) > 0)) return false;
  const kinds = service.externalName === undefined ? dialled : unreachedSigns;
  const speakers = callersOf(ref, kinds, naming, world);
  const [first] = speakers;
  if (first === undefined || !isSteady(ref, first.since, world)) return false;
  const others = [...callersOf(ref, [vague], naming, world), ...silentAbout(ref, naming, world)];
  const callers = inOrder([...speakers, ...others]);
  const problem = areApart(callers, world) && problemOf(callers, minWorkloads);
  return problem && { ...problem, detail: first.sign.line, facts: { ...problem.facts, sign: first.sign.kind } };
}

const serviceUnreachable: NamedDetector = {
  ...common,
  id: 'T47',
  judges: 'Service',
  reasons: [{ reason: 'ServiceUnreachable', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, on two Nodes or more, which began to fail within 30 min of each other, say that they cannot reach a Service of the cluster that has had endpoints all the while, or whose endpoints are written by hand',
  clears: 'fewer than two workloads fail for it',
  isNot: 'a Service without endpoints, or which leads to the wrong port; a name that is not resolved',
  judge: unreached,
};

/** The port of a Service that a program was refused at, where it leads to one by number that no container of its Pods names. */
function unopened(service: ServiceView, port: number | undefined, pods: readonly PodView[]) {
  const asked = service.ports.find((each) => each.port === port);
  const declared = pods.flatMap(({ template }) => template.containers.flatMap(({ ports = [] }) => ports));
  const isOpen = declared.length === 0 || declared.some((each) => each.port === asked?.target);
  return asked === undefined || typeof asked.target === 'string' || isOpen ? undefined : asked;
}

const portRefused: NamedDetector = {
  ...common,
  id: 'T36',
  judges: 'Service',
  reasons: [{ reason: 'ServicePortRefused', family: 'named', sure: 'high' }],
  source: `${logs}; core/v1 Service spec.ports[].targetPort by number; containers[].ports`,
  predicate:
    'a program that fails says that a port of a Service refuses connections, and that port leads to a number that no container of its ready Pods names among its ports',
  clears: 'it leads to a port that a container names, or no program fails for it any more',
  isNot: 'containers that name no ports at all; Pods that are not ready; a port that only a client has wrong',
  judge: (ref, naming, world) => {
    const service = naming.size > 0 ? world.get(ref) : undefined;
    if (typeof service !== 'object' || service.kind !== 'Service' || service.selector === undefined) return false;
    const pods = podsBehind(service, world);
    if (pods.length === 0 || !pods.every(isReady)) return false;
    const callers = callersOf(ref, ['ConnectionRefused'], naming, world);
    for (const caller of callers) {
      const port = unopened(service, caller.sign.target?.port, pods);
      if (!port) continue;
      const facts = {
        port: port.port,
        target: port.target,
        ...given({ open: openPorts(pods).join(', ') || undefined }),
      };
      return { since: caller.since, scope: String(port.target), detail: caller.sign.line, facts };
    }
    return false;
  },
};

const accountForbidden: NamedDetector = {
  ...common,
  id: 'T34',
  judges: 'ServiceAccount',
  reasons: [{ reason: 'ServiceAccountForbidden', family: 'named', sure: 'high' }],
  symptom: 'restart',
  source: logs,
  predicate: 'a program that fails says that the API server forbids its ServiceAccount what it asks for',
  clears: 'no program fails for it any more',
  isNot: 'a refusal that a program lives with',
  judge: (ref, naming, world) => problemOf(callersOf(ref, ['AccessForbidden'], naming, world), 1),
};

/** What programs say of those they call, in the order of the catalogue. */
export const calledDetectors: readonly NamedDetector[] = [
  externalUnreachable,
  externalRefusing,
  serviceMissing,
  serviceRefusing,
  serviceUnreachable,
  portRefused,
  dnsSaid,
  accountForbidden,
  secretRejected,
  ...inCommon,
];

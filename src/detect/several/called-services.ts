import { isAlike } from '../../model/near-miss.ts';
import { describeRef, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { unreachedSigns } from '../../model/sign-groups.ts';
import type { ServiceView } from '../../world/kinds/network/service.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { given } from '../../world/reading/fields.ts';
import { unansweredLookup } from '../../world/view/cluster-dns.ts';
import { backendsOf } from '../../world/view/endpoints.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { podsBehind } from '../kit/backends.ts';
import type { NamedDetector, Naming, Problem } from '../kit/detector.ts';
import { openPorts } from '../network/ports.ts';
import { type Caller, minWorkloads, problemOf, saidIn } from './callers.ts';
import { callersOf, common, inOrder, logs, silentAbout, vague } from './calls.ts';
import { areApart } from './dns-said.ts';
import { isSteady } from './in-common.ts';

/**
 * A Service of its namespace that somebody may have meant: a slip of the pen, a name cut short. Those of other namespaces are the
 * proof's to tell, which is for the cluster's people: whoever may write a log line could otherwise ask for names.
 */
function meant(ref: Ref, world: ObservedWorld): Ref | undefined {
  const [name, namespace] = [nameOf(ref), namespaceOf(ref)];
  const isCut = (other: string): boolean => other.startsWith(`${name}-`) || name.startsWith(`${other}-`);
  const near: Ref[] = [];
  for (const { ref: other } of world.all('Service')) {
    const own = nameOf(other);
    if (namespaceOf(other) === namespace && (isAlike(name, own) || isCut(own))) near.push(other);
  }
  return near.sort((a, b) => (a < b ? -1 : 1))[0];
}

/** A name that was looked up where nobody answered may be there: who found no resolver does not know. */
const isAnswered = ({ sign }: Caller): boolean => sign.kind !== 'NameNotResolved' || !unansweredLookup.test(sign.line);

/** A Service that a program looks for, and that is not there. */
export const serviceMissing: NamedDetector = {
  ...common,
  id: 'T32',
  judges: 'Service',
  reasons: [{ reason: 'ServiceMissing', family: 'named', sure: 'high' }],
  settle: 'conclusive',
  source: logs,
  predicate:
    'a program that fails says that it cannot resolve the name of a Service of the cluster, and there is no such Service',
  clears: 'it is there, or no program fails for it any more',
  isNot: 'a Service that is there and does not answer; one that cannot be seen',
  judge: (ref, naming, world) => {
    if (naming.size === 0 || world.get(ref) !== 'absent') return false;
    const problem = problemOf(callersOf(ref, ['NameNotResolved'], naming, world).filter(isAnswered), 1);
    if (!problem) return false;
    const near = meant(ref, world);
    return {
      ...problem,
      facts: { ...problem.facts, missing: describeRef(ref), ...given({ near: near && describeRef(near) }) },
    };
  },
};

/** What is said of an address once its name is known. */
const dialled = unreachedSigns.filter((kind) => kind !== 'NameNotResolved');

/** Whom nobody can reach although somebody is there: cluster DNS that does not answer, or knows no such name, has rows of its own. */
function unreached(ref: Ref, naming: Naming, world: ObservedWorld): Problem | false {
  const service = naming.size > 0 ? world.get(ref) : undefined;
  if (typeof service !== 'object' || service.kind !== 'Service') return false;
  if (service.selector !== undefined && !((backendsOf(ref, world)?.ready ?? 0) > 0)) return false;
  const kinds = service.externalName === undefined ? dialled : unreachedSigns;
  const speakers = callersOf(ref, kinds, naming, world);
  const [first] = speakers;
  if (first === undefined || !isSteady(ref, first.since, world)) return false;
  // Who has only just stopped being ready may be cut off by something else, as those are that it is not said of.
  const silent = silentAbout(ref, naming, world).filter(({ isNew }) => !isNew);
  const others = [...callersOf(ref, [vague], naming, world), ...silent];
  const callers = inOrder([...speakers, ...others]);
  const problem = areApart(callers, world) && problemOf(callers, minWorkloads);
  const said = { detail: first.sign.line, ...saidIn(speakers.map((speaker) => speaker.ref)) };
  return problem && { ...problem, ...said, facts: { ...problem.facts, sign: first.sign.kind } };
}

/** A Service that is there, and that several workloads cannot reach. */
export const serviceUnreachable: NamedDetector = {
  ...common,
  id: 'T47',
  judges: 'Service',
  reasons: [{ reason: 'ServiceUnreachable', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, on two Nodes or more, which began to fail within 30 min of each other, say that they cannot reach a Service of the cluster that has had endpoints all the while, or whose endpoints are written by hand',
  clears: 'fewer than two workloads fail because of it',
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

/** A Service that leads to a port which nobody opens. */
export const portRefused: NamedDetector = {
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

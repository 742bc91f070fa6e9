import { clusterDnsServices } from '../../model/cluster-dns.ts';
import { describeRef, kindOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { fanOut } from '../../world/view/bounds.ts';
import { isClusterDns, unansweredLookup } from '../../world/view/cluster-dns.ts';
import type { ObservedWorld, PlacedSign } from '../../world/view/world.ts';
import type { NamedDetector } from '../kit/detector.ts';
import { type Caller, callersWho, minWorkloads, problemOf } from './callers.ts';

/** Asked of a cache on the machine itself, which asks cluster DNS only for what it does not know. */
const ofMachine = /\bon 169\.254\.\d{1,3}\.\d{1,3}:53\b/;

/** Whether a name was looked up in vain for which cluster DNS has an answer: it gave none at all, or the Service has an address. */
function isUnanswered({ kind, line, to }: PlacedSign, world: ObservedWorld): boolean {
  if (kind !== 'NameNotResolved') return false;
  if (unansweredLookup.test(line)) return true;
  const service = to !== undefined && kindOf(to) === 'Service' ? world.get(to) : undefined;
  return typeof service === 'object' && service.kind === 'Service' && service.clusterIP !== undefined;
}

/** Of how many different things callers are. */
const different = (callers: readonly Caller[], of: (caller: Caller) => string | undefined): number =>
  new Set(callers.flatMap((caller) => of(caller) ?? [])).size;

/** Whether callers are on several Nodes, where there are several: what is broken on one is not what they call. */
export function areApart(callers: readonly Caller[], world: ObservedWorld): boolean {
  const nodeOf = ({ ref }: Caller): string | undefined => {
    const pod = world.get(ref);
    return typeof pod === 'object' && pod.kind === 'Pod' ? pod.node : undefined;
  };
  return different(callers, nodeOf) > 1 || world.count('Node') === 1;
}

/** Whether a network policy decides whom a Pod may ask. */
function isIsolated(pod: Ref, world: ObservedWorld): boolean {
  for (const ref of world.linked(pod, 'selects', 'in', fanOut)) {
    const policy = kindOf(ref) === 'NetworkPolicy' ? world.get(ref) : undefined;
    if (typeof policy === 'object' && policy.kind === 'NetworkPolicy' && policy.allows.egress !== undefined)
      return true;
  }
  return false;
}

/**
 * Whether what is said speaks of cluster DNS rather than of what stands between it and the callers, or of one name outside: a network policy is
 * of one namespace (where there is one), a broken network of one Node, and a name outside has a server of its own.
 */
function isEverywhere(callers: readonly Caller[], world: ObservedWorld): boolean {
  if (callers.some(({ sign }) => ofMachine.test(sign.line))) return false;
  const ofCluster = callers.some(({ sign: { to } }) => to !== undefined && kindOf(to) === 'Service');
  const hosts = different(callers, ({ sign }) => sign.target?.host);
  return (
    (different(callers, ({ ref }) => namespaceOf(ref)) > 1 || !callers.some(({ ref }) => isIsolated(ref, world))) &&
    areApart(callers, world) &&
    (ofCluster || hosts > 1)
  );
}

/** Whether the cluster has no Service of its DNS any more: it is told by the name that it has nearly everywhere. */
function isGone(ref: Ref, world: ObservedWorld): boolean {
  return ref === clusterDnsServices[0] && !Iterator.from(world.all('Service')).some(isClusterDns);
}

/** Cluster DNS by what those say who ask it: before its own Pods are seen to fail, or while they look healthy. */
export const dnsSaid: NamedDetector = {
  id: 'T37',
  judges: 'Service',
  reasons: [{ reason: 'ClusterDNSFailing', family: 'consequence', sure: 'likely' }],
  edition: 'Community',
  severity: 'critical',
  settle: 'waits',
  symptom: 'service',
  source: 'the last log lines and termination messages of containers that fail (`src/signs/`)',
  predicate:
    'programs of two or more workloads, on two Nodes or more and in two namespaces or more, or in one without network policies for them, which began to fail within 30 min of each other, say that a lookup was not answered, or that the name of a Service which has an address does not exist; of names outside the cluster two different ones; whether its Service is healthy or gone',
  clears: 'fewer say so',
  patience: 'as long as the incident takes to settle',
  isNot:
    'a name that does not exist; a headless Service without Pods; one namespace alone, which a network policy may cut off; one Node alone; one name outside the cluster',
  judge: (ref, naming, world) => {
    // What is out of sight keeps what was found of it.
    if (!clusterDnsServices.includes(ref) || naming.size === 0) return false;
    const isMissing = world.get(ref) === 'absent' && isGone(ref, world);
    if (typeof world.get(ref) !== 'object' && !isMissing) return false;
    const callers = callersWho((sign) => isUnanswered(sign, world), naming, world);
    const problem = isEverywhere(callers, world) && problemOf(callers, minWorkloads);
    return problem && isMissing ? { ...problem, facts: { ...problem.facts, missing: describeRef(ref) } } : problem;
  },
};

import { latest } from '../../model/instants.ts';
import { patience } from '../../model/patience.ts';
import type { ServiceView } from '../../world/kinds/network/service.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { isReady, readySince } from '../../world/pods/readiness.ts';
import { given } from '../../world/reading/fields.ts';
import { selectorOf } from '../../world/reading/label-selector.ts';
import { isClusterDns } from '../../world/view/cluster-dns.ts';
import { type Backends, backendsOf } from '../../world/view/endpoints.ts';
import { isExposed } from '../../world/view/exposure.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { judgesServices, podsBehind, workloadsBehind } from '../kit/backends.ts';
import { type Detector, detector, type Judgement, type LookAgain, type Problem } from '../kit/detector.ts';
import { exemptions } from '../kit/exemptions.ts';
import { openPorts } from './ports.ts';
import { quietEvents } from './quiet-events.ts';

const behind = ['EndpointSlice', 'Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'] as const;

/** Whether Pods are to be behind a Service whenever it is used: one of peers, or of whoever leads, may have none. */
const needsPods = ({ selector, publishesUnready, isElection }: ServiceView): boolean =>
  selector !== undefined && !publishesUnready && !isElection;

/** Why nobody need wonder that nothing is behind a Service: until when (epoch milliseconds), or `true`. */
function excuse(workloads: readonly WorkloadView[], world: ObservedWorld, now: number): LookAgain | boolean {
  const wanting = workloads.filter(({ replicas, deletionAt }) => replicas > 0 && deletionAt === undefined);
  if (workloads.length > 0 && wanting.length === 0) return true;
  const answers = wanting.map((workload) => exemptions.rollout.answer(workload, world, now));
  const times = answers.filter((answer) => typeof answer === 'number');
  return wanting.length > 0 && times.length === wanting.length ? { lookAgainAt: latest(times) } : false;
}

/** Pods that serve reach the EndpointSlices within a second or two. */
const whilePodsServeSeconds = 20;

/** What is wrong with a Service of which no endpoint gets traffic. */
function nothingBehind(service: ServiceView, world: ObservedWorld, { emptySince }: Backends): Problem {
  const pods = podsBehind(service, world);
  const serving = pods.filter(isReady);
  const facts = { pods: pods.length, serving: serving.length, ...selectorOf(service) };
  // Its selector may have changed a moment ago, or the Pods.
  if (serving.length > 0) return { since: 'observed', forSeconds: whilePodsServeSeconds, facts };
  const since = pods.length > 0 ? latest(pods.map(readySince)) : emptySince;
  return { since, forSeconds: patience.emptyService, settle: 'waits', facts };
}

const serviceNoEndpoints = detector({
  ...judgesServices,
  id: 'T1',
  reasons: [{ reason: 'ServiceNoEndpoints', family: 'consequence', sure: 'unknown' }],
  reads: behind,
  severity: 'high',
  settle: 'conclusive',
  source:
    'discovery.k8s.io/v1 EndpointSlice endpoints[].conditions.ready (null means true) of a Service with a selector',
  predicate:
    'no endpoint of a Service is ready for 100 s, or for 20 s although its Pods are (critical where traffic from outside reaches it)',
  clears: 'an endpoint is ready, held for 1 min',
  patience:
    '100 s: the only Pod of a workload that is moved or restarted is away for less; what its Pods fail of is told before that, and this joins it',
  isNot:
    'a workload that was scaled to 0; a rollout or scale-up; Services of peers (`publishNotReadyAddresses`), of leader election, without a selector, `ExternalName`',
  judge: (service, world, now) => {
    const backends = needsPods(service) && !isClusterDns(service) && backendsOf(service.ref, world);
    if (!backends || backends.ready > 0) return false;
    const workloads = workloadsBehind(service, world);
    const excused = excuse(workloads, world, now);
    if (excused === true) return false;
    if (excused) return excused;
    const problem = nothingBehind(service, world, backends);
    // A Service that is to select nothing is another matter.
    if (problem.facts?.pods === 0 && workloads.length === 0) return false;
    const exposed = isExposed(world, service.ref);
    return { ...problem, clearHoldMs: 60_000, ...(exposed ? { severity: 'critical' as const } : {}) };
  },
});

const clusterDnsDown = detector({
  ...judgesServices,
  id: 'T18',
  reasons: [{ reason: 'ClusterDNSDown', family: 'consequence', sure: 'unknown' }],
  reads: behind,
  severity: 'critical',
  forSeconds: 30,
  settle: 'conclusive',
  source:
    'discovery.k8s.io/v1 EndpointSlices of the Service of cluster DNS: kube-dns, or labelled k8s-app=kube-dns in kube-system',
  predicate: 'no endpoint of the Service of cluster DNS is ready for 30 s',
  clears: 'an endpoint is ready, held for 1 min',
  patience: '30 s: a single CoreDNS Pod that is moved is away for less',
  isNot: 'some of several DNS Pods that are down',
  judge: (service, world) => {
    const backends = isClusterDns(service) && backendsOf(service.ref, world);
    if (!backends || backends.ready > 0) return false;
    return { ...nothingBehind(service, world, backends), forSeconds: 30, clearHoldMs: 60_000 };
  },
});

/** From so few endpoints on, half of them is not a small part. */
const fewestEndpoints = 3;

const backendsDegraded = detector({
  ...judgesServices,
  id: 'T4',
  reasons: [{ reason: 'BackendsDegraded', family: 'consequence', sure: 'unknown' }],
  reads: behind,
  severity: 'medium',
  forSeconds: 600,
  source: 'discovery.k8s.io/v1 EndpointSlice endpoints[].conditions.ready',
  predicate:
    'fewer than half of at least 3 endpoints of a Service have been ready for 10 min, and no rollout is under way',
  clears: 'half of them are ready, held for 5 min',
  patience: '10 min: rollouts and scale-ups are over, or told as stuck',
  isNot: 'fewer than 3 endpoints; a workload that rolls out or scales up',
  judge: (service, world, now) => {
    const backends = needsPods(service) && backendsOf(service.ref, world);
    if (!backends || backends.ready === 0 || backends.endpoints < fewestEndpoints) return false;
    const { ready, endpoints } = backends;
    if (ready * 2 >= endpoints) return false;
    const excused = excuse(workloadsBehind(service, world), world, now);
    if (excused === true) return false;
    return (
      excused || { since: 'observed', facts: { ready, endpoints, ...selectorOf(service) }, clearHoldMs: 5 * 60_000 }
    );
  },
});

function misnamedPorts(service: ServiceView, world: ObservedWorld): Judgement {
  const named = service.ports.filter(({ target }) => typeof target === 'string');
  const backends = named.length > 0 && service.selector ? backendsOf(service.ref, world) : undefined;
  // The controller leaves out a port that it does not find: only what it leaves out is worth a look at the Pods.
  const unresolved = named.filter(({ name }) => backends && !backends.ports.has(name));
  if (unresolved.length === 0) return false;
  const pods = podsBehind(service, world);
  if (pods.length === 0) return false;
  const names = new Set(
    pods.flatMap(({ template }) => template.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))),
  );
  const missing = unresolved.filter(({ target }) => typeof target === 'string' && !names.has(target));
  const open = openPorts(pods);
  return missing.map(({ port, target }) => ({
    since: 'observed',
    scope: String(target),
    facts: { port, target, ...selectorOf(service), ...given({ open: open.join(', ') || undefined }) },
  }));
}

const servicePortMismatch = detector({
  ...judgesServices,
  id: 'T3',
  reasons: [{ reason: 'ServicePortMismatch', family: 'named', sure: 'high' }],
  reads: behind,
  severity: 'high',
  forSeconds: 20,
  settle: 'conclusive',
  source:
    'core/v1 Service spec.ports[].targetPort by name; endpointslice-controller leaves out a port that no container has',
  predicate: 'a port of a Service leads to a named port that no container of its Pods has, for 20 s',
  clears: 'a container has it, or the Service asks for another',
  patience: '20 s: what is applied together arrives one after the other',
  isNot:
    'ports by number: containers need not declare those; ports of injected sidecars; a Service whose Pods are not there yet',
  judge: misnamedPorts,
});

const endpointSliceSyncFailed = detector({
  ...judgesServices,
  id: 'T20',
  reasons: [{ reason: 'EndpointSliceSyncFailed', family: 'create', sure: 'likely' }],
  severity: 'medium',
  source: 'Event FailedToUpdateEndpointSlices of the endpointslice controller; a Service has no condition for it',
  predicate: 'the EndpointSlices of a Service could not be written 3 times within 10 min',
  clears: 'that has not been said for 30 min',
  patience: 'until the third failure within 10 min: a single conflict is tried again at once',
  isNot: 'one or two conflicts',
  judge: ({ ref }, world, now) =>
    quietEvents(world.events(ref), { reasons: ['FailedToUpdateEndpointSlices'], times: 3, quietMinutes: 30 }, now),
});

/** Services and what is behind them, what tells most first. */
export const serviceDetectors: readonly Detector[] = [
  servicePortMismatch,
  endpointSliceSyncFailed,
  clusterDnsDown,
  serviceNoEndpoints,
  backendsDegraded,
];

import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { ServiceView } from '../../world/kinds/network/service.ts';
import { given } from '../../world/reading/fields.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { judgesServices } from '../kit/backends.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector } from '../kit/detector.ts';

const minute = 60_000;

const isBalanced = ({ type }: ServiceView): boolean => type === 'LoadBalancer';

/** The newest Event of a Service with one of these reasons. */
function lastEvent({ ref }: ServiceView, world: ObservedWorld, reasons: readonly string[]): EventView | undefined {
  return world.events(ref).findLast(({ reason }) => reasons.includes(reason));
}

/** Whether anybody in this cluster hands out addresses. */
const isAnyoneGiving = once((world) =>
  Iterator.from(world.all('Service')).some((view) => view.kind === 'Service' && view.addresses > 0),
);

/** How long after its last failure a cloud's controller has tried again: 5 s doubling to 5 min (cloud-provider `minRetryDelay`). */
const retryMs = 6 * minute;

const loadBalancerPending = detector({
  ...judgesServices,
  id: 'T5',
  reasons: [{ reason: 'LoadBalancerPending', family: 'create', sure: 'likely' }],
  reads: ['Service'],
  severity: 'medium',
  forSeconds: 600,
  source:
    'core/v1 Service status.loadBalancer.ingress; Events SyncLoadBalancerFailed, UpdateLoadBalancerFailed of the service controller (cloud-provider)',
  predicate:
    'a load balancer has no address for 10 min (low where nobody in the cluster hands out addresses), or its controller says for 60 s that it fails (high)',
  clears: 'it has an address, and no failure was said for 6 min',
  patience:
    '10 min: clouds make one in 1 to 5 min; 60 s once the controller says that it fails, for what passes at the next try',
  isNot: 'a load balancer that was asked for a moment ago; a single failure that the next try repairs',
  judge: (service, world, now) => {
    if (!isBalanced(service)) return false;
    const { ref, addresses, loadBalancerClass } = service;
    const facts = given({ loadBalancerClass });
    const said = lastEvent(service, world, ['SyncLoadBalancerFailed', 'UpdateLoadBalancerFailed']);
    const mended = lastEvent(service, world, ['EnsuredLoadBalancer', 'UpdatedLoadBalancer']);
    const isLate = said && now >= said.lastAt + retryMs;
    if (said && (mended?.lastAt ?? 0) < said.lastAt && (addresses === 0 || !isLate)) {
      const failing = { severity: 'high', settle: 'conclusive', forSeconds: 60 } as const;
      const failure = { facts: { ...facts, failing: 'yes' }, detail: said.message };
      return { since: said.firstAt, ...failing, ...failure, ...(isLate ? {} : { lookAgainAt: said.lastAt + retryMs }) };
    }
    if (addresses > 0) return false;
    const since = world.since(ref, 'pending');
    return isAnyoneGiving(world, now)
      ? { since, facts }
      : { since, severity: 'low', facts: { ...facts, provider: 'none' }, lookAgainAt: now + 5 * minute };
  },
});

const loadBalancerPortsError = detector({
  ...judgesServices,
  id: 'T6',
  reasons: [{ reason: 'LoadBalancerPortsError', family: 'config', sure: 'high' }],
  severity: 'high',
  forSeconds: 15,
  settle: 'conclusive',
  source:
    'core/v1 Service condition LoadBalancerPortsError=True (LoadBalancerMixedProtocolNotSupported); status.loadBalancer.ingress[].ports[].error',
  predicate: 'a load balancer could not open a port of a Service, for 15 s',
  clears: 'the condition and the errors are gone',
  patience: '15 s: the cloud refuses the ports as they are',
  isNot: 'a load balancer that has no address yet (T5)',
  judge: (service) => {
    if (!isBalanced(service)) return false;
    const condition = conditionOf(service, 'LoadBalancerPortsError');
    const [broken] = service.portErrors;
    if (condition?.status === 'True')
      return { since: condition.since, detail: condition.message, facts: { conditionReason: condition.reason } };
    return broken !== undefined && { since: 'observed', detail: broken.error, facts: { port: broken.port } };
  },
});

/** Keeps a Node from load balancers (core/v1 `LabelNodeExcludeBalancers`). */
const excludedLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';

const takesTraffic = (node: NodeView): boolean =>
  conditionOf(node, 'Ready')?.status === 'True' && !(excludedLabel in node.labels);

const loadBalancerUnavailable = detector({
  ...judgesServices,
  id: 'T7',
  reasons: [{ reason: 'UnAvailableLoadBalancer', family: 'create', sure: 'high' }],
  reads: ['Node'],
  severity: 'critical',
  settle: 'conclusive',
  source: 'Event UnAvailableLoadBalancer of the service controller (cloud-provider): a load balancer without Nodes',
  predicate:
    'the controller says that a load balancer has no Nodes to send traffic to, and no Node that is ready takes any',
  clears: 'a Node that is not excluded from load balancers is ready',
  patience: 'none: every request fails by then',
  isNot: 'an Event that is older than the Node that is ready now',
  judge: (service, world, now) => {
    const said = isBalanced(service) && lastEvent(service, world, ['UnAvailableLoadBalancer']);
    if (!said || world.get('Node//') === 'unknown') return false;
    const isServed = Iterator.from(world.all('Node')).some((node) => node.kind === 'Node' && takesTraffic(node));
    return !isServed && { since: said.firstAt, detail: said.message, lookAgainAt: now + minute };
  },
});

/** Load balancers, what tells most first. */
export const loadBalancerDetectors: readonly Detector[] = [
  loadBalancerPortsError,
  loadBalancerUnavailable,
  loadBalancerPending,
];

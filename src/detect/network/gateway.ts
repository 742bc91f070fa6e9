import { describeRef } from '../../model/ref.ts';
import type { PartStatus } from '../../world/kinds/network/gateway.ts';
import { given } from '../../world/reading/fields.ts';
import type { Condition } from '../../world/reading/meta.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { lackingGrant } from './grants.ts';

const gatewayApi = { symptom: 'route' } as const;

/** Reasons of a controller that has not come to it yet, or has yet to start. */
const waiting: ReadonlySet<string> = new Set(['Pending', 'Waiting', 'NotReconciled']);
const pendingSeconds = 900;

/** The reason of what no ReferenceGrant allows. */
const refused = 'RefNotPermitted';
/** The reason of what leads to something that is not there. */
const notFound = 'BackendNotFound';

/** How long a condition that says no may do so: a controller that has decided does not change its mind by itself. */
function patience({ reason }: Condition): Pick<Problem, 'forSeconds' | 'settle'> {
  return waiting.has(reason) ? { forSeconds: pendingSeconds, settle: 'waits' } : {};
}

/** What a condition says that is not as it should be. */
function problemOf(condition: Condition, facts: Problem['facts'] = {}, scope?: string): Problem {
  const { type, since, message, reason } = condition;
  return {
    since,
    detail: message,
    facts: { condition: type, conditionReason: reason, ...facts },
    ...patience(condition),
    ...given({ scope }),
  };
}

/** The conditions of a part that say no: False of those that should be True, True of those that should be False. */
function failing(
  { conditions }: PartStatus,
  good: readonly string[],
  bad: readonly string[] = [],
): readonly Condition[] {
  return conditions.filter(
    ({ type, status }) => (status === 'False' && good.includes(type)) || (status === 'True' && bad.includes(type)),
  );
}

/** What the CRD says of a new Gateway until its controller does; Programmed some controllers never set. */
const isUntaken = ({ type, status, reason }: Condition): boolean =>
  type === 'Accepted' && status === 'Unknown' && waiting.has(reason);

const gatewayClassNotAccepted = detector({
  ...gatewayApi,
  id: 'T12',
  reasons: [{ reason: 'GatewayClassNotAccepted', family: 'config', sure: 'high' }],
  judges: 'GatewayClass',
  severity: 'medium',
  forSeconds: 30,
  settle: 'conclusive',
  source: 'gateway-api v1 GatewayClass condition Accepted=False (InvalidParameters, Unsupported, UnsupportedVersion)',
  predicate: 'a controller refuses a GatewayClass for 30 s; one that no controller has taken for 15 min',
  clears: 'Accepted is True',
  patience: '30 s once a controller refuses it; 15 min for `Waiting`, which every class is until its controller runs',
  isNot: 'a class whose controller is being installed; what was said before its last edit',
  judge: (view) => {
    const accepted = conditionOf(view, 'Accepted');
    if (!accepted || accepted.status === 'True') return false;
    return problemOf(accepted, { controller: view.controller });
  },
});

const gatewayNotProgrammed = detector({
  ...gatewayApi,
  id: 'T13',
  reasons: [{ reason: 'GatewayNotProgrammed', family: 'config', sure: 'high' }],
  judges: 'Gateway',
  severity: 'high',
  forSeconds: 60,
  settle: 'conclusive',
  source:
    'gateway-api v1 Gateway conditions Accepted=False (ListenersNotValid, UnsupportedAddress, InvalidParameters), Programmed=False (AddressNotAssigned, AddressNotUsable, NoResources, Invalid)',
  predicate:
    'a Gateway is not accepted, or not programmed, for 60 s; `Pending`, or taken by no controller at all, for 15 min',
  clears: 'both are True',
  patience:
    '60 s: addresses come a moment after the Gateway; 15 min while it is `Pending`, as clouds make a load balancer',
  isNot: 'a Gateway that is being set up; what was said before its last edit',
  judge: ({ conditions }) => {
    const [first = conditions.find(isUntaken)] = failing({ name: '', conditions }, ['Accepted', 'Programmed']);
    return first !== undefined && problemOf(first);
  },
});

const listenerInvalid = detector({
  ...gatewayApi,
  id: 'T14',
  reasons: [{ reason: 'ListenerInvalid', family: 'config', sure: 'high' }],
  judges: 'Gateway',
  severity: 'high',
  forSeconds: 30,
  settle: 'conclusive',
  source:
    'gateway-api v1 Gateway status.listeners[].conditions: Conflicted=True, ResolvedRefs=False (InvalidCertificateRef, RefNotPermitted), Accepted=False; OverlappingTLSConfig=True',
  predicate:
    'a listener of a Gateway is refused, conflicts with another or lacks its certificate, for 30 s (low where only its certificates overlap)',
  clears: 'its conditions say that all is well',
  patience: '30 s: a certificate is made a moment after the Gateway that names it',
  isNot: 'a listener without routes; what was said before the last edit',
  judge: ({ ref, listeners, secrets }, world) =>
    listeners.flatMap((listener) => {
      const [first] = failing(listener, ['Accepted', 'ResolvedRefs'], ['Conflicted', 'OverlappingTLSConfig']);
      if (!first) return [];
      const grant = first.reason === refused ? lackingGrant(ref, secrets, world) : {};
      const problem = problemOf(first, { listener: listener.name, ...grant }, listener.name);
      return [first.type === 'OverlappingTLSConfig' ? { ...problem, severity: 'low' as const } : problem];
    }),
});

const routeNotAccepted = (['HTTPRoute', 'GRPCRoute', 'TLSRoute'] as const).map((judges) =>
  detector({
    ...gatewayApi,
    id: 'T15',
    reasons: [{ reason: 'RouteNotAccepted', family: 'config', sure: 'high' }],
    judges,
    severity: 'high',
    forSeconds: 30,
    settle: 'conclusive',
    source: `gateway-api v1 ${judges} status.parents[].conditions: Accepted=False, ResolvedRefs=False (BackendNotFound, RefNotPermitted, InvalidKind), PartiallyInvalid=True`,
    predicate: 'a parent of a route refuses it, does not find what it leads to, or serves only a part of it, for 30 s',
    clears: 'all parents that it names say that all is well',
    patience: '30 s: what is applied together arrives one after the other; 15 min while it is `Pending`',
    isNot: 'what a parent said that the route does not name any more, or before its last edit',
    judge: ({ ref, parents, backends }, world) =>
      parents.flatMap((parent) => {
        const [first] = failing(parent, ['Accepted', 'ResolvedRefs'], ['PartiallyInvalid']);
        if (!first) return [];
        const at = `${parent.parent}${parent.name === '' ? '' : `/${parent.name}`}`;
        const grant = first.reason === refused ? lackingGrant(ref, backends, world) : {};
        const absent = first.reason === notFound ? backends.filter((to) => world.get(to) === 'absent') : [];
        const problem = problemOf(first, { parent: describeRef(parent.parent), ...grant }, at);
        return [{ ...problem, names: [parent.parent, ...absent] }];
      }),
  }),
);

const backendTLSPolicyInvalid = detector({
  ...gatewayApi,
  id: 'T16',
  reasons: [{ reason: 'BackendTLSPolicyInvalid', family: 'config', sure: 'high' }],
  judges: 'BackendTLSPolicy',
  severity: 'high',
  forSeconds: 30,
  settle: 'conclusive',
  source:
    'gateway-api v1 BackendTLSPolicy status.ancestors[].conditions: Accepted=False (NoValidCACertificate, Conflicted, Invalid, TargetNotFound), ResolvedRefs=False (InvalidCACertificateRef, InvalidKind)',
  predicate: 'a Gateway does not accept a BackendTLSPolicy, or not its certificates, for 30 s',
  clears: 'its conditions say that all is well',
  patience: '30 s: the ConfigMap with the certificates is applied together with the policy',
  isNot: 'what was said before the last edit',
  judge: ({ ancestors, targets }) =>
    ancestors.flatMap((ancestor) => {
      const [first] = failing(ancestor, ['Accepted', 'ResolvedRefs']);
      const facts = given({ target: targets[0] && describeRef(targets[0]) });
      return first ? [problemOf(first, facts, ancestor.name)] : [];
    }),
});

/** Gateways from the class to the route: what lies behind comes first. */
export const gatewayDetectors: readonly Detector[] = [
  gatewayClassNotAccepted,
  listenerInvalid,
  gatewayNotProgrammed,
  ...routeNotAccepted,
  backendTLSPolicyInvalid,
];

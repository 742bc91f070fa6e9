import { type ChangeField, releaseFields } from '../../model/change-field.ts';
import { loggedReasons } from '../../model/logged-reasons.ts';
import type { Reason } from '../../model/reason.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import { accessKinds } from '../../world/reading/access-kinds.ts';
import { lacking } from '../evidence/taken.ts';
import { refused, unanswered } from '../evidence/unanswered.ts';
import { longRunning, makers, programs, unmade } from './reasons.ts';
import { any, changeOf, type Rule } from './rule.ts';

/** What decides how a server answers, the most direct first; a mere restart does not. */
const whatServes: readonly ChangeField[] = [
  ...(['data', 'image', 'command', 'args', 'env', 'envFrom', 'volumeMounts', 'volumes'] as const),
  ...(['containers', 'template'] as const),
];

/** What is found of a server because several clients say it. */
const saidOfServers: readonly Reason[] = [
  ...(['ServiceRefusing', 'ServiceUnreachable', 'ClientsFailing', 'ClusterDNSFailing'] as const),
];

/** What is found of an address outside because several say it. */
const saidOfOutside: readonly Reason[] = ['ExternalEndpointUnreachable', 'ExternalEndpointRefusing'];

/** Who calls, and whom they say it of. */
const bothSides = { kinds: [...programs.kinds, 'Service'], reasons: [...programs.reasons, ...saidOfServers] };

/** What standards of Pod security are about, and edits that may be of that. */
const asking: ReadonlySet<ChangeField> = new Set<ChangeField>([
  ...(['securityContext', 'hostNetwork', 'volumes', 'ports', 'containers', 'initContainers', 'template'] as const),
]);

/** What decides how a webhook judges. */
const whatJudges: readonly ChangeField[] = [
  ...(['data', 'image', 'command', 'args', 'env', 'envFrom', 'containers', 'template'] as const),
];

/** The causal rules of what was edited on the other side, by what those say who call it. */
export const calledEditRules: readonly Rule[] = [
  {
    id: 'settings-lost-key',
    cause: changeOf(settingsKinds),
    via: 'reads',
    effect: any('Pod', loggedReasons),
    strength: 'strong',
    within: 'next start',
    fields: ['data'],
    requires: { tookAway: true },
    signs: lacking,
    source:
      'managedFields: a key that nobody owns any more is gone; variables of envFrom and files of a volume bear the names of keys, and what was started anew since lacks them',
  },
  {
    id: 'server-edited',
    cause: changeOf([...longRunning, ...settingsKinds, 'Service']),
    via: 'called-servers',
    effect: { kinds: ['Service'], reasons: saidOfServers },
    strength: 'strong',
    within: 'minutes',
    atMost: 'likely',
    fields: [...whatServes, 'selector', 'externalName'],
    source:
      'what several clients say of a server at once, that was edited just before: the server, what it reads, or where its Service leads',
  },
  {
    id: 'connections-taken',
    cause: changeOf(longRunning),
    via: 'clients',
    effect: any('Service', ['ServiceRefusing']),
    strength: 'strong',
    within: 'minutes',
    atMost: 'likely',
    fields: ['replicas'],
    requires: { scaled: 'up', states: [{ fact: 'sign', as: /^TooManyConnections$/ }] },
    source:
      'each replica of a client holds connections of its own (PostgreSQL max_connections, MySQL max_connections): one that grew just before took what others lack',
  },
  {
    id: 'called-policy',
    cause: changeOf(['NetworkPolicy']),
    via: 'traffic-rules',
    effect: bothSides,
    strength: 'usual',
    within: 'minutes',
    requires: { isolated: 'called' },
    signs: ['ConnectionTimedOut', 'ConnectionRefused', 'ConnectionReset', 'HostUnreachable'],
    source:
      'networking.k8s.io/v1 NetworkPolicy: Pods that a policy of direction Ingress selects, cluster DNS among them, are reached by whom policies let through and no others',
  },
  {
    id: 'traffic-rule',
    cause: changeOf(['CustomResource']),
    via: 'traffic-rules',
    effect: bothSides,
    strength: 'strong',
    within: 'minutes',
    atMost: 'likely',
    requires: { pods: 'older' },
    signs: [...unanswered, ...refused, 'AccessForbidden'],
    source:
      'meshes and network plug-ins decide who may call whom, and how (Istio PeerAuthentication, AuthorizationPolicy, DestinationRule, CiliumNetworkPolicy): who was served until one was edited did not change',
  },
  {
    id: 'called-service-edited',
    cause: changeOf(['Service']),
    via: 'called-servers',
    effect: {
      kinds: [...programs.kinds, 'ExternalEndpoint'],
      reasons: [...programs.reasons, ...saidOfOutside],
    },
    strength: 'strong',
    within: 'minutes',
    fields: ['servicePorts', 'selector', 'externalName'],
    requires: { pods: 'older' },
    signs: unanswered,
    source:
      'core/v1 ServiceSpec.ports, selector, externalName: where a Service leads, and which host its clients ask for, follows from these; who served with it until then did not change',
  },
  {
    id: 'namespace-shut-out',
    cause: changeOf(['Namespace']),
    via: 'home',
    effect: programs,
    strength: 'strong',
    within: 'minutes',
    atMost: 'likely',
    fields: ['labels'],
    requires: { isolated: 'called', pods: 'older' },
    signs: ['ConnectionTimedOut', 'ConnectionRefused', 'ConnectionReset', 'HostUnreachable'],
    source:
      'networking.k8s.io/v1 NetworkPolicyPeer.namespaceSelector: whom a policy lets in follows from the labels of namespaces',
  },
  {
    id: 'namespace-injects',
    cause: changeOf(['Namespace']),
    via: 'home',
    effect: programs,
    strength: 'strong',
    within: 'next start',
    atMost: 'likely',
    fields: ['labels'],
    labels: /inject|^istio\.io\/rev=/,
    requires: { pods: 'newer', untouched: releaseFields },
    signs: [...unanswered, ...refused],
    source:
      'istio-injection, istio.io/rev, linkerd.io/inject: whether Pods get a sidecar follows from a label of their namespace and is asked as they are made, so that it shows at the next restart',
  },
  {
    id: 'called-server-edited',
    cause: changeOf([...longRunning, ...settingsKinds]),
    via: 'called-servers',
    effect: programs,
    strength: 'usual',
    within: 'minutes',
    atMost: 'likely',
    fields: whatServes,
    requires: { pods: 'older' },
    signs: refused,
    source:
      'a server that is edited may ask for more, know fewer calls, or show another certificate: clients that were served until then did not change',
  },
  {
    id: 'account-identity',
    cause: changeOf(['ServiceAccount']),
    via: 'home',
    effect: programs,
    strength: 'strong',
    within: 'next start',
    atMost: 'likely',
    fields: ['identity'],
    isSaid: true,
    signs: ['AccessForbidden', 'CredentialsRejected', 'CredentialsMissing'],
    source:
      'IAM roles for service accounts (EKS), workload identity (GKE, AKS): annotations of the account say as whom a cloud knows what is started as it',
  },
  {
    id: 'right-taken',
    cause: changeOf(accessKinds),
    via: 'home',
    effect: {
      kinds: [...programs.kinds, ...makers, 'ServiceAccount', 'CustomResource'],
      reasons: [...programs.reasons, ...unmade, 'ServiceAccountForbidden', 'CustomResourceFailing'],
    },
    strength: 'stated',
    within: 'next start',
    fields: ['rules', 'subjects', 'roleRef', 'deletion', 'labels'],
    requires: { tookAway: true },
    signs: ['AccessForbidden'],
    says: /is forbidden: User \\?"system:serviceaccount:/,
    source:
      'rbac.authorization.k8s.io/v1: the API server refuses what no binding of an account grants, and says whom it refuses what; the role or binding that granted it was edited or deleted',
  },
  {
    id: 'webhook-judges-otherwise',
    cause: changeOf([...longRunning, ...settingsKinds]),
    via: 'called-servers',
    effect: { kinds: ['CustomResource', ...makers], reasons: ['CustomResourceFailing', 'AdmissionDenied'] },
    strength: 'strong',
    atMost: 'likely',
    fields: whatJudges,
    says: /admission webhook "[^"]{1,253}" denied the request/,
    requires: { untouched: asking },
    source:
      'admission: "admission webhook <name> denied the request"; what was made before and is as it was may be refused since who answers was edited (ingress-nginx allow-snippet-annotations, policies that come with an engine)',
  },
  {
    id: 'namespace-hardened',
    cause: changeOf(['Namespace']),
    via: 'home',
    effect: { kinds: makers, reasons: ['PodSecurityRejects'] },
    strength: 'stated',
    within: 'next start',
    fields: ['labels'],
    labels: /^pod-security\.kubernetes\.io\/enforce=/,
    requires: { untouched: asking },
    source:
      'pod-security admission: what is enforced follows from a label of the namespace and is asked of Pods as they are made, so that it shows at the next drain or restart',
  },
];

import type { ChangeField } from '../../model/change-field.ts';
import { loggedReasons } from '../../model/logged-reasons.ts';
import { lacking, takenSeconds } from '../evidence/taken.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { programs } from './programs.ts';
import { refused } from './refused.ts';
import { any, changeOf, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';

/** What decides how a server answers, the most direct first; a mere restart does not. */
const whatServes: readonly ChangeField[] = [
  ...(['data', 'image', 'command', 'args', 'env', 'envFrom', 'volumeMounts', 'volumes'] as const),
  ...(['containers', 'template'] as const),
];

/** The causal rules of what was edited on the other side, by what those say who call it. */
export const calledEditRules: readonly Rule[] = [
  {
    id: 'config-map-lost-key',
    cause: changeOf(['ConfigMap']),
    via: 'uses',
    effect: any('Pod', loggedReasons),
    strength: 'strong',
    withinSeconds: takenSeconds,
    fields: ['data'],
    requires: ['tookAway'],
    signs: lacking,
    source:
      'managedFields: a key that nobody owns any more is gone; variables of envFrom and files of a volume bear the names of keys, and what was started anew since lacks them',
  },
  {
    id: 'server-edited',
    cause: changeOf([...longRunning, 'ConfigMap', 'Service']),
    via: 'called-servers',
    effect: any('Service', ['ServiceRefusing', 'ServiceUnreachable', 'ClientsFailing', 'ClusterDNSFailing']),
    strength: 'strong',
    withinSeconds: 600,
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
    withinSeconds: 900,
    atMost: 'likely',
    fields: ['replicas'],
    requires: ['hasGrown', 'hasNoneLeft'],
    source:
      'each replica of a client holds connections of its own (PostgreSQL max_connections, MySQL max_connections): one that grew just before took what others lack',
  },
  {
    id: 'called-policy',
    cause: changeOf(['NetworkPolicy']),
    via: 'said-policies',
    effect: programs,
    strength: 'usual',
    withinSeconds: 600,
    requires: ['shutOff'],
    signs: ['ConnectionTimedOut', 'ConnectionRefused', 'ConnectionReset', 'HostUnreachable'],
    source:
      'networking.k8s.io/v1 NetworkPolicy: Pods that a policy of direction Ingress selects are reached by whom policies let through and no others',
  },
  {
    id: 'server-policy',
    cause: changeOf(['NetworkPolicy']),
    via: 'said-policies',
    effect: any('Service', ['ClusterDNSFailing', 'ServiceUnreachable']),
    strength: 'strong',
    withinSeconds: 600,
    requires: ['shutOff'],
    source:
      'networking.k8s.io/v1 NetworkPolicy: a server whose Pods are well, cluster DNS among them, is asked in vain by several clients since a policy selects it',
  },
  {
    id: 'traffic-rule',
    cause: changeOf(['CustomResource']),
    via: 'traffic-rules',
    effect: programs,
    strength: 'strong',
    withinSeconds: 600,
    atMost: 'likely',
    requires: ['heldUntilThen'],
    signs: [...unanswered, ...refused, 'AccessForbidden'],
    source:
      'meshes and network plug-ins decide who may call whom, and how (Istio PeerAuthentication, AuthorizationPolicy, DestinationRule, CiliumNetworkPolicy): who was served until one was edited did not change',
  },
  {
    id: 'server-traffic-rule',
    cause: changeOf(['CustomResource']),
    via: 'traffic-rules',
    effect: any('Service', ['ServiceRefusing', 'ServiceUnreachable', 'ClientsFailing']),
    strength: 'strong',
    withinSeconds: 600,
    atMost: 'likely',
    source:
      'meshes and network plug-ins decide who may call whom, and how: a server turns several clients away, or fails them, since such a rule was edited',
  },
  {
    id: 'called-service-edited',
    cause: changeOf(['Service']),
    via: 'names',
    effect: programs,
    strength: 'strong',
    withinSeconds: 600,
    fields: ['servicePorts', 'selector', 'externalName'],
    requires: ['heldUntilThen'],
    signs: unanswered,
    source:
      'core/v1 ServiceSpec.ports, selector, externalName: where a Service leads follows from these; who served with it until then did not change',
  },
  {
    id: 'alias-edited',
    cause: changeOf(['Service']),
    via: 'aliases',
    effect: any('ExternalEndpoint', ['ExternalEndpointUnreachable', 'ExternalEndpointRefusing']),
    strength: 'strong',
    withinSeconds: 1800,
    fields: ['externalName'],
    source:
      'core/v1 ServiceSpec.externalName: clients of the Service ask for that host, and for another one since it was edited',
  },
  {
    id: 'called-alias-edited',
    cause: changeOf(['Service']),
    via: 'aliases',
    effect: programs,
    strength: 'strong',
    withinSeconds: 600,
    fields: ['externalName'],
    requires: ['heldUntilThen'],
    signs: unanswered,
    source:
      'core/v1 ServiceSpec.externalName: a client that was served until the Service was edited says that the new host fails it',
  },
  {
    id: 'namespace-shut-out',
    cause: changeOf(['Namespace']),
    via: 'own-namespace',
    effect: programs,
    strength: 'strong',
    withinSeconds: 600,
    atMost: 'likely',
    fields: ['labels'],
    requires: ['calledAreIsolated', 'heldUntilThen'],
    signs: ['ConnectionTimedOut', 'ConnectionRefused', 'ConnectionReset', 'HostUnreachable'],
    source:
      'networking.k8s.io/v1 NetworkPolicyPeer.namespaceSelector: whom a policy lets in follows from the labels of namespaces',
  },
  {
    id: 'namespace-injects',
    cause: changeOf(['Namespace']),
    via: 'own-namespace',
    effect: programs,
    strength: 'strong',
    withinSeconds: 24 * 3600,
    atMost: 'likely',
    fields: ['labels'],
    requires: ['injectsOtherwise', 'onlyMadeAnew'],
    signs: [...unanswered, ...refused],
    source:
      'istio-injection, istio.io/rev, linkerd.io/inject: whether Pods get a sidecar follows from a label of their namespace and is asked as they are made, so that it shows at the next restart',
  },
  {
    id: 'called-server-edited',
    cause: changeOf([...longRunning, 'ConfigMap']),
    via: 'called-servers',
    effect: programs,
    strength: 'usual',
    withinSeconds: 600,
    atMost: 'likely',
    fields: whatServes,
    requires: ['heldUntilThen'],
    signs: refused,
    source:
      'a server that is edited may ask for more, know fewer calls, or show another certificate: clients that were served until then did not change',
  },
  {
    id: 'director-edited',
    cause: changeOf(['Deployment', 'ConfigMap']),
    via: 'directors',
    effect: programs,
    strength: 'usual',
    withinSeconds: 600,
    workloads: 2,
    atMost: 'likely',
    fields: whatServes,
    requires: ['heldUntilThen'],
    signs: [...unanswered, ...refused],
    source:
      'proxies of a mesh (Istio, Linkerd, Consul, Dapr) do what their control plane sends: several workloads that fail with one beside them, and were served until it was edited, have that in common, whatever their programs say',
  },
  {
    id: 'account-identity',
    cause: changeOf(['ServiceAccount']),
    via: 'runs-as',
    effect: programs,
    strength: 'strong',
    withinSeconds: takenSeconds,
    atMost: 'likely',
    fields: ['identity'],
    requires: ['saysNotAllowed'],
    signs: ['AccessForbidden', 'CredentialsRejected', 'CredentialsMissing'],
    source:
      'IAM roles for service accounts (EKS), workload identity (GKE, AKS): annotations of the account say as whom a cloud knows what is started as it',
  },
];

import { loggedReasons } from '../../model/logged-reasons.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { programs } from './programs.ts';
import { refused } from './refused.ts';
import { any, named, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';

/** The causal rules of what programs say: whom they call, by the signs in their logs. */
export const calledRules: readonly Rule[] = [
  {
    id: 'external-endpoint',
    cause: any('ExternalEndpoint', ['ExternalEndpointUnreachable', 'ExternalEndpointRefusing']),
    via: 'names',
    effect: { ...programs, reasons: [...loggedReasons, 'FailedMount', 'ImagePullBackOff'] },
    strength: 'strong',
    workloads: 2,
    signs: [...unanswered, ...refused],
    source:
      'programs of two or more workloads, mounts or pulls name one address outside the cluster as why they fail; one alone may be wrong',
  },
  {
    id: 'dns-said',
    cause: any('Service', ['ClusterDNSFailing']),
    via: 'cluster-dns',
    effect: programs,
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    requires: ['saysUnresolved'],
    signs: ['NameNotResolved'],
    source:
      'resolv.conf of a Pod names the cluster DNS alone (dnsPolicy ClusterFirst): lookups from several namespaces and Nodes that are not answered have it in common',
  },
  {
    id: 'service-missing',
    cause: any('Service', ['ServiceMissing']),
    via: 'names',
    effect: programs,
    strength: 'strong',
    signs: unanswered,
    source: 'cluster DNS answers for the names of Services that are there (kubernetes/dns specification)',
  },
  {
    id: 'service-refusing',
    cause: any('Service', ['ServiceRefusing']),
    via: 'names',
    effect: programs,
    strength: 'strong',
    workloads: 2,
    signs: refused,
    source: 'several clients of one server are turned away for the same reason: what they have in common is the server',
  },
  {
    id: 'service-unreachable',
    cause: any('Service', ['ServiceUnreachable']),
    via: 'names',
    effect: programs,
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    signs: unanswered,
    source:
      'several clients of one Service cannot reach it though it has endpoints: what they have in common is the Service and the way to it',
  },
  {
    id: 'service-failing-others',
    cause: any('Service', ['ServiceRefusing', 'ServiceUnreachable']),
    via: 'shares',
    effect: programs,
    strength: 'weak',
    workloads: 2,
    atMost: 'likely',
    source:
      'who names the same Service in its template, fails at the same time and does not say why has that in common',
  },
  {
    id: 'refusing-workload',
    cause: named(longRunning),
    via: 'servers',
    effect: any('Service', ['ServiceRefusing', 'ClientsFailing']),
    strength: 'strong',
    requires: ['standsAlone'],
    source:
      'core/v1 Service: it only passes on; who has no connections left or rejects passwords is the server behind it',
  },
  {
    id: 'clients-failing',
    cause: { basis: 'finding', kinds: ['Service', 'ExternalEndpoint'], reasons: ['ClientsFailing'] },
    via: 'shares',
    effect: programs,
    strength: 'weak',
    workloads: 2,
    atMost: 'likely',
    source:
      'spectrum-based fault localization: what all that fail use, and few others do, is the likeliest to be why; their programs say nothing else',
  },
  {
    id: 'external-host',
    cause: named(['ExternalEndpoint']),
    via: 'names',
    effect: any('ExternalEndpoint', ['ClientsFailing']),
    strength: 'stated',
    atMost: 'likely',
    source:
      'one of those who name a host outside says at which port of it they fail, and others no more than that they do',
  },
  {
    id: 'called-service',
    cause: any('Service', ['ServiceNoEndpoints', 'ServiceSelectsNothing', 'ServicePortMismatch', 'ServicePortRefused']),
    via: 'names',
    effect: programs,
    strength: 'strong',
    requires: ['leadsToOthers'],
    signs: unanswered,
    source: 'a Service without endpoints refuses connections (kube-proxy rejects them) or drops them',
  },
  {
    id: 'account-forbidden',
    cause: any('ServiceAccount', ['ServiceAccountForbidden']),
    via: 'names',
    effect: programs,
    strength: 'strong',
    signs: ['AccessForbidden'],
    source: 'API server, RBAC: User "system:serviceaccount:<namespace>:<name>" cannot <verb> resource',
  },
];

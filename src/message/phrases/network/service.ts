import { kubectl, listOf } from '../../../model/command.ts';
import type { Finding } from '../../../model/finding.ts';
import { describeRef, isRef } from '../../../model/ref.ts';
import { describeFact, endpointsOf, labelsOfPods, type Next, podsBehind, podsBehindAs } from '../../parts/next.ts';
import { after, type Phrase, quoted, said } from '../../parts/phrase.ts';
import { count } from '../../parts/words.ts';

/** The endpoints that Kubernetes has found for the Service of a case. */
const endpoints: Next = ({ root, finding }) => endpointsOf(finding?.subject.ref ?? root);

/** What is behind the Service: Pods that serve are missing from its endpoints, others are what is wrong. */
const whatIsBehind: Next = (about) =>
  about.facts.selector === undefined || Number(about.facts.serving ?? 0) > 0 ? endpoints(about) : podsBehind(about);

/** The ports that the containers of its Pods open, by name. */
const portsOfPods = podsBehindAs(
  'jsonpath={range .items[*]}{.metadata.name}{"\\t"}{.spec.containers[*].ports}{"\\n"}{end}',
);

function nothingBehind({ facts: { pods, serving } }: Finding): string {
  if (typeof serving === 'number' && serving > 0)
    return `Nothing answers behind the Service, although ${serving === 1 ? 'a pod of it is' : `${serving} pods of it are`} ready.`;
  if (typeof pods !== 'number' || pods === 0) return 'Nothing answers behind the Service: it has no pods.';
  return `Nothing answers behind the Service: ${pods === 1 ? 'its one pod is not' : `none of its ${pods} pods is`} ready.`;
}

/** The same as a cause: `none of its 3 pods is ready`; nothing where that is not counted. */
function emptyBecause({ facts: { pods, serving } }: Pick<Finding, 'facts'>): string | undefined {
  if (typeof serving === 'number' && serving > 0)
    return `${serving === 1 ? 'a pod of it is' : `${serving} pods of it are`} ready but not in its endpoints`;
  if (typeof pods !== 'number') return undefined;
  if (pods === 0) return 'it has no pods';
  return pods === 1 ? 'its only pod is not ready' : `none of its ${pods} pods is ready`;
}

/** `1 of 4 endpoints`. */
function share({ ready, endpoints: all }: Finding['facts']): string {
  return ready === undefined || all === undefined ? 'a part of the endpoints' : `${ready} of ${all} endpoints`;
}

function selectsNothing({ facts: { selector, wants, has, before, by } }: Pick<Finding, 'facts'>): string {
  if (by !== undefined) return `The selector wants ${wants}; ${by} was edited, and its pods have ${has} now.`;
  if (wants !== undefined) return `The selector wants ${wants}; the pods have ${has}.`;
  const now = `The selector${selector === undefined ? '' : ` (${selector})`} matches no pod`;
  return before === undefined
    ? `${now}.`
    : `${now}; before it was edited it was ${before}, and these pods are still there.`;
}

function noSuchPort({ facts: { port, target, open } }: Pick<Finding, 'facts'>): string {
  const there = open === undefined ? 'its pods name no ports' : `there is ${open}`;
  const missing = /^\d+$/.test(String(target)) ? 'opens that port' : 'has a port of that name';
  return `${port === undefined ? 'A port' : `Port ${port}`} leads to ${target ?? 'a name'}, and no container of its pods ${missing}; ${there}.`;
}

/** A port that leads to one which the Pods do not have, by its name or, as clients say, by its number. */
const mismatch: Phrase = {
  says: noSuchPort,
  happens: ({ facts: { target } }) =>
    `leads to a port${target === undefined ? '' : ` (${target})`} that its pods do not have`,
  evidence: ({ finding }) => finding && noSuchPort(finding),
  well: 'leads to a port that its pods have',
  next: portsOfPods,
};

/** `Deployment shop/web asks for port 9000 of it, which it has not had since it was edited; there is 80.` */
function lostPort({ facts: { port, asks, workloads, open } }: Pick<Finding, 'facts'>): string {
  const more = Number(workloads ?? 1) - 1;
  const who = `${asks ?? 'A workload'}${more > 0 ? ` and ${count(more, 'more workload')} ask` : ' asks'}`;
  return `${who} for port ${port ?? 'of old'} of it, which it has not had since it was edited; there is ${open ?? 'none'}.`;
}

/** `Traffic from outside is routed to it, and Deployment shop/api behind it is scaled to 0.` */
function switchedOff({ facts: { workloads, parked } }: Finding): string {
  const behind = typeof parked === 'string' && isRef(parked) ? describeRef(parked) : 'what is';
  const more = Number(workloads ?? 1) - 1;
  const all = more > 0 ? `${behind} and ${count(more, 'more workload')} behind it are` : `${behind} behind it is`;
  return `Traffic from outside is routed to it, and ${all} scaled to 0.`;
}

const answers = 'has endpoints that are ready again';
const balancerSays = quoted('The load balancer controller');

/** Services, what is behind them, and load balancers. */
export const servicePhrases = {
  ServiceNoEndpoints: {
    says: nothingBehind,
    happens: () => 'has no ready endpoint',
    why: emptyBecause,
    evidence: ({ finding }) => finding && nothingBehind(finding),
    well: answers,
    next: whatIsBehind,
  },
  ScaledToZeroRouted: {
    says: switchedOff,
    happens: () => 'gets traffic from outside, but everything behind it is scaled to zero',
    evidence: ({ finding }) => finding && switchedOff(finding),
    well: 'has workloads that are not scaled to 0, or is not routed to any more',
    next: describeFact('parked'),
  },
  ServiceSelectsNothing: {
    says: selectsNothing,
    happens: () => 'selects no pods',
    why: ({ facts: { wants, has } }) => (wants === undefined ? undefined : `it wants ${wants}, the pods have ${has}`),
    evidence: ({ finding }) => finding && selectsNothing(finding),
    well: 'selects pods again',
    next: labelsOfPods,
  },
  ServicePortMismatch: mismatch,
  ServicePortGone: {
    says: lostPort,
    happens: ({ facts: { port } }) =>
      `no longer has ${port === undefined ? 'a port' : `port ${port}`}, which is still asked for`,
    evidence: ({ finding }) => finding && lostPort(finding),
    well: 'has what it is asked for again',
    next: ({ root }) => kubectl('get', root, '-o', 'jsonpath={.spec.ports}'),
  },
  ServicePortRefused: { ...mismatch, hits: 'cannot connect to it' },
  BackendsDegraded: {
    says: ({ facts }) => `Only ${share(facts)} of the Service are ready.`,
    happens: ({ facts }) => `has only ${share(facts)} ready`,
    well: 'has most of its endpoints ready again',
    next: podsBehind,
  },
  ClusterDNSDown: {
    says: (finding) => `Cluster DNS is down: no name is resolved in the cluster. ${nothingBehind(finding)}`,
    happens: () => ['Cluster DNS', 'is down'],
    why: emptyBecause,
    evidence: ({ finding }) => finding && nothingBehind(finding),
    hits: 'cannot resolve names',
    well: 'resolves names again',
    next: whatIsBehind,
  },
  ClusterDNSFailing: {
    says: ({ facts }) =>
      `Cluster DNS ${facts.missing === undefined ? 'does not answer' : 'has no Service any more, and does not answer'}, say the logs of ${facts.workloads === undefined ? 'several workloads' : count(Number(facts.workloads), 'workload')}.`,
    happens: ({ facts }) => [
      'Cluster DNS',
      facts.missing === undefined ? 'does not answer' : 'has no Service any more',
    ],
    hits: 'cannot resolve names',
    well: 'answers lookups again',
    next: whatIsBehind,
  },
  EndpointSliceSyncFailed: {
    says: (finding) => `The endpoints of the Service cannot be brought up to date${after(': ', finding)}.`,
    happens: (_, it) => [`The endpoints of ${it}`, 'cannot be updated'],
    why: said,
    evidence: quoted('The controller'),
    well: 'has endpoints that are up to date',
    next: endpoints,
  },
  LoadBalancerPending: {
    says: (finding) => {
      if (finding.facts.failing !== undefined) return `The load balancer cannot be set up${after(': ', finding)}.`;
      const nobody = finding.facts.provider === 'none' ? ', and nothing in this cluster hands any out' : '';
      return `The load balancer has no address${nobody}.`;
    },
    happens: ({ facts: { failing } }, it) => [
      `The load balancer of ${it}`,
      failing === undefined ? 'has no address' : 'cannot be set up',
    ],
    why: (about) =>
      said(about) ?? (about.facts.provider === 'none' ? 'nothing in this cluster hands any out' : undefined),
    evidence: balancerSays,
    well: 'has its load balancer',
  },
  LoadBalancerPortsError: {
    says: (finding) => {
      const { port } = finding.facts;
      const which = port === undefined ? 'The ports are' : `Port ${port} is`;
      return `${which} not open on the load balancer${after(': ', finding)}.`;
    },
    happens: ({ facts: { port } }, it) =>
      port === undefined
        ? [`Ports of ${it}`, 'are closed on its load balancer']
        : [`Port ${port} of ${it}`, 'is closed on its load balancer'],
    why: said,
    evidence: balancerSays,
    well: 'has all its ports open on the load balancer',
  },
  UnAvailableLoadBalancer: {
    says: () => 'The load balancer has no nodes to send traffic to.',
    happens: (_, it) => [`The load balancer of ${it}`, 'has no nodes to send traffic to'],
    evidence: balancerSays,
    well: 'has a load balancer with nodes again',
    next: () => kubectl('get', listOf('nodes'), '-L', 'node.kubernetes.io/exclude-from-external-load-balancers'),
  },
  ServiceCIDRNotReady: {
    says: (finding) =>
      `The range${finding.facts.range === undefined ? '' : ` ${finding.facts.range}`} gives no addresses to Services${after(': ', finding)}.`,
    happens: () => 'gives no addresses to Services',
    why: said,
    evidence: quoted('Its condition'),
    well: 'gives addresses to Services again',
    next: (about) => kubectl('get', about.root, '-o', 'yaml'),
  },
} as const satisfies Readonly<Record<string, Phrase>>;

import type { RawObject } from '../../src/model/raw-object.ts';
import {
  at,
  condition,
  ended,
  node,
  type PodParts,
  pod,
  stamp,
  status,
  type WorkloadParts,
  waiting,
  workload,
} from '../world/objects.ts';
import type { house } from './raw.ts';

/** A story of raw objects, with every explanation at its end in short (`inShort`). */
export type Story = {
  readonly what: string;
  readonly tell: (k8s: ReturnType<typeof house>) => void;
  readonly told: readonly string[];
};

/**
 * What proves a causal rule: a story that ends otherwise without the rule, and one where the rule must not apply, which
 * ends the same without it. Each rule has one, in `proofs/<id of the rule>.ts`, or several that say whose they are.
 */
export type Proof = { readonly rule?: string; readonly shows: Story; readonly not: Story };

/** When everything was made that is there at the beginning. */
export const long = at(-60);
type Namespaced = { readonly namespace?: string };

/** A Deployment with its first ReplicaSet, an hour old. `parts` are of both. */
export function app(name: string, parts: WorkloadParts = {}): RawObject[] {
  const made = { replicas: 2, createdAt: long, ...parts };
  return [workload('Deployment', name, made), replicaSet(name, 1, { createdAt: long, replicas: 2, ...parts })];
}

/** A revision of a Deployment. */
export function replicaSet(name: string, revision: number, parts: WorkloadParts = {}): RawObject {
  return workload('ReplicaSet', `${name}-r${revision}`, {
    image: `registry.example/shop/${name}:${revision}`,
    ...parts,
    owner: { kind: 'Deployment', name },
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
  });
}

type PodStory = PodParts & Namespaced & { readonly revision?: number };

/** A Pod `<name>-<which>` of an app, ready on n1 for an hour unless said otherwise. */
export function podOf(name: string, which: string, { revision = 1, ...parts }: PodStory = {}): RawObject {
  const startedAt = stamp((parts.createdAt ?? long) + 2000);
  const statuses = [status('api', { state: { running: { startedAt } } })];
  return pod(`${name}-${which}`, {
    ...{ owner: { kind: 'ReplicaSet', name: `${name}-r${revision}` }, createdAt: long, statuses },
    ...parts,
  });
}

/** Conditions of a Pod that has been unready since an instant. */
export const unready = (since: number) => [condition('Ready', 'False', since, 'ContainersNotReady')];

/** Conditions of a Pod that the scheduler has not placed since an instant. */
export const unplaced = (since: number, says = '0/2 nodes are available: 2 Insufficient cpu.') => ({
  ...{ node: undefined, phase: 'Pending', statuses: [], createdAt: since },
  conditions: [condition('PodScheduled', 'False', since, 'Unschedulable', says)],
});

/** A Pod whose container waits since an instant and has never run. */
export const stuck = (since: number, reason: string, says = '') => ({
  ...{ createdAt: since, phase: 'Pending', statuses: [waiting('api', reason, says)] },
  conditions: [condition('Initialized', 'True', since), condition('PodScheduled', 'True', since), ...unready(since)],
});

type Crash = {
  readonly restarts?: number;
  readonly exitCode?: number;
  readonly reason?: string;
  readonly unreadySince?: number;
};

/** A Pod, made at an instant, whose container crashed by another, for the fourth time unless said otherwise. */
export const crashing = (made: number, until: number, crash: Crash = {}) => {
  const { restarts = 4, exitCode = 1, reason = 'Error', unreadySince = until } = crash;
  const backOff = `back-off ${10 * 2 ** Math.max(0, restarts - 1)}s restarting failed container=api`;
  const lastState = ended(until - 2000, until, exitCode, reason);
  return {
    createdAt: made,
    conditions: unready(unreadySince),
    statuses: [waiting('api', 'CrashLoopBackOff', backOff, { restartCount: restarts, lastState })],
  };
};

/** A Deployment that has not been available since an instant. */
export const outage = (since: number) => ({
  status: { readyReplicas: 0, availableReplicas: 0 },
  conditions: [condition('Available', 'False', since, 'MinimumReplicasUnavailable')],
});

/** Two Nodes that are well, before anything happens. */
export const twoNodes = [node('n1', { since: long }), node('n2', { since: long })];
/** The node n1 of which nothing is heard since an instant. */
export const lostNode = (since: number) => node('n1', { ready: 'Unknown', since });
/** The node n1, ready, with a bad condition since an instant. */
export const ailing = (type: string, since: number) =>
  node('n1', { since: long, conditions: [condition(type, 'True', since, `KubeletHas${type}`)] });

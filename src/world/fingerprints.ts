import type { Projection } from './projection.ts';

/**
 * What objects show to those that are judged by them. A change that does not show in the face makes nobody else dirty: a
 * rollout of 1,000 Pods writes the counts of its owner 1,000 times, and no Pod is judged by these.
 */
export function fingerprintForDependents(view: Projection | undefined): string {
  if (!view) return '';
  switch (view.kind) {
    case 'Node': {
      const conditions = view.conditions.map(({ type, status, since }) => `${type}=${status}@${since}`);
      const taints = view.taints.map(({ key, effect }) => `${key}:${effect}`);
      return JSON.stringify([view.uid, view.unschedulable, taints, conditions, view.deletionAt]);
    }
    case 'Deployment': {
      const progressing = view.conditions.find(({ type }) => type === 'Progressing');
      const { uid, generation, observedGeneration } = view;
      return JSON.stringify([
        ...[uid, view.paused, view.replicas === 0, generation === observedGeneration, view.deletionAt],
        ...[progressing?.status, progressing?.reason, progressing?.since],
      ]);
    }
    case 'ReplicaSet':
      return JSON.stringify([view.uid, view.revision, view.createdAt, view.replicas === 0, view.deletionAt]);
    case 'StatefulSet':
      return JSON.stringify([view.uid, view.revision, view.currentRevision, view.updated < view.replicas]);
    case 'DaemonSet':
      return JSON.stringify([view.uid, view.generation === view.observedGeneration, view.updated < view.replicas]);
    case 'Job':
      return JSON.stringify([view.uid, view.suspended]);
    case 'Pod':
    case 'Namespace':
    case 'ConfigMap':
      return '';
  }
}

/** What of a Pod its owners are judged by: whether it is there, ready, failed or going, and where. */
export function fingerprintForOwners(pod: Projection | undefined): string {
  if (pod?.kind !== 'Pod') return '';
  const ready = pod.conditions.find(({ type }) => type === 'Ready');
  const ends = pod.phase === 'Failed' ? pod.containers.map(({ terminated }) => terminated) : [];
  return JSON.stringify([pod.uid, pod.node, pod.phase, pod.deletionAt, ready?.status, ready?.since, ends]);
}

/** Kinds that are judged by another kind: whom its coming into sight concerns. */
export const judgedBy: Readonly<Record<Projection['kind'], readonly Projection['kind'][]>> = {
  Node: ['Pod', 'DaemonSet'],
  Deployment: ['Pod'],
  ReplicaSet: ['Pod', 'Deployment'],
  StatefulSet: ['Pod'],
  DaemonSet: ['Pod'],
  Job: ['Pod'],
  Pod: ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'],
  Namespace: [],
  ConfigMap: [],
};

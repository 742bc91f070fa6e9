/** Deployment shop/payments and others like it, as raw objects. */
import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, ended, managed, node, type PodParts, pod, status, waiting, workload } from '../../world/objects.ts';

/** Long before Tocsin starts. */
export const long = at(-24 * 60);
export const nodes = ['n1', 'n2', 'n3'].map((name) => node(name, { since: long, createdAt: long }));

const image = (tag: string): string => `registry.example/payments:${tag}`;
const containers = (tag: string) => [{ name: 'app', image: image(tag) }];
const labelsOf = (app: string): Record<string, string> => ({ app, team: 'checkout' });

/** An edit of the image of a Deployment: its generation, and the minute at which somebody made it. */
export type Edit = { readonly generation: number; readonly minute: number };

/** A Deployment of five with so many of its Pods ready. */
export function deployment(name: string, tag: string, ready: number, edit?: Edit): RawObject {
  const path = { 'f:spec': { 'f:template': { 'f:spec': { 'f:containers': {} } } } };
  return workload('Deployment', name, {
    ...{ replicas: 5, createdAt: long, labels: labelsOf(name) },
    status: { readyReplicas: ready, availableReplicas: ready },
    template: { metadata: { labels: labelsOf(name) }, containers: containers(tag) },
    ...(edit && { generation: edit.generation, managedFields: [managed('kubectl-set', at(edit.minute), path)] }),
  });
}

/** One of its revisions. */
export function replicaSet(name: string, revision: number, tag: string, replicas: number, createdAt = long): RawObject {
  return workload('ReplicaSet', `${name}-${revision}`, {
    ...{ replicas, createdAt, labels: labelsOf(name), owner: { kind: 'Deployment', name } },
    template: { containers: containers(tag) },
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
  });
}

/** Pods of a revision that run and are ready, on each Node in turn; `names`: how their names end. */
export function pods(name: string, revision: number, tag: string, names: string, parts: PodParts = {}): RawObject[] {
  return [...names].map((end, index) =>
    pod(`${name}-${revision}-${end}`, {
      ...{ createdAt: long, labels: labelsOf(name), node: `n${1 + (index % 3)}` },
      owner: { kind: 'ReplicaSet', name: `${name}-${revision}` },
      containers: containers(tag),
      statuses: [status('app', { image: image(tag) })],
      ...parts,
    }),
  );
}

/** The same, crashing since an instant. */
export function crashing(
  name: string,
  revision: number,
  tag: string,
  names: string,
  since: number,
  parts: PodParts = {},
): RawObject[] {
  const says = 'back-off 1m20s restarting failed container=app';
  const crash = waiting('app', 'CrashLoopBackOff', says, {
    ...{ restartCount: 4, lastState: ended(since, since + 3_000), image: image(tag) },
  });
  return pods(name, revision, tag, names, { createdAt: since - 60_000, statuses: [crash], ...parts });
}

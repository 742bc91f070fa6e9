import { type PodScript, scriptAnnotation } from '../../../sandbox/kubelet/pod-script.ts';
import type { Manifest } from './hands.ts';

/** What Pods of cases differ in. Absent: one healthy container `app`. */
export type PodPart = {
  /** What the simulated kubelet does with it. */
  readonly script?: PodScript;
  /** Fields of the container `app`. */
  readonly container?: object;
  /** Fields of the Pod's spec. */
  readonly pod?: object;
  readonly labels?: Readonly<Record<string, string>>;
};

/** A Pod template. */
export function template(name: string, { script, container, pod, labels }: PodPart = {}): object {
  return {
    metadata: {
      labels: { app: name, ...labels },
      annotations: script ? { [scriptAnnotation]: JSON.stringify(script) } : {},
    },
    spec: { containers: [{ name: 'app', image: 'registry.example/app:1.0', ...container }], ...pod },
  };
}

/** A Pod that nobody owns. */
export function pod(name: string, part: PodPart = {}): Manifest {
  const { metadata, spec } = template(name, part) as { metadata: object; spec: object };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec };
}

/** A Deployment, StatefulSet or DaemonSet of `app` containers; `spec`: fields of its own spec. */
export function workload(
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet',
  name: string,
  { spec, ...part }: PodPart & { readonly spec?: object } = {},
): Manifest {
  const own = kind === 'StatefulSet' ? { serviceName: name } : {};
  const selector = { matchLabels: { app: name } };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: { selector, ...own, template: template(name, part), ...spec },
  };
}

/** A Job of one `app` container that is not started again in place. */
export function job(
  name: string,
  { spec, pod: podSpec, ...part }: PodPart & { readonly spec?: object } = {},
): Manifest {
  const pod = { restartPolicy: 'Never', ...podSpec };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: template(name, { ...part, pod }), ...spec },
  };
}

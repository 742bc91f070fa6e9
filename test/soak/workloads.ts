/** The objects of the soak. Pods of about the size real ones have, so that memory means something. */

/** The namespace they live in. */
export const namespace = 'load';
/** Deployments that only change and never break, and the Pods of each. */
export const steady = { count: 38, replicas: 26 } as const;
/**
 * Deployments that are broken one after another, and the Pods of each. So many that each has stayed healthy for more than 2 h 15 min
 * when its turn comes again: what keeps coming back sooner is not told each time.
 */
export const victims = { count: 84, replicas: 1 } as const;

const environment = Array.from({ length: 12 }, (_, index) => ({
  name: `SETTING_${index}`,
  value: `value of ${index}`,
}));
const probe = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10, timeoutSeconds: 2 };
const resources = { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '256Mi' } };

/** A Deployment of two containers. `script`: what the simulated kubelet plays. */
export function workload(name: string, replicas: number, tag: string, script?: object): object {
  const labels = { app: name, 'app.kubernetes.io/part-of': 'soak' };
  const container = (part: string, image: string) => ({
    name: part,
    image,
    env: environment,
    resources,
    readinessProbe: probe,
    livenessProbe: probe,
    ports: [{ containerPort: 8080 }],
    volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: {
          labels,
          annotations: script ? { 'sandbox.tocsin.dev/script': JSON.stringify(script) } : {},
        },
        spec: {
          terminationGracePeriodSeconds: 1,
          volumes: [{ name: 'scratch', emptyDir: {} }],
          containers: [
            container('app', `registry.example/${name}:${tag}`),
            container('sidecar', 'registry.example/proxy:1.0'),
          ],
        },
      },
    },
  };
}

/** The name of the steady Deployment, or of the victim, with this number. */
export const steadyName = (index: number): string => `web-${index % steady.count}`;
/** The same for victims. */
export const victimName = (index: number): string => `victim-${index % victims.count}`;

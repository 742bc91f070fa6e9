import { type PodScript, scriptAnnotation } from '../../sandbox/kubelet/pod-script.ts';
import type { Container, Pod } from '../../sandbox/shapes.ts';
import { eventually } from './environment.ts';
import { itemsOf, type Workbench } from './workbench.ts';

/** What differs between the Deployments of the contract. */
export type Wanted = {
  readonly name: string;
  readonly replicas?: number;
  readonly script?: PodScript;
  readonly container?: Partial<Container>;
  readonly spec?: object;
};

function deployment({ name, replicas = 1, script, container, spec }: Wanted): object {
  const annotations = script ? { [scriptAnnotation]: JSON.stringify(script) } : {};
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1', ...container }], ...spec },
      },
    },
  };
}

/** Creates a Deployment in a namespace of its own. */
export async function deploy(
  bench: Workbench,
  wanted: Wanted,
): Promise<{ readonly namespace: string; readonly path: string }> {
  const namespace = await bench.namespace();
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await bench.create(path, deployment(wanted));
  return { namespace, path: `${path}/${wanted.name}` };
}

/** The Pods of a namespace. */
export const podsIn = async (bench: Workbench, namespace: string): Promise<Pod[]> =>
  itemsOf<Pod>(await bench.get(`/api/v1/namespaces/${namespace}/pods`));

/** The first Pod of a namespace that is as asked. */
export const podWith = (bench: Workbench, namespace: string, what: string, is: (pod: Pod) => boolean): Promise<Pod> =>
  eventually(what, async () => (await podsIn(bench, namespace)).find(is));

/** Why the first container waits. */
export const waitingReason = (pod: Pod): string | undefined => pod.status.containerStatuses?.[0]?.state.waiting?.reason;

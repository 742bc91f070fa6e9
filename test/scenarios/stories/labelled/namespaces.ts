import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

const image = 'registry.acme.example/preview';
/** A namespace that does not go, since nobody takes a finalizer off, and a workload in it. */
function preview(cluster: ClusterBuilder) {
  cluster.pro();
  surroundings(cluster);
  const space = cluster.object({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'preview-7' } });
  cluster.object({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { ref: 'main' } },
    metadata: { name: 'checkout', namespace: 'preview-7', finalizers: ['previews.acme.example/cleanup'] },
  });
  return space;
}

/** Namespaces that are being deleted, and what fails meanwhile. */
export const stories: Readonly<Record<string, Scenario>> = {
  'crash-beside-a-namespace-that-goes': scenario(
    'A workload crashes while the namespace of another team is deleted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const space = preview(cluster);
      const api = cluster.deployment('shop/checkout', { replicas: 2, image: `${image}:1` });
      cluster.image(`${image}:2`, ends(['panic: runtime error: index out of range [3] with length 3']));
      cluster.at('5s', () => space.delete());
      cluster.at('8s', () => api.setImage(`${image}:2`));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/shop/checkout',
        reason: 'CrashLoopBackOff',
        mustNotBlame: ['Namespace//preview-7'],
      });
      cluster.expectIncident({
        root: 'Namespace//preview-7',
        reason: 'NamespaceStuckTerminating',
        beginsAfterSeconds: 5,
        firstMessageWithinSeconds: 600,
        messages: { resolve: 0 },
      });
    },
  ),
};

import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A Namespace does not go, because a finalizer in it waits for a controller that is gone',
  (cluster) => {
    const space = cluster.object({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'preview' } });
    cluster.object({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'tunnel', namespace: 'preview', finalizers: ['tunnels.example/release'] },
    });
    cluster.at('5s', () => space.delete());
    cluster.lasts('40s');
    cluster.expectIncident({
      root: 'Namespace//preview',
      reason: 'NamespaceStuckTerminating',
      severity: 'medium',
      messages: { open: 1, update: '≤1', resolve: 0 },
      beginsAfterSeconds: 5,
    });
  },
);

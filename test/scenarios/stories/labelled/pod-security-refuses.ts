import { scenario } from '../../kit/scenario.ts';

export const story = scenario('Pod Security refuses the Pods of a new workload', (cluster) => {
  cluster.object({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
  });
  const workload = { image: 'registry.example/agent:1.0', pod: { hostNetwork: true }, probe: false };
  cluster.at('5s', () => cluster.deployment('shop/agent', { ...workload, broken: true }));
  cluster.lasts('50s');
  cluster.expectIncident({
    root: 'Deployment/shop/agent',
    reason: 'PodSecurityRejects',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    firstMessageWithinSeconds: 60,
  });
});

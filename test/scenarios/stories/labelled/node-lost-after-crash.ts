import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A workload is down by a release that crashes; then its machine is lost: two incidents',
  (cluster) => {
    const nodeSelector = { 'kubernetes.io/hostname': 'n2' };
    cluster.deployment('shop/web', { replicas: 6, image: 'registry.example/web:7.0' });
    const cart = cluster.deployment('shop/cart', { replicas: 1, image: 'registry.example/cart:1', nodeSelector });
    cluster.image('registry.example/cart:2', {
      exit: { afterSeconds: 2, code: 1 },
      log: ['FATAL cannot parse CART_TTL'],
    });
    cluster.at('5s', () => cart.setImage('registry.example/cart:2'));
    cluster.at('90s', () => cluster.node('n2').losePower());
    cluster.lasts('4m');
    const messages = { open: 1, update: '≤1', resolve: 0 } as const;
    cluster.expectIncident({
      ...{ root: 'Deployment/shop/cart', reason: 'CrashLoopBackOff', severity: 'high', messages },
      mustNotBlame: ['Node//n2'],
    });
    cluster.expectIncident({ root: 'Node//n2', reason: 'NodeUnreachable', severity: 'medium', messages });
  },
);

import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'One workload alone cannot reach a registry: its image is to blame, not the registry',
  (cluster) => {
    const cart = cluster.deployment('shop/cart', { replicas: 2, image: 'registry.example/cart:1' });
    cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:7.0' });
    cluster.image('mirror.example/cart:2', { pullError: 'RegistryUnreachable' });
    cluster.at('5s', () => cart.setImage('mirror.example/cart:2'));
    cluster.lasts('2m10s');
    cluster.expectIncident({
      root: 'Deployment/shop/cart',
      reason: 'ImagePullBackOff',
      severity: 'medium',
      messages: { open: 1, update: '≤1', resolve: 0 },
      mustNotBlame: ['Registry//mirror.example'],
    });
  },
);

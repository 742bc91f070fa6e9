import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A registry cannot be reached while three workloads are being released', (cluster) => {
  const names = ['cart', 'search', 'users'];
  const deployments = names.map((name) =>
    cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.example/${name}:1` }),
  );
  for (const name of names) cluster.image(`registry.example/${name}:2`, { pullError: 'RegistryUnreachable' });
  cluster.at('5s', () => {
    for (const [index, deployment] of deployments.entries()) deployment.setImage(`registry.example/${names[index]}:2`);
  });
  cluster.at('2m', () => {
    for (const name of names) cluster.image(`registry.example/${name}:2`, {});
  });
  cluster.lasts('3m10s');
  cluster.expectIncident({
    root: 'Registry//registry.example',
    reason: 'RegistryUnreachable',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 1 },
    mustNotBlame: ['Deployment/shop/cart', 'Deployment/shop/search', 'Deployment/shop/users'],
  });
});

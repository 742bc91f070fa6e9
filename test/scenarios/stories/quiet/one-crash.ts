import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A release crashes once at its start, because its database is not up yet, and is well then',
  (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
    cluster.image('registry.example/api:1.1', { exit: { afterSeconds: 3, code: 1 }, exits: 1 });
    cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
    cluster.lasts('75s');
  },
);

import { scenario } from '../../kit/scenario.ts';

export const story = scenario('An application fails three times until its database is there', (cluster) => {
  cluster.image('registry.example/shop:1', { exits: 3, exit: { afterSeconds: 2, code: 1 }, log: ['no database yet'] });
  cluster.image('registry.example/db:16', { pullSeconds: 25, readyAfterSeconds: 5 });
  cluster.at('5s', () => {
    cluster.deployment('shop/shop', { replicas: 2, image: 'registry.example/shop:1' });
    cluster.service('shop/shop');
    cluster.statefulSet('shop/db', { image: 'registry.example/db:16' });
    cluster.service('shop/db');
  });
  cluster.lasts('2m');
});

import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A machine is cordoned, reboots within a minute, and is let in again', (cluster) => {
  cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.service('shop/api');
  cluster.at('5s', () => cluster.node('n2').cordon());
  cluster.at('8s', () => cluster.node('n2').reboot('20s'));
  cluster.at('50s', () => cluster.node('n2').uncordon());
  cluster.lasts('80s');
});

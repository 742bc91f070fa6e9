import { definition } from '../../../e2e/produced/definition.ts';
import { scenario } from '../../kit/scenario.ts';

export const story = scenario('An operator brings its definition, objects of it, and goes again', (cluster) => {
  cluster.pro();
  const kind = cluster.planned(definition('cache.example', 'Cache'));
  cluster.at('5s', () => kind.create());
  cluster.at('60s', () => kind.delete());
  cluster.at('15s', () =>
    cluster.object({
      ...{ apiVersion: 'cache.example/v1', kind: 'Cache', metadata: { name: 'sessions', namespace: 'shop' } },
      spec: { size: 3 },
    }),
  );
  cluster.lasts('80s');
});

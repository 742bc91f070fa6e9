import { account, accountsOf, binding, role, rulesOf } from '../../kit/access.ts';
import { field, image } from '../../kit/field.ts';
import type { Scenario } from '../../kit/scenario.ts';

/** Rights are edited, and nobody misses any. */
export const stories: Readonly<Record<string, Scenario>> = {
  'quiet-rights-are-tidied-up': field(
    'Roles lose rules that nobody uses, bindings lose accounts, one is deleted and one made anew of another role; all work on',
    (cluster) => {
      cluster.object(account('ops/tidier'));
      const shared = cluster.object(role('readers', 'get,list,watch pods,services', 'get,list nodes'));
      cluster.object(role('few-readers', 'get,list,watch pods'));
      const readers = cluster.object(binding('readers', 'ClusterRole/readers', 'ops/tidier', 'ops/old'));
      const own = cluster.object(binding('ops/tidier', 'ClusterRole/readers', 'ops/tidier'));
      const anew = cluster.planned(binding('ops/tidier-few', 'ClusterRole/few-readers', 'ops/tidier'));
      const tidier = cluster.deployment('ops/tidier', {
        ...{ replicas: 2, image: image('tidier:1'), pod: { serviceAccountName: 'tidier' } },
      });
      cluster.at('5s', () => shared.patch({ rules: rulesOf('get,list,watch pods,services') }));
      cluster.at('15s', () => readers.patch({ subjects: accountsOf('ops/tidier') }));
      cluster.at('25s', () => own.delete());
      cluster.at('26s', () => anew.create());
      cluster.at('40s', () => tidier.restart());
    },
  ),
};

import type { Delivery } from '../../../src/model/delivery.ts';
import type { Settings } from '../../../src/model/settings.ts';
import { watchedCluster } from '../../message/cluster.ts';
import { endpointSlice, ingress, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { crashing, deployment, long, nodes, pods, replicaSet } from './payments.ts';

/**
 * One incident from its beginning to its return: a release of shop/payments crashes, the last Pods of the old one go as well, the
 * release is undone, and made once more.
 */
export function releaseTold(settings: Partial<Settings>): readonly Delivery[] {
  const k8s = watchedCluster(settings);
  const old = pods('payments', 1, '2.3', 'abcde');
  k8s.put(long, ...nodes, deployment('payments', '2.3', 5), replicaSet('payments', 1, '2.3', 5), ...old);
  k8s.put(long, service('payments'), ingress('payments'), endpointSlice('payments', { ready: 5 }));
  k8s.start(at(0));
  k8s.logs('starting "payments" <2.4>', 'panic: no config ✗');

  k8s.put(at(10), deployment('payments', '2.4', 3, { generation: 2, minute: 10 }));
  k8s.put(at(10), replicaSet('payments', 1, '2.3', 3), replicaSet('payments', 2, '2.4', 2, at(10)));
  k8s.gone(at(10), ...old.slice(3));
  const broken = crashing('payments', 2, '2.4', 'fghij', at(11));
  k8s.put(at(11, 10), ...broken.slice(0, 2), endpointSlice('payments', { ready: 3, unready: 2 }));
  k8s.wait(at(14));

  k8s.put(at(16), deployment('payments', '2.4', 0, { generation: 3, minute: 10 }));
  k8s.put(at(16), replicaSet('payments', 1, '2.3', 0), replicaSet('payments', 2, '2.4', 5, at(10)));
  k8s.gone(at(16), ...old.slice(0, 3));
  k8s.put(at(16, 30), ...broken, endpointSlice('payments', { ready: 0, unready: 5 }));
  k8s.wait(at(20));

  k8s.put(at(22), deployment('payments', '2.3', 5, { generation: 4, minute: 22 }), replicaSet('payments', 1, '2.3', 5));
  k8s.put(at(22), replicaSet('payments', 2, '2.4', 0, at(10)), endpointSlice('payments', { ready: 5 }));
  const again = pods('payments', 1, '2.3', 'klmno', { createdAt: at(22) });
  k8s.put(at(22), ...again);
  k8s.gone(at(22), ...broken);
  k8s.wait(at(27));

  k8s.put(at(30), deployment('payments', '2.4', 3, { generation: 5, minute: 30 }));
  k8s.put(at(30), replicaSet('payments', 1, '2.3', 3), replicaSet('payments', 2, '2.4', 2, at(10)));
  k8s.gone(at(30), ...again.slice(3));
  k8s.put(at(31, 10), ...crashing('payments', 2, '2.4', 'pq', at(31)));
  k8s.put(at(31, 10), endpointSlice('payments', { ready: 3, unready: 2 }));
  k8s.wait(at(34));
  return k8s.deliveries();
}

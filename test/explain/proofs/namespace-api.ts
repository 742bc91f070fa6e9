import { apiService, namespace } from '../../world/control-objects.ts';
import { service } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof } from '../proof.ts';

const down = apiService('v1beta1.metrics.k8s.io', 'kube-system/metrics-server', [
  condition('Available', 'False', at(1), 'MissingEndpoints', 'no addresses'),
]);
const going = (api: string) =>
  namespace('old', {
    deletionAt: at(1),
    conditions: [
      condition(
        'NamespaceDeletionDiscoveryFailure',
        'True',
        at(1),
        'DiscoveryFailed',
        `Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ${api}: stale GroupVersion discovery: ${api}`,
      ),
    ],
  });

/** An API is down, and a Namespace does not go because of this one. */
const story =
  (api: string): Proof['shows']['tell'] =>
  (k8s) => {
    k8s.put(long, service('metrics-server', { namespace: 'kube-system', createdAt: long }), namespace('old'));
    k8s.wait(at(0));
    k8s.put(at(1), down, going(api));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'a Namespace does not go, since an API that is down cannot be asked for its objects',
    tell: story('metrics.k8s.io/v1beta1'),
    told: ['Service/kube-system/metrics-server APIServiceUnavailable 2'],
  },
  not: {
    what: 'it is another API that cannot be asked',
    tell: story('widgets.example.com/v1'),
    told: ['Namespace//old NamespaceStuckTerminating 1', 'Service/kube-system/metrics-server APIServiceUnavailable 1'],
  },
};

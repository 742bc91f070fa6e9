import { company, imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, reported } from '../../kit/reported.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';
import { webhook } from '../../kit/things.ts';

/** What the API server refuses, and on whose behalf. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/SREGym/SREGym/issues/887: the label is set, and nothing happens until Pods have to be made anew.
  'namespace-hardened-and-found-out-later': scenario(
    'Two namespaces get the label of the restricted standard; a minute later their Pods are evicted by a drain and not made again',
    (cluster) => {
      const firm = company(cluster);
      const places = ['shop/cart', 'loyalty/points'];
      for (const place of places) {
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
      }
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        for (const name of ['shop', 'loyalty'])
          cluster
            .planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
            .patch({ metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } });
      });
      cluster.at(after(60), () => cluster.node('n1').drain());
      cluster.at(after(120), () => cluster.node('n1').uncordon());
      cluster.at(after(125), () => cluster.node('n2').drain());
      cluster.at(after(185), () => cluster.node('n2').uncordon());
      cluster.lasts(after(660));
      cluster.expectIncident({
        root: 'Namespace//shop',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/shop/cart', 'Node//n1', 'Node//n2', 'Deployment/logistics/tracking'],
      });
      cluster.expectIncident({
        root: 'Namespace//loyalty',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/loyalty/points'],
      });
    },
  ),

  // https://github.com/kyverno/kyverno/issues/4686, https://github.com/kyverno/kyverno/issues/2869
  'policy-engine-upgrade-closes-the-door': scenario(
    'An upgrade of Kyverno crashes while its webhook fails closed; two teams that roll out get no Pods',
    (cluster) => {
      company(cluster);
      const repository = 'ghcr.io/kyverno/kyverno';
      const kyverno = cluster.deployment('kyverno/kyverno-admission-controller', {
        image: `${repository}:v1.10.7`,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'kyverno-svc', namespace: 'kyverno' } },
        spec: {
          selector: { app: 'kyverno-admission-controller' },
          ports: [{ name: 'https', port: 443, targetPort: 9443, protocol: 'TCP' }],
        },
      });
      const places = ['shop/promotions', 'stock/forecast'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.image(
        `${repository}:v1.12.0`,
        ends(
          [
            'I1122 09:04:11.118201       1 logging.go:39] setup "msg"="starting..." "version"="v1.12.0"',
            'E1122 09:04:13.530014       1 main.go:338] setup "msg"="sanity checks failed" "error"="failed to check CRD globalcontextentries.kyverno.io is installed: customresourcedefinitions.apiextensions.k8s.io \\"globalcontextentries.kyverno.io\\" not found"',
          ],
          1,
          2,
        ),
      );
      // Nobody asks for a Pod before the upgrade: the Pods of the stage serve no webhook.
      cluster.at('3s', () => {
        for (const namespace of ['shop', 'stock'])
          cluster.object(
            webhook(`${namespace}.kyverno.svc-fail`, { namespace: 'kyverno', name: 'kyverno-svc' }, { namespace }),
          );
      });
      cluster.at(after(0), () => kyverno.setImage(`${repository}:v1.12.0`));
      cluster.at(after(45), () => {
        for (const handle of handles) handle.restart();
      });
      cluster.lasts(after(600));
      cluster.expectIncident({
        root: 'Deployment/kyverno/kyverno-admission-controller',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/shop/promotions', 'Deployment/stock/forecast', 'Service/kyverno/kyverno-svc'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/89209, https://github.com/veryfront/veryfront-code/issues/168
  'quota-leaves-no-room-for-the-surge': reported(
    'A rollout needs one Pod more than the quota of its namespace allows, and stands still while the old Pods run',
    (cluster, firm) => {
      cluster.quota('render/compute', { 'requests.cpu': '3' });
      const first = { replicas: 4, image: imageAt('renderer', '1.44'), cpu: '600m' };
      const renderer = cluster.deployment('render/renderer', {
        ...first,
        spec: {
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
          progressDeadlineSeconds: 300,
        },
      });
      cluster.service('render/renderer');
      cluster.deployment('render/proxy', { replicas: 2, image: imageAt('proxy', '3.1'), cpu: '200m' });
      innocentRelease(cluster, after(-15), firm);
      cluster.at(after(0), () => renderer.setImage(imageAt('renderer', '1.45')));
      cluster.expectIncident({
        root: 'ResourceQuota/render/compute',
        accepts: ['Deployment/render/renderer'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/render/proxy', 'Deployment/logistics/tracking'],
      });
    },
  ),
};

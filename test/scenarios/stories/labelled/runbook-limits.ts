import { type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';
import { webhook } from '../../kit/things.ts';

/** What a namespace, a policy or the cluster itself does not let in. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/policy/resource-quotas/#object-count-quota
  'quota-of-pods-used-up-by-two': scenario(
    'Two workloads grow into the number of Pods that their namespace may have',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.quota('team-a/objects', { pods: '6' });
      const api = cluster.deployment('team-a/api', { replicas: 2, image: 'registry.acme.example/api:1' });
      const worker = cluster.deployment('team-a/worker', { replicas: 2, image: 'registry.acme.example/worker:1' });
      cluster.at('6s', () => api.scale(4));
      cluster.at('9s', () => {
        api.scale(6);
        worker.scale(4);
      });
      cluster.lasts('2m10s');
      cluster.expectIncident({
        root: 'ResourceQuota/team-a/objects',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/team-a/api', 'Deployment/team-a/worker'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/policy/resource-quotas/: with a quota on memory every container must say what it wants.
  'quota-asks-for-requests': scenario(
    'A quota is new, and two releases do not say how much memory they need',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const handles = ['api', 'worker'].map((name) =>
        cluster.deployment(`team-a/${name}`, { replicas: 2, image: `registry.acme.example/${name}:1` }),
      );
      cluster.at('5s', () => cluster.quota('team-a/compute', { 'requests.memory': '8Gi' }));
      cluster.at('12s', () => {
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m10s');
      cluster.expectIncident({
        root: 'ResourceQuota/team-a/compute',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/team-a/api', 'Deployment/team-a/worker'],
      });
    },
  ),

  // https://open-policy-agent.github.io/gatekeeper/website/docs/failing-closed/: the policy engine is scaled to nothing and fails closed.
  'policy-engine-scaled-to-nothing': scenario(
    'The policy engine is scaled to nothing; two rollouts get no Pods',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const engine = cluster.deployment('gatekeeper-system/gatekeeper', {
        image: 'registry.acme.example/gatekeeper:3.20',
      });
      cluster.service('gatekeeper-system/gatekeeper', {
        ports: [{ name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' }],
      });
      const handles = ['orders', 'search'].map((name) =>
        cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:1` }),
      );
      cluster.at('5s', () => engine.scale(0));
      cluster.at('8s', () =>
        cluster.object(
          webhook(
            'validation.gatekeeper.sh',
            { namespace: 'gatekeeper-system', name: 'gatekeeper' },
            { namespace: 'shop' },
          ),
        ),
      );
      cluster.at('12s', () => {
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/gatekeeper-system/gatekeeper',
        accepts: ['ValidatingWebhookConfiguration//validation.gatekeeper.sh', 'Service/gatekeeper-system/gatekeeper'],
        beginsAfterSeconds: 12,
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#priorityclass: named, and not there.
  'priority-class-missing': scenario('A chart names a priority class that this cluster does not have', (cluster) => {
    surroundings(cluster);
    const image = 'registry.acme.example/agent';
    const agent = cluster.deployment('ops/agent', { replicas: 2, image: `${image}:1` });
    cluster.at('8s', () => agent.change({ image: `${image}:2`, pod: { priorityClassName: 'platform-critical' } }));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'PriorityClass//platform-critical',
      accepts: ['Deployment/ops/agent'],
      messages: { resolve: 0 },
    });
  }),
};

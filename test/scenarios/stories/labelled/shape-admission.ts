import { company, innocentRelease } from '../../kit/company.ts';
import { after } from '../../kit/reported.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';

/** What the API server refuses. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/grafana/agent/issues/3373: agents need the machine, and the namespace forbids it.
  'agents-are-refused-on-the-next-machine': scenario(
    'The namespace of the agents gets the baseline standard; those that run stay, and the next machine and the next release get none',
    (cluster) => {
      const firm = company(cluster);
      const agents = cluster.daemonSet('probes/node-exporter', {
        image: 'quay.io/prometheus/node-exporter:v1.8.2',
        probe: false,
        pod: { hostNetwork: true, hostPID: true, volumes: [{ name: 'root', hostPath: { path: '/' } }] },
      });
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () =>
        cluster
          .planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'probes' } })
          .patch({ metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } }),
      );
      cluster.at(after(60), () => agents.setImage('quay.io/prometheus/node-exporter:v1.9.0'));
      cluster.lasts(after(600));
      cluster.expectIncident({
        root: 'Namespace//probes',
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 390,
        mustNotBlame: ['DaemonSet/probes/node-exporter', 'Deployment/logistics/tracking'],
      });
    },
  ),
};

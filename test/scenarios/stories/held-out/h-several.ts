import { port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Two faults at once that have nothing to do with each other. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kagent-dev/kagent/issues/1427, and https://github.com/kubernetes/kubernetes/issues/91600 on another machine.
  'selector-is-wrong-here-and-a-disk-is-full-there': reported(
    'The Service of the tools of an agent platform selects nobody since an upgrade; four minutes later the disk of a machine fills and other teams are evicted',
    (cluster) => {
      cluster.deployment('agents/kagent-tools', { image: 'ghcr.io/kagent-dev/kagent/tools:0.0.13' });
      const tools = cluster.service('agents/kagent-tools', { ...port(8084), clusterIP: '10.96.21.9' });
      const places = ['travel/fares', 'travel/seats'];
      for (const place of places)
        cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          nodeSelector: { 'kubernetes.io/hostname': 'n3' },
        });
      cluster.at(after(0), () => tools.patch({ spec: { selector: { app: 'kagent-tool-server' } } }));
      const innocents = clients(cluster, 15, {
        'agents/k8s-agent': {
          does: unready([
            'Failed to create MCP session: unhandled errors in a TaskGroup (1 sub-exception)',
            'httpx.ConnectError: All connection attempts failed: http://kagent-tools.agents.svc.cluster.local:8084/mcp [Errno 111] Connection refused',
          ]),
          values: { TOOL_SERVER: 'http://kagent-tools.agents.svc.cluster.local:8084/mcp' },
        },
        'agents/helm-agent': {
          does: ends([
            'httpx.ConnectError: All connection attempts failed: http://kagent-tools.agents.svc.cluster.local:8084/mcp [Errno 111] Connection refused',
          ]),
          values: { TOOL_SERVER: 'http://kagent-tools.agents.svc.cluster.local:8084/mcp' },
        },
      });
      const low =
        'The node was low on resource: ephemeral-storage. Threshold quantity: 4121825280, available: 3980112Ki. ';
      cluster.at(after(240), () => {
        cluster.node('n3').press('DiskPressure');
        cluster.node('n3').warn('EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage');
      });
      for (const seconds of [250, 275, 300]) cluster.at(after(seconds), () => cluster.node('n3').evict(low));
      cluster.at(after(540), () =>
        cluster
          .node('n3')
          .warn(
            'FreeDiskSpaceFailed',
            'Failed to garbage collect required amount of images. Attempted to free 6808736563 bytes, but only found 0 bytes eligible to free.',
          ),
      );
      cluster.expectIncident({
        root: 'Service/agents/kagent-tools',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/agents/kagent-tools', 'Node//n3'],
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/travel/fares', 'Deployment/travel/seats', 'Service/agents/kagent-tools'],
      });
    },
    { minutes: 25 },
  ),
};

import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/: somebody saves memory.
  'limit-lowered': scenario(
    'Somebody halves the memory limit of a workload, and it is killed while it starts',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const { wiki } = surroundings(cluster);
      const image = 'registry.acme.example/ledger:4';
      const ledger = cluster.deployment('billing/ledger', { replicas: 2, image, memory: '1Gi' });
      cluster.at('3s', () => wiki.scale(2));
      cluster.at('10s', () => {
        cluster.image(image, {
          ...{ exit: { afterSeconds: 5, code: 137, oom: true }, readyAfterSeconds: 'never' },
          log: ['Picked up JAVA_TOOL_OPTIONS: -Xms768m -Xmx768m', 'Starting LedgerApplication using Java 21'],
        });
        ledger.change({ memory: '512Mi' });
      });
      cluster.expectIncident({
        root: 'Deployment/billing/ledger',
        reason: 'OOMKilled',
        mustNotBlame: ['Deployment/office/wiki'],
      });
    },
  ),

  // https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib: the runtime gives up by itself, and Kubernetes only sees a code.
  'heap-of-the-runtime': scenario('A renderer runs out of the heap of its runtime, not of its limit', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'registry.acme.example/renderer:2';
    cluster.deployment('web/renderer', { replicas: 3, image, memory: '2Gi' });
    cluster.service('web/renderer');
    cluster.at('10s', () =>
      cluster.befall(
        image,
        ends(
          [
            '<--- Last few GCs --->',
            '[1:0x6f2c000]    81223 ms: Mark-Compact 2044.1 (2083.3) -> 2043.9 (2083.3) MB',
            'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
          ],
          134,
          8,
        ),
      ),
    );
    cluster.expectIncident({
      root: 'Deployment/web/renderer',
      mustNotBlame: ['Service/web/renderer', 'Deployment/web/storefront'],
    });
  }),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-signals
  'machine-without-memory': scenario('A machine runs short of memory and evicts what has no request', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    for (const name of ['orders', 'search', 'batch'])
      cluster.deployment(`shop/${name}`, { replicas: 3, image: `registry.acme.example/${name}:7` });
    const says =
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 71240Ki. Container batch was using 5120Mi, request is 0, has larger consumption of memory.';
    cluster.at('12s', () => cluster.node('n1').press('MemoryPressure'));
    for (const when of ['14s', '26s', '38s']) cluster.at(when, () => cluster.node('n1').evict(says));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Node//n1',
      beginsAfterSeconds: 12,
      reason: 'MemoryPressure',
      mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/shop/batch'],
    });
  }),
};

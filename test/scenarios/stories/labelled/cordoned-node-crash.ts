import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A workload crashes on a node that was cordoned: the cordon hides nothing', (cluster) => {
  const nodeSelector = { 'kubernetes.io/hostname': 'n2' };
  cluster.image('registry.example/ledger:1', {
    exit: { afterSeconds: 30, code: 1 },
    log: ['FATAL disk quota reached'],
  });
  cluster.deployment('shop/ledger', { replicas: 2, image: 'registry.example/ledger:1', nodeSelector });
  cluster.at('5s', () => {
    cluster.node('n2').cordon();
    cluster.image('registry.example/ledger:1', {
      exit: { afterSeconds: 2, code: 1 },
      log: ['FATAL disk quota reached'],
    });
  });
  cluster.lasts('2m30s');
  cluster.expectIncident({
    root: 'Deployment/shop/ledger',
    reason: 'CrashLoopBackOff',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    mustNotBlame: ['Node//n2'],
  });
});

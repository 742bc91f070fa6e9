import { type Scenario, scenario } from '../../kit/scenario.ts';

const zone = (name: string, of: string, more: object = {}) => ({
  name,
  labels: { 'topology.kubernetes.io/zone': of, ...more },
});
const zones = [
  zone('a1', 'eu-1a'),
  zone('a2', 'eu-1a'),
  zone('a3', 'eu-1a'),
  zone('b1', 'eu-1b'),
  zone('b2', 'eu-1b'),
  zone('b3', 'eu-1b'),
];
const image = (name: string): string => `registry.example/${name}:1.0`;
const cniDown =
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "c1f0": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory';

/** Machines, zones and groups of machines, and what only looks like them. */
export const stories: Readonly<Record<string, Scenario>> = {
  'zone-lost': scenario('A whole zone loses power', (cluster) => {
    cluster.nodes(zones);
    for (const name of ['api', 'web']) cluster.deployment(`shop/${name}`, { replicas: 4, image: image(name) });
    cluster.at('5s', () => {
      for (const name of ['a1', 'a2', 'a3']) cluster.node(name).losePower();
    });
    cluster.lasts('3m');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'Zone//eu-1a',
      reason: 'ZoneOrPoolFailing',
      severity: 'critical',
      messages: { resolve: 0 },
      mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web', 'Node//a1'],
    });
  }),
  'zone-lost-and-back': scenario('A zone loses power for two minutes and comes back', (cluster) => {
    cluster.nodes(zones);
    for (const name of ['api', 'web']) cluster.deployment(`shop/${name}`, { replicas: 4, image: image(name) });
    cluster.at('5s', () => {
      for (const name of ['a1', 'a2', 'a3']) cluster.node(name).losePower();
    });
    cluster.at('2m30s', () => {
      for (const name of ['a1', 'a2', 'a3']) cluster.node(name).comeBack();
    });
    cluster.lasts('5m');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({ root: 'Zone//eu-1a', reason: 'ZoneOrPoolFailing', messages: { resolve: 1 } });
  }),
  'node-pool-lost': scenario('All machines of a pool over three zones fall silent', (cluster) => {
    const pool = { 'karpenter.sh/nodepool': 'general' };
    cluster.nodes([
      ...['a', 'b', 'c'].map((letter) => zone(`g-${letter}`, `eu-1${letter}`, pool)),
      ...['a', 'b', 'c'].map((letter) => zone(`s-${letter}`, `eu-1${letter}`, { 'karpenter.sh/nodepool': 'system' })),
    ]);
    for (const name of ['api', 'web']) cluster.deployment(`shop/${name}`, { replicas: 4, image: image(name) });
    cluster.at('5s', () => {
      for (const letter of ['a', 'b', 'c']) cluster.node(`g-${letter}`).losePower();
    });
    cluster.lasts('3m');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'NodePool//general',
      reason: 'ZoneOrPoolFailing',
      messages: { resolve: 0 },
      mustNotBlame: ['Zone//eu-1a'],
    });
  }),
  'two-machines-two-zones': scenario('Two machines in two zones are lost; neither zone is', (cluster) => {
    cluster.nodes(zones);
    cluster.deployment('shop/api', { replicas: 6, image: image('api') });
    cluster.at('5s', () => {
      cluster.node('a1').losePower();
      cluster.node('b1').losePower();
    });
    cluster.lasts('3m');
    cluster.recordedFrom('sandbox');
    for (const root of ['Node//a1', 'Node//b1'] as const)
      cluster.expectIncident({
        root,
        reason: 'NodeUnreachable',
        messages: { resolve: 0 },
        mustNotBlame: ['Zone//eu-1a', 'Zone//eu-1b', 'Deployment/shop/api'],
      });
  }),
  'node-starts-nothing': scenario(
    'The network of one machine is broken: no new Pod of any workload starts on it',
    (cluster) => {
      const names = ['api', 'web', 'cart'];
      const workloads = names.map((name) => cluster.deployment(`shop/${name}`, { replicas: 3, image: image(name) }));
      cluster.at('4s', () => {
        for (const name of names)
          cluster.image(image(name), (pod) =>
            pod.spec.nodeName === 'n2' ? { heldUp: { reason: 'FailedCreatePodSandBox', message: cniDown } } : {},
          );
      });
      cluster.at('5s', () => {
        for (const workload of workloads) workload.scale(9);
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0 },
        mustNotBlame: names.map((name) => `Deployment/shop/${name}` as const),
      });
    },
  ),
  'network-agent-crashes': scenario(
    'The network agent crashes on every machine, and no new Pod gets a network',
    (cluster) => {
      const names = ['api', 'web'];
      const agent = cluster.daemonSet('kube-system/calico-node', {
        image: 'registry.example/calico:3.28',
        labels: { 'k8s-app': 'calico-node' },
      });
      const workloads = names.map((name) => cluster.deployment(`shop/${name}`, { replicas: 2, image: image(name) }));
      cluster.image('registry.example/calico:3.29', {
        exit: { afterSeconds: 1, code: 1 },
        log: ['[FATAL] Unable to read kernel capability: BPF filesystem is not mounted'],
      });
      cluster.at('5s', () =>
        agent.change({
          image: 'registry.example/calico:3.29',
          spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
        }),
      );
      cluster.at('8s', () => {
        for (const name of names)
          cluster.image(image(name), { heldUp: { reason: 'FailedCreatePodSandBox', message: cniDown } });
      });
      cluster.at('9s', () => {
        for (const workload of workloads) workload.scale(5);
      });
      cluster.lasts('2m10s');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-node',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
  'read-only-disk': scenario('The disk of a machine goes read-only, and two workloads crash on it alone', (cluster) => {
    const names = ['api', 'web'];
    for (const name of names) cluster.deployment(`shop/${name}`, { replicas: 3, image: image(name) });
    cluster.at('5s', () =>
      cluster
        .node('n2')
        .condition(
          'ReadonlyFilesystem',
          'True',
          'FilesystemIsReadOnly',
          'EXT4-fs (sda1): Remounting filesystem read-only',
        ),
    );
    cluster.at('8s', () => {
      for (const name of names)
        cluster.befall(image(name), (pod) =>
          pod.spec.nodeName === 'n2'
            ? { exit: { afterSeconds: 2, code: 1 }, log: ['open /var/cache/app/index: read-only file system'] }
            : {},
        );
    });
    cluster.lasts('1m50s');
    cluster.expectIncident({
      root: 'Node//n2',
      messages: { resolve: 0 },
      mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
    });
  }),
  'memory-pressure-evicts-three': scenario(
    'A machine runs short of memory and evicts Pods of three workloads',
    (cluster) => {
      for (const name of ['api', 'web', 'cart'])
        cluster.deployment(`shop/${name}`, { replicas: 3, image: image(name) });
      cluster.at('5s', () => cluster.node('n2').press('MemoryPressure'));
      for (const when of ['12s', '22s', '32s'])
        cluster.at(when, () =>
          cluster
            .node('n2')
            .evict('The node was low on resource: memory. Threshold quantity: 100Mi, available: 61Mi. '),
        );
      cluster.lasts('3m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Node//n2',
        reason: 'MemoryPressure',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web', 'Deployment/shop/cart'],
      });
    },
  ),
  'crash-on-the-machine-it-is-bound-to': scenario(
    'A workload that runs on one machine only crashes after its release; the machine is healthy',
    (cluster) => {
      cluster.nodes(['n1', { name: 'n2', labels: { disk: 'fast' } }, 'n3']);
      const db = cluster.deployment('shop/index', {
        replicas: 2,
        image: image('index'),
        nodeSelector: { disk: 'fast' },
      });
      cluster.deployment('shop/api', { replicas: 3, image: image('api') });
      cluster.image('registry.example/index:1.1', {
        exit: { afterSeconds: 2, code: 1 },
        log: ['ERROR unknown setting "shards"'],
      });
      cluster.at('5s', () => db.setImage('registry.example/index:1.1'));
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'Deployment/shop/index',
        reason: 'CrashLoopBackOff',
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n2'],
      });
    },
  ),
  'machine-lost-while-a-release-crashes': scenario(
    'A machine is lost while a release of a workload elsewhere crashes',
    (cluster) => {
      const api = cluster.deployment('shop/api', {
        replicas: 2,
        image: image('api'),
        nodeSelector: { 'kubernetes.io/hostname': 'n1' },
      });
      cluster.deployment('shop/web', {
        replicas: 2,
        image: image('web'),
        nodeSelector: { 'kubernetes.io/hostname': 'n2' },
      });
      cluster.image('registry.example/api:1.1', { exit: { afterSeconds: 1, code: 1 }, log: ['panic: nil map'] });
      cluster.at('5s', () => {
        cluster.node('n2').losePower();
        api.setImage('registry.example/api:1.1');
      });
      cluster.lasts('3m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Node//n2', reason: 'NodeUnreachable', messages: { resolve: 0 } });
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        reason: 'CrashLoopBackOff',
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n1', 'Node//n2'],
      });
    },
  ),
  'machine-drained-for-good': scenario(
    'The only machine of a kind is drained, and its workload fits nowhere else',
    (cluster) => {
      cluster.nodes(['n1', { name: 'n2', labels: { disk: 'fast' } }]);
      cluster.deployment('shop/index', { replicas: 2, image: image('index'), nodeSelector: { disk: 'fast' } });
      cluster.at('5s', () => cluster.node('n2').drain());
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'Node//n2', accepts: ['Deployment/shop/index'], messages: { resolve: 0 } });
    },
  ),
};

import { type Scenario, scenario } from '../../kit/scenario.ts';

const [first, second, third] = ['registry.example/api:1.0', 'registry.example/api:1.1', 'registry.example/api:1.2'];
const crash = {
  exit: { afterSeconds: 2, code: 1 },
  log: ['panic: runtime error: invalid memory address or nil pointer dereference'],
};

/** Faults before, after and within others; restarts of Tocsin in the middle; recoveries. */
export const stories: Readonly<Record<string, Scenario>> = {
  'crash-long-after-release': scenario(
    'A workload crashes half an hour after a release that was healthy',
    (cluster) => {
      const api = cluster.deployment('shop/api', { replicas: 2, image: first });
      cluster.at('5s', () => api.setImage(second));
      cluster.at('40m', () =>
        cluster.befall(second, {
          exit: { afterSeconds: 2, code: 1 },
          log: ['tls: failed to verify certificate: x509: certificate has expired or is not yet valid'],
        }),
      );
      cluster.lasts('44m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Deployment/shop/api', reason: 'CrashLoopBackOff', messages: { resolve: 0 } });
    },
  ),
  'second-release-mends-the-first': scenario('A release crashes, and the next one mends it', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image: first });
    cluster.image(second, crash);
    cluster.at('5s', () => api.setImage(second));
    cluster.at('90s', () => api.setImage(third));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'CrashLoopBackOff',
      messages: { update: 0, resolve: 1 },
    });
  }),
  'second-release-fails-in-another-way': scenario(
    'A release crashes, and the next one names an image that does not exist',
    (cluster) => {
      const api = cluster.deployment('shop/api', { replicas: 2, image: first });
      cluster.image(second, crash);
      cluster.image(third, { pullError: 'NotFound' });
      cluster.at('5s', () => api.setImage(second));
      cluster.at('90s', () => api.setImage(third));
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        reason: 'CrashLoopBackOff',
        messages: { update: '≤1', resolve: 0 },
      });
    },
  ),
  'taken-back-by-hand': scenario('A release that crashes is taken back by hand', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 3, image: first });
    cluster.image(second, crash);
    cluster.at('5s', () => api.setImage(second));
    cluster.at('80s', () => api.setImage(first));
    cluster.lasts('1m50s');
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'CrashLoopBackOff',
      messages: { update: 0, resolve: 1 },
    });
  }),
  'scaled-to-zero-while-it-crashes': scenario('Somebody scales a crashing workload to zero', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image: first });
    cluster.image(second, crash);
    cluster.at('5s', () => api.setImage(second));
    cluster.at('90s', () => api.scale(0));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'CrashLoopBackOff',
      messages: { update: 0, resolve: 1 },
    });
  }),
  'deleted-while-it-crashes': scenario('Somebody deletes a crashing workload', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image: first });
    cluster.image(second, crash);
    cluster.at('5s', () => api.setImage(second));
    cluster.at('90s', () => api.delete());
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'CrashLoopBackOff',
      messages: { update: 0, resolve: 1 },
    });
  }),
  'one-fault-inside-another': scenario(
    'A machine is lost, and the workload that moves from it cannot pull its image elsewhere',
    (cluster) => {
      cluster.deployment('shop/api', { replicas: 2, image: first, nodeSelector: { 'kubernetes.io/os': 'linux' } });
      cluster.at('4s', () => cluster.image(first, { pullError: 'NotFound' }));
      cluster.at('5s', () => cluster.node('n1').losePower());
      cluster.lasts('8m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Node//n1', messages: { resolve: 0 } });
      // The image is gone for every machine.
      cluster.expectIncident({ root: 'Deployment/shop/api', reason: 'ImageNotFound', messages: { resolve: 0 } });
    },
  ),
  'three-faults-in-three-teams': scenario('Three teams have three troubles of their own within a minute', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image: first });
    const index = cluster.statefulSet('search/index', { replicas: 2, image: 'registry.example/index:1' });
    cluster.deployment('office/mail', { replicas: 2, image: 'registry.example/mail:1' });
    cluster.image(second, crash);
    cluster.image('registry.example/index:2', { pullError: 'NotFound' });
    cluster.at('5s', () => api.setImage(second));
    cluster.at('20s', () => index.setImage('registry.example/index:2'));
    cluster.at('40s', () =>
      cluster.befall('registry.example/mail:1', { exit: { afterSeconds: 3, code: 137, oom: true } }),
    );
    cluster.lasts('2m30s');
    cluster.expectIncident({ root: 'Deployment/shop/api', reason: 'CrashLoopBackOff', messages: { resolve: 0 } });
    cluster.expectIncident({ root: 'StatefulSet/search/index', reason: 'ImageNotFound', messages: { resolve: 0 } });
    cluster.expectIncident({ root: 'Deployment/office/mail', reason: 'OOMKilled', messages: { resolve: 0 } });
  }),
  'release-inside-an-outage': scenario(
    'A Secret is missing, and a team that is hit by it releases again and again',
    (cluster) => {
      const secret = cluster.secret('shop/token', { token: 'guess' });
      const env = { TOKEN: 'secret/token/token' };
      const api = cluster.deployment('shop/api', { replicas: 2, image: first, env });
      const web = cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:1.0', env });
      cluster.at('5s', () => secret.delete());
      cluster.at('8s', () => {
        api.restart();
        web.restart();
      });
      cluster.at('60s', () => api.setImage(second));
      cluster.at('80s', () => api.setImage(third));
      cluster.lasts('2m10s');
      cluster.expectIncident({
        root: 'Secret/shop/token',
        reason: 'SecretMissing',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
      });
    },
  ),
  'restart-while-a-node-is-lost': scenario('Tocsin is restarted while a machine is lost', (cluster) => {
    for (const name of ['api', 'web'])
      cluster.deployment(`shop/${name}`, { replicas: 4, image: `registry.example/${name}:1.0` });
    cluster.at('5s', () => cluster.node('n2').losePower());
    cluster.at('50s', () => cluster.restartTocsin());
    cluster.lasts('4m');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'Node//n2',
      reason: 'NodeUnreachable',
      messages: { resolve: 0 },
      mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
    });
  }),
  'crash-that-heals-itself-late': scenario(
    'A workload crashes for two minutes and then stays up by itself',
    (cluster) => {
      cluster.deployment('shop/api', { replicas: 2, image: first });
      cluster.at('5s', () => cluster.befall(first, crash));
      cluster.at('2m', () => cluster.befall(first, {}));
      cluster.lasts('5m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        reason: 'CrashLoopBackOff',
        messages: { update: 0, resolve: 1 },
      });
    },
  ),
  'all-replicas-at-once-without-a-change': scenario(
    'All replicas of a workload end at the same moment though nobody changed anything',
    (cluster) => {
      cluster.deployment('shop/api', { replicas: 3, image: first });
      cluster.service('shop/api');
      cluster.at('5s', () =>
        cluster.befall(first, {
          exit: { afterSeconds: 1, code: 1 },
          log: ['FATAL licence of component "maps" has ended'],
        }),
      );
      cluster.lasts('1m40s');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        reason: 'CrashLoopBackOff',
        messages: { update: 0, resolve: 0 },
        mustNotBlame: ['Service/shop/api'],
      });
    },
  ),
};

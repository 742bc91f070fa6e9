import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A Secret is missing in one namespace while a release crashes in another', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
  const mail = cluster.deployment('office/mail', { replicas: 2, image: 'registry.example/mail:3.0' });
  cluster.image('registry.example/api:1.1', { exit: { afterSeconds: 2, code: 1 }, log: ['panic: no such table'] });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.at('10s', () =>
    mail.change({ image: 'registry.example/mail:3.0', env: { PASSWORD: 'secret/smtp/password' } }),
  );
  cluster.lasts('80s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'CrashLoopBackOff',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
  });
  cluster.expectIncident({
    root: 'Secret/office/smtp',
    reason: 'SecretMissing',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 0 },
    mustNotBlame: ['Deployment/office/mail'],
  });
});

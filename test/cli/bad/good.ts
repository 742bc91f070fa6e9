/** Manifests that use every field of their kind (of AlertProvider: of three types), from which the bad ones are made. */
import { manifest } from '../../api/case.ts';
import type { Manifest } from '../../api/cases.ts';

const secret = (key: string) => ({ secretKeyRef: { name: 'receiver', key } });
const selector = { names: ['api-*'], severities: ['high'] };
const everyField = {
  namespaces: ['shop', '!shop-test'],
  reasons: ['CrashLoopBackOff'],
  severities: ['high', 'medium'],
  kinds: ['Deployment'],
  names: ['api-*'],
  nodes: ['worker-1'],
  labels: { team: 'payments' },
};

/** By name. */
export const good: Readonly<Record<string, Manifest>> = {
  webhook: manifest('AlertProvider', {
    type: 'webhook',
    webhook: {
      url: secret('url'),
      headers: [{ name: 'X-Team', value: 'platform' }],
      basicAuth: { username: 'tocsin', password: secret('password') },
    },
    routes: [{ selector }],
    retry: { maxAttempts: 5, delay: '10s' },
    fallback: 'mail',
    suspend: false,
  }),
  slack: manifest('AlertProvider', { type: 'slack', slack: { token: secret('token'), channel: '#alerts' } }),
  email: manifest('AlertProvider', {
    type: 'email',
    email: {
      ...{ host: 'mail.acme.io', port: 587, from: 'tocsin@acme.io', to: 'oncall@acme.io' },
      ...{ username: 'tocsin', password: secret('password') },
    },
  }),
  silence: manifest('Silence', { selector: everyField, endsAt: '2099-12-01T20:00:00Z', comment: 'OPS-123' }),
  window: manifest('MaintenanceWindow', {
    ...{ selector, schedule: '0 2 * * 6', timeZone: 'Europe/Berlin', durationSeconds: 7200, comment: 'upgrades' },
  }),
  once: manifest('MaintenanceWindow', {
    ...{ selector, startsAt: '2099-12-01T18:00:00Z', endsAt: '2099-12-01T20:00:00Z' },
  }),
  config: manifest(
    'AlertConfig',
    {
      app: {
        ...{ clusterName: 'prod-eu', communityProvider: 'oncall', proxyURL: 'http://proxy.acme.io:3128' },
        startupMessage: 'Always',
      },
      filters: { namespaces: ['!sandbox-*'], reasons: ['!OOMKilled'] },
      detection: {
        overrides: [{ selector, severity: 'low', settleSeconds: 60 }],
        ...{ volumeUsagePercent: 90, certificateExpiryDays: 30 },
      },
      incidents: {
        ...{ cooldownSeconds: 600, holdSeconds: 120, kubernetesEvents: true },
        renotifySeconds: { critical: 3600, high: 7200, medium: 14_400, low: 86_400 },
      },
      digest: { intervalSeconds: 3600 },
      evidence: { logLines: 10, logs: true },
      messages: {
        runbooks: { OOMKilled: 'https://runbooks.acme.io/memory' },
        dashboardURL: 'https://grafana.acme.io/d/x?var-namespace={namespace}',
      },
      delivery: { timeoutSeconds: 5, allowedPrivateDestinations: ['10.0.0.0/8'] },
      statusEndpoint: { enabled: true, allowPlainHTTP: true },
      metricsEndpoint: { authentication: 'Token' },
      heartbeat: { url: secret('heartbeat'), intervalSeconds: 30 },
      auditLog: { enabled: true, path: '/var/lib/tocsin/audit.jsonl' },
      license: secret('license'),
    },
    'default',
  ),
};

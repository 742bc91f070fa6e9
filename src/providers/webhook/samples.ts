/** One message of each kind as the body of a webhook: what `tocsin lint` tries an expression on, and `tocsin send --dry-run` shows. */
import type { IncidentFace, Notification } from '../../model/notification.ts';
import { type WebhookEvent, writeEvent } from '../kit.ts';

const began = Date.parse('2026-11-20T12:11:00Z');
const minute = 60_000;

const incident: IncidentFace = {
  ...{ id: '5cec68311fbba211', alertKey: 'a1b2c3d4e5f60718', revision: 1, status: 'open' },
  ...{ reason: 'CrashLoopBackOff', root: 'Deployment/shop/payments', confidence: 'high' },
  cause: 'The image of Deployment shop/payments changed from 2.3 to 2.4 at 12:10 UTC (kubectl-set).',
  affected: { count: 2, sample: ['Pod/shop/payments-2-f', 'Pod/shop/payments-2-g'] },
  pods: [{ name: 'payments-2-f', namespace: 'shop', node: 'node-1', container: 'app' }],
  podCount: 2,
  labels: { app: 'payments', team: 'checkout' },
  owners: ['checkout'],
  ...{ startedAt: began, updatedAt: began },
};

const open: Notification = {
  ...{ act: 'open', severity: 'high', title: 'shop/payments crashes: image 2.3 → 2.4 · 3 of 5 serve' },
  lead: 'It began at 12:11 UTC, because its image changed at 12:10 UTC (kubectl-set).',
  evidence: ['Only pods of the new revision fail; pods of the old revision are healthy.'],
  impact: '2 of 5 replicas are down; the other 3 still serve.',
  inTitle: { impact: true },
  excerpt: { source: 'last log lines of container app in payments-2-f', lines: ['starting', 'panic: no config'] },
  facts: [{ name: 'Owner', value: 'checkout' }],
  links: [{ title: 'Runbook', url: 'https://runbooks.example/crash' }],
  ...{ cluster: 'prod-eu', at: began + minute, incident },
};

const { cause: _cause, owners: _owners, ...unexplained } = incident;
const over: IncidentFace = { ...incident, revision: 3, status: 'resolved', resolvedAt: began + 10 * minute };
const list: NonNullable<Notification['list']> = {
  entries: [
    {
      ...{ severity: 'low', reason: 'JobFailed', root: 'Job/shop/report', affected: 1 },
      says: 'Job shop/report failed.',
    },
  ],
  total: 1,
  bySeverity: { critical: 0, high: 0, medium: 0, low: 1 },
};
const plain: Notification = {
  ...{ act: 'digest', severity: 'low', title: '1 low-priority problem', lead: 'New and not urgent.' },
  ...{ evidence: [], facts: [], links: [], cluster: 'prod-eu', at: began, list },
};

/** What each is, in words → the notification. */
export const samples: Readonly<Record<string, Notification>> = {
  'an opening': open,
  'an update': {
    ...{
      ...open,
      act: 'update',
      severity: 'critical',
      title: 'Nothing serves any more — shop/payments crashes: image 2.3 → 2.4',
      impact: 'All 5 replicas are down: nothing is serving.',
    },
    ...{ incident: { ...incident, revision: 2, previousSeverity: 'high' }, at: began + 5 * minute },
  },
  'an end': {
    ...{ act: 'resolve', severity: 'high', title: 'shop/payments is running again: image back to 2.3 · lasted 10 min' },
    ...{ lead: 'It began at 12:11 UTC and ended at 12:21 UTC.', evidence: [], facts: [], links: [] },
    ...{ cluster: 'prod-eu', at: began + 10 * minute, incident: over },
  },
  'an incident without a cause': {
    ...open,
    title: 'Node node-1 is lost',
    lead: 'It began at 12:11 UTC. The cause is not known.',
    evidence: [],
    incident: {
      ...unexplained,
      reason: 'NodeNotReady',
      root: 'Node//node-1',
      confidence: 'unknown',
      labels: {},
      pods: [],
      podCount: 0,
    },
    links: [],
  },
  'a digest': plain,
  'the summary of a start': { ...plain, act: 'startup', title: '1 problem existed when Tocsin started: 1 low' },
  'a test': { ...plain, act: 'test', title: 'Test of Tocsin', lead: 'This is a test.' },
};

/** What each is, in words → the event. */
export function sampleEvents(): ReadonlyMap<string, WebhookEvent> {
  return new Map(
    Object.entries(samples).map(([name, told]) => {
      return [name, writeEvent(told, { delivery: { attemptKey: `sample of ${name}` } }).event];
    }),
  );
}

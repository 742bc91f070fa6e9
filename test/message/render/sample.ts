/** A notification for each act in which every field is filled: what the tests of renderers are made of. */

import type { Command } from '../../../src/model/command.ts';
import type { Act, IncidentFace, Notification } from '../../../src/model/notification.ts';

const begin = Date.parse('2026-11-20T09:00:00Z');
const minutes = (count: number): number => begin + count * 60_000;

const face: IncidentFace = {
  id: 'inc-9f3c1a52',
  alertKey: '4be1d0c9a7f35e21',
  revision: 1,
  status: 'open',
  reason: 'CrashLoopBackOff',
  root: 'Deployment/shop/payments',
  confidence: 'high',
  cause: 'The new image registry.example/payments:2.4 exits with code 1 at start.',
  affected: { count: 3, sample: ['Pod/shop/payments-7d9c-a', 'Pod/shop/payments-7d9c-b', 'Service/shop/payments'] },
  pods: [
    { name: 'payments-7d9c-a', namespace: 'shop', node: 'n1', container: 'app' },
    { name: 'payments-7d9c-b', namespace: 'shop' },
  ],
  podCount: 2,
  labels: { app: 'payments', team: 'checkout' },
  startedAt: begin,
  updatedAt: minutes(1),
};

const open: Notification = {
  act: 'open',
  severity: 'high',
  title: 'shop/payments crashes: image 2.3 → 2.4 · 3 of 5 serve',
  lead: 'It began at 09:00 UTC, because its image changed at 08:59 UTC (kubectl-set).',
  evidence: ['Container app exited with code 1 four times.', 'Pods of the previous revision are healthy.'],
  impact: '2 of 5 pods of Deployment shop/payments are not ready.',
  nextStep: { command: 'kubectl -n shop rollout history deployment/payments' as Command, changesCluster: false },
  excerpt: { source: 'last log of payments-7d9c-a/app', lines: ['starting "payments" <2.4>', 'panic: no config ✗'] },
  facts: [{ name: 'image', value: 'registry.example/payments:2.4' }],
  links: [{ title: 'Runbook', url: 'https://runbooks.example/crash?x=1&y=2' }],
  cluster: 'prod eu',
  at: minutes(1),
  incident: face,
};

/** A message about no incident. */
const bare: Notification = {
  act: 'test',
  severity: 'low',
  title: 'Test of Tocsin',
  lead: 'This is a test.',
  evidence: [],
  facts: [],
  links: [],
  cluster: 'prod eu',
  at: minutes(30),
};
const entry = { severity: 'low', reason: 'PodNotReady', root: 'Pod/shop/a', says: 'Not ready.', affected: 1 } as const;
const plain: Notification = {
  ...bare,
  act: 'digest',
  title: '2 low-priority problems',
  lead: 'Nothing here needs you now.',
  list: {
    entries: [entry, { ...entry, root: 'Node//n1' }],
    total: 2,
    bySeverity: { critical: 0, high: 0, medium: 0, low: 2 },
  },
};

/** Act → a notification. */
export const notifications: Readonly<Record<Act, Notification>> = {
  open,
  update: {
    ...open,
    act: 'update',
    severity: 'critical',
    title: 'Nothing serves any more — shop/payments crashes: image 2.3 → 2.4',
    incident: { ...face, revision: 2, previousSeverity: 'high', updatedAt: minutes(6) },
    at: minutes(6),
  },
  resolve: {
    ...open,
    act: 'resolve',
    title: 'shop/payments is running again: image back to 2.3 · lasted 12 min',
    lead: 'It began at 09:00 UTC and ended at 09:12 UTC.',
    incident: { ...face, revision: 3, status: 'resolved', updatedAt: minutes(12), resolvedAt: minutes(12) },
    at: minutes(12),
  },
  reopen: {
    ...open,
    act: 'reopen',
    title: `Again — ${open.title}`,
    incident: { ...face, revision: 4, updatedAt: minutes(20) },
    at: minutes(20),
  },
  digest: plain,
  startup: { ...plain, act: 'startup', severity: 'medium', title: 'Started: 2 problems are there already' },
  overview: { ...plain, act: 'overview', severity: 'high', title: '24 incidents in a minute' },
  test: bare,
};

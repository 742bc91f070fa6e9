import assert from 'node:assert/strict';
import { test } from 'node:test';
import { narrate } from '../../src/message/narrate.ts';
import { fateInWords } from '../../src/message/sentences/why.ts';
import type { IncidentAnnouncement } from '../../src/model/announcement.ts';
import type { ClusterHit } from '../../src/model/hub.ts';
import type { Incident, Told } from '../../src/model/incident.ts';
import type { PullCauseName } from '../../src/model/pull-cause.ts';
import { defaultSettings } from '../../src/model/settings.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const hit = (name: string, more: Partial<ClusterHit> = {}): ClusterHit => ({
  ...{ cluster: `id-${name}`, name, reason: 'RegistryUnreachable', severity: 'high', since: now, affected: 2 },
  ...more,
});
const names = (count: number): ClusterHit[] => Array.from({ length: count }, (_, index) => hit(`prod-${index + 1}`));

function incidentOf(clusters: readonly ClusterHit[], pullCause: PullCauseName = 'network'): Incident {
  const root = { ref: 'Registry//registry.example.com', labels: {} } as const;
  const finding = { subject: root, scope: 'clusters', reason: 'RegistryUnreachable', since: now - 60_000 } as const;
  return {
    ...{ id: 'i', alertKey: 'k', state: 'Open', startedAt: now - 60_000, openedAt: now, revision: 1, recoveries: [] },
    ...{ standings: {}, hearings: {} },
    explanation: {
      ...{ root, reason: 'RegistryUnreachable', severity: 'high', confidence: 'high', affected: [], workloads: [] },
      members: [{ ...finding, severity: 'high', conclusive: true, facts: { pullCause }, names: [] }],
      ...{ clusters, proof: [], trace: [] },
    },
  };
}

const say = (incident: Incident, more: Partial<IncidentAnnouncement> = {}) =>
  narrate(
    { act: 'open', incident, reasonCode: 'Settled', audience: '', providers: [], ...more },
    { settings: defaultSettings, now, version: '1' },
  );

test('a title says how many clusters are hit, of one its name, and gives up the cause for that', () => {
  assert.equal(say(incidentOf(names(1))).title, 'Registry registry.example.com cannot be reached · hits prod-1');
  assert.equal(say(incidentOf(names(50))).title, 'Registry registry.example.com cannot be reached · hits 50 clusters');
  const long = say(incidentOf(names(50), 'dns')).title;
  assert.ok(long.endsWith('· hits 50 clusters') && long.length <= 100, long);
});

test('the message names ten of them, the worst first', () => {
  const clusters = [...names(12), hit('stage', { severity: 'critical', affected: 1 }), hit('big', { affected: 40 })];
  assert.equal(
    say(incidentOf(clusters)).impact,
    '14 clusters report it: stage (1 object hit), big (40 objects hit), prod-1 (2 objects hit), prod-2 (2 objects hit), prod-3 (2 objects hit), prod-4 (2 objects hit), prod-5 (2 objects hit), prod-6 (2 objects hit), prod-7 (2 objects hit), prod-8 (2 objects hit) and 4 more.',
  );
  assert.equal(say(incidentOf(names(1))).impact, '1 cluster reports it: prod-1 (2 objects hit).');
});

test('an update about more of them says how many there were', () => {
  const before: Told = {
    ...{
      severity: 'high',
      reason: 'RegistryUnreachable',
      root: 'Registry//registry.example.com',
      affected: 0,
      at: now,
    },
    clusters: ['id-prod-1'],
  };
  const { title, lead } = say(incidentOf(names(3)), { act: 'update', reasonCode: 'ClustersJoined', before });
  assert.match(title, /^More clusters — registry registry\.example\.com/i);
  assert.match(lead, /^3 clusters are hit \(1 before\)\./);
});

test('what the hub told and confirms no more says so, and `why` says by whom it is told', () => {
  const { note } = say(incidentOf([]), {
    reasonCode: 'HubEnded',
    notes: [{ is: 'mutedUntil', at: now - 60_000, by: 'Hub//central' }],
  });
  assert.equal(note, 'Until 11:59 UTC the hub central told this; it does not confirm that any more.');
  assert.equal(
    fateInWords({ disposition: 'ToldByHub', by: 'Hub//central' }, now),
    'The hub central has told it for all clusters that it hits. If the hub does not confirm that for a minute, it is told from here.',
  );
});

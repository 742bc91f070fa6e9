import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../src/model/explanation.ts';
import type { MemberReport, OutsideCause } from '../../src/model/hub.ts';
import type { Incident } from '../../src/model/incident.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { Fleet } from '../../src/turn/fleet.ts';
import { outsideCauses, verdictsOn, wordAfterRestart } from '../../src/turn/outside.ts';
import { provider } from '../delivery/stage.ts';

const now = Date.UTC(2026, 0, 1);
const cause = (more: Partial<OutsideCause> = {}): OutsideCause => ({
  ...{ id: 'i1', root: 'Registry//ghcr.io', reason: 'RegistryUnreachable', severity: 'high' },
  ...{ since: now - 60_000, affected: 2 },
  ...more,
});
const report = (name: string, ...causes: readonly OutsideCause[]): MemberReport => ({
  ...{ cluster: `id-${name}`, name, causes, until: now + 600_000 },
});
const fleetOf = (...reports: readonly MemberReport[]): Fleet => {
  const fleet = new Fleet();
  for (const each of reports) fleet.take(each);
  return fleet;
};
const join = (fleet: Fleet, own: readonly Explanation[] = [], at = now): readonly Explanation[] =>
  fleet.join(own, [], at);
const brief = ({ root, reason, severity, clusters = [] }: Explanation): string =>
  `${root.ref} ${reason} ${severity} ${clusters.map(({ name }) => name).join(',')}`;

test('without reports what is explained is handed on as it is', () => {
  const own: readonly Explanation[] = [];
  assert.equal(join(new Fleet(), own), own);
});

test('reports about one root are one explanation: as bad as the worst, since the first, with each cluster by name', () => {
  const fleet = fleetOf(
    report('b', cause({ severity: 'critical', since: now - 90_000 })),
    report(
      'a',
      cause(),
      cause({ id: 'i2', root: 'ExternalEndpoint//api.example.com', reason: 'ExternalEndpointRefusing' }),
    ),
  );
  const all = join(fleet);
  assert.deepEqual(all.map(brief), [
    'Registry//ghcr.io RegistryUnreachable critical a,b',
    'ExternalEndpoint//api.example.com ExternalEndpointRefusing high a',
  ]);
  assert.equal(all[0]?.members[0]?.since, now - 90_000);
  assert.equal(all[0]?.awaits, now + 4_000);
});

test('what is the same stays the same object, and what a cluster takes back is gone', () => {
  const fleet = fleetOf(report('a', cause()), report('b', cause()));
  const [first] = join(fleet);
  fleet.take(report('a', cause()));
  assert.equal(join(fleet, [], now + 1_000)[0], first);
  fleet.take(report('a', cause({ isClear: true })));
  assert.deepEqual(join(fleet, [], now + 2_000).map(brief), ['Registry//ghcr.io RegistryUnreachable high b']);
  fleet.take(report('b'));
  assert.deepEqual(join(fleet, [], now + 3_000), []);
});

test('a report that nobody repeats ends, and when that is is known', () => {
  const fleet = fleetOf(report('a', cause()));
  assert.equal(fleet.wakeAt(), now + 600_000);
  assert.equal(join(fleet, [], now + 599_999).length, 1);
  assert.equal(join(fleet, [], now + 600_000).length, 0);
  assert.equal(fleet.wakeAt(), Number.POSITIVE_INFINITY);
});

test('the reason is that of the worst, and stays while some cluster has it', () => {
  const fleet = fleetOf(report('a', cause()));
  assert.match(brief(join(fleet)[0] as Explanation), /RegistryUnreachable/);
  fleet.take(report('b', cause({ reason: 'RegistryDenied', severity: 'critical' })));
  assert.match(brief(join(fleet)[0] as Explanation), /RegistryUnreachable critical/);
  fleet.take(report('a'));
  assert.match(brief(join(fleet)[0] as Explanation), /RegistryDenied critical/);
});

test('what has not settled in a cluster counts once three have it, and must have lasted then', () => {
  const unsettled = cause({ isUnsettled: true, since: now - 10_000 });
  const fleet = fleetOf(report('a', unsettled), report('b', unsettled));
  assert.deepEqual(join(fleet), []);
  fleet.take(report('c', unsettled));
  const [three] = join(fleet);
  assert.equal(three?.clusters?.length, 3);
  assert.equal(three?.awaits, now + 30_000);
  const sure = fleetOf(report('a', unsettled), report('b', cause()));
  assert.equal(join(sure)[0]?.awaits, now + 4_000);
});

test('what this cluster sees of the same joins them, and keeps what is known of it here', () => {
  const subject = { ref: 'Registry//ghcr.io', labels: {} } as const;
  const own: Explanation = {
    ...{ root: subject, reason: 'RegistryUnreachable', severity: 'medium', confidence: 'high' },
    members: [
      ...[{ subject, reason: 'RegistryUnreachable', since: now, severity: 'medium', conclusive: false } as const].map(
        (one) => ({ ...one, facts: { workloads: 3 }, names: [] }),
      ),
    ],
    ...{ affected: [], workloads: ['Deployment/shop/api'], proof: [], trace: [] },
  };
  const fleet = fleetOf(report('a', cause()));
  const [joined, ...others] = join(fleet, [own]);
  assert.deepEqual(others, []);
  assert.equal(brief(joined as Explanation), 'Registry//ghcr.io RegistryUnreachable high a');
  assert.deepEqual([joined?.workloads, joined?.members.length], [['Deployment/shop/api'], 2]);
  assert.equal(join(fleet, [own])[0], joined);
  // What has not lasted elsewhere is not surer for being here as well.
  assert.equal(joined?.awaits, now + 4_000);
  assert.equal(join(fleet, [{ ...own, awaits: now + 9_000 }])[0]?.awaits, now + 9_000);
});

const oncall = provider('oncall');
const settings = { ...defaultSettings, providers: [oncall] };
const open: Incident = {
  ...{ id: 'x', alertKey: 'x', state: 'Open', startedAt: now, revision: 1, recoveries: [] },
  standings: { '': { disposition: 'Delivered', at: now } },
  takenBy: [oncall.uid],
  explanation: join(fleetOf(report('a', cause())))[0] as Explanation,
  hearings: {
    [oncall.uid]: {
      knows: 'open',
      told: { severity: 'high', reason: 'RegistryUnreachable', root: 'Registry//ghcr.io', affected: 0, at: now },
    },
  },
};
const verdict = (incident: Incident | undefined, one = cause(), with_ = settings) =>
  verdictsOn(report('a', one), incident ? [incident] : [], with_).i1;

test('told is what is certainly known, as bad as it is, by each who gets it', () => {
  assert.equal(verdict(open), 'told');
  assert.equal(verdict(open, cause({ severity: 'medium' })), 'told');
  assert.equal(verdict(open, cause({ severity: 'critical' })), 'pending');
  assert.equal(verdict(undefined), 'pending');
  assert.equal(verdict({ ...open, state: 'Settling' }), 'pending');
  assert.equal(verdict({ ...open, state: 'Recovering' }), 'told');
  for (const knows of ['nothing', 'perhapsOpen', 'perhapsOver', 'over'] as const)
    assert.equal(
      verdict({ ...open, hearings: { [oncall.uid]: { ...open.hearings[oncall.uid], knows } } }),
      'pending',
      knows,
    );
  assert.equal(verdict({ ...open, hearings: {} }), 'pending');
});

test('what nobody gets by itself is declined', () => {
  for (const disposition of ['Silenced', 'Filtered', 'Maintenance', 'Digested', 'Baseline', 'ToldByHub'] as const)
    assert.equal(verdict({ ...open, standings: { '': { disposition, at: now } } }), 'declined', disposition);
  assert.equal(verdict({ ...open, takenBy: [] }), 'declined');
  assert.equal(verdict(open, cause(), { ...settings, providers: [] }), 'declined');
  // Whoever is told of one namespace of the hub is not who must have heard.
  const tenant = provider('team', { namespace: 'shop' });
  assert.equal(verdict(open, cause(), { ...settings, providers: [oncall, tenant] }), 'told');
});

test('what a cluster reports is what its people are told, or would be', () => {
  const reported = (incident: Incident, wouldBeTold = true): string[] =>
    outsideCauses([incident], () => wouldBeTold).map(
      ({ id, isClear, isUnsettled }) => `${id}${isClear ? ' clear' : ''}${isUnsettled ? ' unsettled' : ''}`,
    );
  assert.deepEqual(reported(open), ['x']);
  assert.deepEqual(reported({ ...open, state: 'Recovering' }), ['x clear']);
  assert.deepEqual(reported({ ...open, state: 'Resolved' }), []);
  assert.deepEqual(reported({ ...open, state: 'Resolved', askedAt: now }), ['x']);
  assert.deepEqual(reported({ ...open, state: 'Settling' }), ['x unsettled']);
  assert.deepEqual(reported({ ...open, state: 'Settling', askedAt: now }), ['x']);
  assert.deepEqual(reported({ ...open, state: 'Settling' }, false), []);
  assert.deepEqual(reported({ ...open, foldedInto: 'y' }), []);
  const standing = (disposition: 'Silenced' | 'Baseline' | 'ToldByHub', by?: string): Incident => ({
    ...open,
    standings: { '': { disposition, at: now, ...(by !== undefined && { by }) } },
  });
  assert.deepEqual(reported(standing('ToldByHub', 'Hub//central')), ['x']);
  assert.deepEqual(reported(standing('Silenced', 'Silence/tocsin/quiet')), []);
  assert.deepEqual(reported(standing('Baseline')), ['x']);
  assert.deepEqual(reported(standing('Baseline', 'Silence/tocsin/quiet')), []);
  const within = { ...open, explanation: { ...open.explanation, root: { ref: 'Node//n1', labels: {} } } } as const;
  assert.deepEqual(reported(within), []);
});

test('after a restart the hub has ten seconds to confirm what it had told', () => {
  assert.equal(wordAfterRestart([open], now), undefined);
  const told: Incident = { ...open, standings: { '': { disposition: 'ToldByHub', by: 'Hub//central', at: now } } };
  assert.deepEqual(wordAfterRestart([told], now), {
    ...{ name: 'central', awaitedUntil: now + 10_000, declined: [] },
    told: { x: now + 10_000 },
  });
});

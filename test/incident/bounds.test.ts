/** What a step costs and what is kept: it grows with what fails now, no faster, and not with what failed once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Reason } from '../../src/model/reason.ts';
import type { Traits } from '../../src/model/traits.ts';
import { explanationsOf } from '../../src/state/explanations.ts';
import { at, explanation, finding, settingsWith, silence, simulation } from './helpers.ts';

const mixed: readonly Reason[] = ['CrashLoopBackOff', 'PodNotReady', 'ImagePullBackOff', 'OOMKilled', 'Unschedulable'];

/** Explanations that count how often their affected objects and members are looked at. */
function counted(count: number, looks: { number: number }): Explanation[] {
  return Array.from({ length: count }, (_, index) => {
    const reason = mixed[index % mixed.length] ?? 'PodNotReady';
    const name = `ns-${index}/app` as const;
    const member = finding(`Pod/${name}-1`, { reason, node: `n${index % 200}`, conclusive: false });
    const base = explanation(`Deployment/${name}`, { reason, members: [member] });
    return {
      ...base,
      get reason() {
        looks.number += 1;
        return reason;
      },
      get affected() {
        looks.number += 1;
        return base.affected;
      },
      get members() {
        looks.number += 1;
        return base.members;
      },
    };
  });
}

test('the cost of a step while everything settles grows with the number of problems, no faster', () => {
  const looksAt = (count: number): number => {
    const looks = { number: 0 };
    const explanations = counted(count, looks);
    const sim = simulation();
    sim.start();
    sim.step(1, explanations);
    for (let seconds = 2; seconds < 5; seconds += 1) sim.step(seconds, explanations);
    assert.equal(sim.told.length, 0, 'they settle');
    return looks.number;
  };
  const [few, many] = [looksAt(500), looksAt(2_000)];
  assert.ok(many < few * 4.5, `${few} looks at 500, ${many} at 2,000`);
});

test('what begins at once in great number begins over several steps, one right after the other', () => {
  const everything = Array.from({ length: 2_500 }, (_, index) => explanation(`Deployment/ns-${index}/app`));
  const log: Traits = new Map([['webhook', { plain: 'native', family: 'log', closesByKey: false }]]);
  const sim = simulation(settingsWith(), log);
  sim.start();
  const counts = [100, 100.001, 100.002, 100.003].map((seconds) => {
    const told = sim.step(seconds, everything).length;
    return [told, sim.last().wakeAt === at(seconds) + 1];
  });
  assert.deepEqual(counts, [
    [1_000, true],
    [1_000, true],
    [500, false],
    [0, false],
  ]);
});

test('an explanation of more findings than a call takes arguments ends no step', () => {
  const members = Array.from({ length: 150_000 }, (_, index) => finding(`Pod/shop/p-${index}`));
  const wide = explanation('Node//n1', { reason: 'NodeNotReady', members });
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(100, [wide]), ['open Node//n1 Settled → oncall']);
  sim.step(200, []);
  assert.deepEqual(sim.step(400, []), ['resolve Node//n1 HeldGood → oncall']);
});

test('of a resolved incident a sample is kept: 300 of 1,000 findings take less than 20 MB', () => {
  const sim = simulation();
  sim.start();
  for (let round = 0; round < 300; round += 1) {
    const begin = 2_000 * round + 100;
    const members = Array.from({ length: 1_000 }, (_, index) =>
      finding(`Pod/shop/k${round}-p${index}`, {
        since: begin,
        detail: `back-off 5m0s restarting failed container=api pod=k${round}-p${index}_shop(uid)`,
        facts: { container: 'api', image: `registry.example/shop/api:${round}`, restarts: index, exitCode: 1 },
      }),
    );
    const lost = explanation(`Node//n${round}`, { members });
    sim.step(begin + 20, [lost]);
    sim.step(begin + 100, []);
    sim.step(begin + 300, []);
    sim.told.length = 0;
    sim.decisions.length = 0;
  }
  const resolved = sim.all().filter(({ state }) => state === 'Resolved');
  assert.equal(resolved.length, 300);
  const bytes = JSON.stringify(resolved).length;
  assert.ok(bytes < 20e6 / 4, `${bytes} bytes as JSON, some four times that in memory`);
});

test('of a resolved incident it is kept why its cause was blamed, and not what else was considered', () => {
  const blamed = { rule: 'release', about: 'Deployment/shop/api', says: 'edited', score: 0.97 } as const;
  const considered = { ...blamed, rule: 'node', about: 'Node//n1' } as const;
  const proof = Array.from({ length: 40 }, () => ({ code: 'OnlyNewRevision', all: true }) as const);
  const sim = simulation();
  sim.start();
  sim.step(100, [{ ...explanation('Deployment/shop/api'), proof, trace: [blamed, considered] }]);
  sim.step(200, []);
  sim.step(600, []);
  const { state, explanation: kept } = sim.only();
  assert.deepEqual([state, kept.trace, kept.proof.length], ['Resolved', [blamed], 5]);
});

test('of a resolved incident what was blamed is what is known of it, held once and saved in one row', () => {
  const sim = simulation();
  sim.start();
  sim.step(100, [explanation('Deployment/shop/api', { members: [finding('Pod/shop/a'), finding('Pod/shop/b')] })]);
  sim.step(200, []);
  sim.step(600, []);
  const incident = sim.only();
  assert.equal(incident.state, 'Resolved');
  assert.equal(incident.blamed, incident.explanation);
  assert.equal([...explanationsOf(incident)].length, 1);
});

test('the list that names a resolved incident still counts everything it was about', () => {
  const low = explanation('Deployment/shop/batch', {
    severity: 'low',
    members: Array.from({ length: 40 }, (_, index) => finding(`Pod/shop/batch-${index}`)),
  });
  const sim = simulation();
  sim.start();
  sim.step(100, [low]);
  sim.step(200, []);
  sim.step(400, []);
  sim.step(2_000, []);
  const [digest] = sim.told;
  assert.ok(digest && 'entries' in digest);
  assert.deepEqual(
    digest.entries.map(({ affected, over }) => [affected, over]),
    [[40, true]],
  );
});

test('a tenant is told the end of what concerned it, however many others it concerned', () => {
  const team = { ref: 'AlertProvider/zulu/team', uid: 'team', namespace: 'zulu' } as const;
  const [oncall] = settingsWith().providers;
  assert.ok(oncall);
  const off = { ...oncall, ...team, active: { is: false, reason: 'Suspended' } } as const;
  const on = { ...oncall, ...team };
  const members = Array.from({ length: 300 }, (_, index) =>
    finding(index === 299 ? 'Pod/zulu/p' : `Pod/ns-${index}/p`, { reason: 'PodNotReady' }),
  );
  const wide = explanation('Node//n1', { reason: 'NodeNotReady', members });
  const sim = simulation(settingsWith({ providers: [on] }));
  sim.start();
  assert.deepEqual(sim.step(100, [wide]), ['open Node//n1 Settled → team']);
  sim.set({ providers: [off] });
  sim.step(200, []);
  sim.step(400, []);
  sim.set({ providers: [{ ...on, generation: 2 }] });
  assert.deepEqual(sim.step(500, []), ['resolve Node//n1 ProviderUsableAgain → team']);
});

test('a silence counts what it mutes without remembering it, also what fails again', () => {
  const quiet = silence('quiet', { namespaces: ['shop'] }, 0, 1e9);
  const sim = simulation(settingsWith({ silences: [quiet] }));
  sim.start();
  const crash = explanation('Deployment/shop/api');
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  sim.step(300, [crash]);
  assert.equal(sim.only().state, 'Open');
  assert.deepEqual([...sim.last().mutes.values()], [{ suppressed: 1, lastMatchAt: at(15) }]);
});

test('a start that a clock dates in the future delays nothing: it settles from when it was first seen', () => {
  const ahead = (since: number) =>
    explanation('Deployment/shop/api', { members: [finding('Pod/shop/api-a', { since })] });
  const sim = simulation();
  sim.start();
  sim.step(10, [ahead(1_800)]);
  assert.deepEqual(sim.step(25, [ahead(1_800)]), ['open Deployment/shop/api Settled → oncall']);
  assert.equal(sim.only().startedAt, at(10));
  sim.step(100, []);
  sim.step(280, []);
  sim.step(300, [ahead(2_100)]);
  assert.deepEqual(sim.step(315, [ahead(2_100)]), ['reopen Deployment/shop/api FailedAgainInCooldown → oncall']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, TransportError } from '../../../src/providers/provider.ts';
import { provider } from '../../delivery/stage.ts';
import { startFleet, unreachable } from './fleet.ts';

type Fleet = ReturnType<typeof startFleet>;

/** The registry is down for all, from now on, each noticing up to 20 s later. */
async function outage({ members, clock, pass }: Fleet): Promise<void> {
  for (const [index, member] of members.entries()) {
    member.put(...unreachable(clock.now()));
    if (index % 5 === 4) await pass(2);
  }
}

async function mended({ members, clock }: Fleet): Promise<void> {
  for (const member of members) member.gone(...unreachable(clock.now()));
}

test('fifty clusters lose one registry: one message within a minute, with all of them, and one end', async () => {
  const fleet = startFleet({ members: 50 });
  await fleet.pass(20);
  const begun = fleet.second();
  await outage(fleet);
  await fleet.pass(220);
  const [first, ...others] = fleet.told;
  assert.deepEqual([first?.cluster, first?.act, others], ['hub', 'open', []]);
  assert.equal(first?.title, 'Registry registry.example.com cannot be reached · hits 50 clusters');
  assert.match(first?.text ?? '', /50 clusters report it: prod-01 \(2 objects hit\), /);
  assert.ok((first?.second ?? 99) - begun <= 60, `${first?.second} ${begun}`);
  for (const member of fleet.members) {
    const [incident] = member.incidents();
    assert.deepEqual([incident?.state, incident?.standings['']?.disposition], ['Open', 'ToldByHub']);
    assert.equal(incident?.standings['']?.by, 'Hub//hub');
  }
  await mended(fleet);
  await fleet.pass(400);
  assert.deepEqual(fleet.inShort(), ['hub open', 'hub resolve']);
  for (const member of fleet.members) assert.equal(member.incidents()[0]?.state, 'Resolved');
  fleet.stop();
});

test('who is hit later is named by an update a minute after the first message, and then every ten minutes', async () => {
  const fleet = startFleet({ members: 6 });
  await fleet.pass(20);
  const hit = (from: number, to: number): void => {
    for (const member of fleet.members.slice(from, to)) member.put(...unreachable(fleet.clock.now()));
  };
  hit(0, 3);
  await fleet.pass(60);
  hit(3, 5);
  await fleet.pass(120);
  hit(5, 6);
  await fleet.pass(700);
  assert.deepEqual(
    fleet.told.map(({ act, title }) => `${act} ${/hits .*/.exec(title)?.[0]}`),
    ['open hits 3 clusters', 'update hits 5 clusters', 'update hits 6 clusters'],
  );
  assert.match(fleet.told[1]?.text ?? '', /5 clusters are hit \(3 before\)/);
  assert.ok((fleet.told[2]?.second ?? 0) - (fleet.told[1]?.second ?? 0) >= 600);
  fleet.stop();
});

test('what passes by itself within seconds is told by nobody, whoever has it together', async () => {
  const fleet = startFleet({ members: 10 });
  await fleet.pass(20);
  await outage(fleet);
  await fleet.pass(20);
  await mended(fleet);
  await fleet.pass(300);
  assert.deepEqual(fleet.inShort(), []);
  fleet.stop();
});

test('it is as bad as the worst has it: until the hub has said that, the one that is worse is not told', async () => {
  const fleet = startFleet({ members: 4 });
  await fleet.pass(20);
  fleet.members[0]?.set({
    detection: { ...fleet.members[0].settings.detection, overrides: [{ selector: {}, severity: 'critical' }] },
  });
  for (const member of fleet.members.slice(1)) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  fleet.members[0]?.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  assert.deepEqual(
    fleet.told.map(({ cluster, act, title }) => `${cluster} ${act} ${title.slice(0, 12)}`),
    ['hub open Registry reg', 'hub update Now critical'],
  );
  assert.equal(fleet.members[0]?.incidents()[0]?.standings['']?.disposition, 'ToldByHub');
  fleet.stop();
});

test('a rise that the hub cannot tell is told by the cluster that has it, within its ten seconds', async () => {
  let isDown = false;
  const fleet = startFleet({
    members: 3,
    answer: (cluster) =>
      cluster === 'hub' && isDown
        ? { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false }
        : { is: 'delivered' },
  });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  assert.deepEqual(fleet.inShort(), ['hub open']);
  isDown = true;
  const [first] = fleet.members;
  first?.set({ detection: { ...first.settings.detection, overrides: [{ selector: {}, severity: 'critical' }] } });
  const raisedAt = fleet.second();
  await fleet.pass(40);
  assert.deepEqual(fleet.inShort(), ['hub open', 'prod-01 open']);
  assert.ok((fleet.told[1]?.second ?? 99) - raisedAt <= 13, `${fleet.told[1]?.second} ${raisedAt}`);
  fleet.stop();
});

test('the hub is killed during an outage: each of fifty tells it once, within its minute, and ends it', async () => {
  const fleet = startFleet({ members: 50 });
  await fleet.pass(20);
  await outage(fleet);
  await fleet.pass(100);
  assert.deepEqual(fleet.inShort(), ['hub open']);
  fleet.hub.kill();
  const killedAt = fleet.clock.now();
  await fleet.pass(70);
  const own = fleet.told.filter(({ cluster }) => cluster !== 'hub');
  assert.equal(own.length, 50);
  assert.equal(new Set(own.map(({ cluster }) => cluster)).size, 50);
  assert.ok(
    own.every(({ act, text }) => act === 'open' && /the hub hub told this/.test(text)),
    own[0]?.text,
  );
  assert.ok(own.every(({ second }) => second * 1000 <= killedAt - Date.UTC(2026, 0, 1) + 65_000));
  await mended(fleet);
  await fleet.pass(400);
  const ends = fleet.told.filter(({ act, cluster }) => act === 'resolve' && cluster !== 'hub');
  assert.equal(ends.length, 50);
  assert.equal(fleet.told.length, 101);
  fleet.stop();
});

test('a hub that was dead before the outage costs nobody a second', async () => {
  const fleet = startFleet({ members: 3 });
  await fleet.pass(20);
  fleet.hub.kill();
  await fleet.pass(120);
  const begun = (fleet.clock.now() - Date.UTC(2026, 0, 1)) / 1000;
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(90);
  assert.deepEqual(fleet.inShort().sort(), ['prod-01 open', 'prod-02 open', 'prod-03 open']);
  // What an ordinary failure settles in.
  assert.ok(
    fleet.told.every(({ second }) => second - begun <= 76),
    JSON.stringify(fleet.told.map(({ second }) => second)),
  );
  fleet.stop();
});

test('a hub whose product is down has told nothing: after ten seconds the members do', async () => {
  const fleet = startFleet({
    members: 3,
    answer: (cluster) =>
      cluster === 'hub' ? { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false } : { is: 'delivered' },
  });
  await fleet.pass(20);
  const begun = (fleet.clock.now() - Date.UTC(2026, 0, 1)) / 1000;
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  assert.deepEqual(fleet.inShort().sort(), ['prod-01 open', 'prod-02 open', 'prod-03 open']);
  assert.ok(
    fleet.told.every(({ second }) => second - begun <= 87),
    JSON.stringify(fleet.told.map(({ second }) => second)),
  );
  fleet.stop();
});

test('a hub with a pager that it cannot reach has not told, although its chat has it', async () => {
  const fleet = startFleet({
    members: 2,
    hubProviders: [provider('chat'), provider('pager')],
    answer: (_, to) =>
      to === 'pager' ? { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false } : { is: 'delivered' },
  });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  assert.deepEqual(fleet.inShort().sort(), ['hub open', 'prod-01 open', 'prod-02 open']);
  fleet.stop();
});

test('a hub that silences the registry does not silence it for others', async () => {
  const fleet = startFleet({ members: 2 });
  fleet.hub.set({
    silences: [
      {
        ...{ ref: 'Silence/tocsin/quiet', namespace: 'tocsin', selector: { reasons: ['*'] } },
        ...{ startsAt: fleet.clock.now() - 1, endsAt: fleet.clock.now() + 3_600_000 },
      },
    ],
  });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  assert.deepEqual(fleet.inShort().sort(), ['prod-01 open', 'prod-02 open']);
  fleet.stop();
});

test('a hub that comes back after its members have spoken tells it too, and they end what they began', async () => {
  const fleet = startFleet({ members: 2 });
  await fleet.pass(20);
  fleet.hub.kill();
  await fleet.pass(120);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(90);
  fleet.restartHub();
  await fleet.pass(60);
  assert.deepEqual(fleet.inShort().slice(0, 2).sort(), ['prod-01 open', 'prod-02 open']);
  assert.equal(fleet.inShort()[2], 'hub open');
  await mended(fleet);
  await fleet.pass(400);
  assert.deepEqual(fleet.inShort().slice(3).sort(), ['hub resolve', 'prod-01 resolve', 'prod-02 resolve']);
  fleet.stop();
});

test('a hub that restarts at once tells it once more, and no member speaks', async () => {
  const fleet = startFleet({ members: 3 });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  fleet.hub.kill();
  await fleet.pass(15);
  fleet.restartHub();
  await fleet.pass(120);
  assert.deepEqual(
    fleet.inShort().filter((each) => each.startsWith('prod')),
    [],
  );
  assert.equal(fleet.told.filter(({ act }) => act === 'open').length, 2);
  fleet.stop();
});

test('what one member has alone is told by the hub as well, with its name', async () => {
  const fleet = startFleet({ members: 3 });
  await fleet.pass(20);
  fleet.members[1]?.put(...unreachable(fleet.clock.now()));
  await fleet.pass(120);
  assert.deepEqual(fleet.inShort(), ['hub open']);
  assert.match(`${fleet.told[0]?.title} ${fleet.told[0]?.text}`, /prod-02/);
  fleet.stop();
});

test('a private registry is nobody else’s: each tells its own', async () => {
  const fleet = startFleet({ members: 2 });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now(), '10.0.0.9:5000'));
  await fleet.pass(100);
  assert.deepEqual(fleet.inShort().sort(), ['prod-01 open', 'prod-02 open']);
  fleet.stop();
});

test('what is silenced in a cluster is not reported, and what a tenant is told stays with the member', async () => {
  const tenant = provider('team', { namespace: 'shop', ref: 'AlertProvider/shop/team' });
  const fleet = startFleet({ members: 2, memberProviders: [provider('oncall'), tenant] });
  fleet.members[0]?.set({
    silences: [
      {
        ...{ ref: 'Silence/tocsin/quiet', namespace: 'tocsin', selector: { reasons: ['*'] } },
        ...{ startsAt: fleet.clock.now() - 1, endsAt: fleet.clock.now() + 3_600_000 },
      },
    ],
  });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(120);
  const byWhom = fleet.told.map(({ cluster, provider: to }) => `${cluster} ${to}`).sort();
  assert.deepEqual(byWhom, ['hub oncall', 'prod-02 team']);
  assert.doesNotMatch(fleet.told.map(({ text }) => text).join(' '), /prod-01/);
  fleet.stop();
});

test('whoever has another key mutes nobody and is no member', async () => {
  const fleet = startFleet({ members: 2, key: (member) => (member === 'prod-02' ? 'x'.repeat(32) : 'k'.repeat(32)) });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(120);
  assert.deepEqual(fleet.inShort().sort(), ['hub open', 'prod-02 open']);
  assert.ok(fleet.members[1]?.views.some((view) => view.is === 'failing' && /401/.test(view.why)));
  assert.doesNotMatch(JSON.stringify(fleet.members[1]?.views), /xxxx/);
  fleet.stop();
});

test('neither an answer of yesterday nor a forged one mutes, and a copied summary is not taken again', async () => {
  const answers: Answer[] = [];
  const bodies: string[] = [];
  let attacks = false;
  const fleet = startFleet({
    members: 1,
    async network(body, _, deliver) {
      bodies.push(body);
      if (attacks) return answers.at(-1) ?? (await deliver());
      const answer = await deliver();
      answers.push(answer);
      return answer;
    },
  });
  await fleet.pass(20);
  fleet.members[0]?.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  assert.deepEqual(fleet.inShort(), ['hub open']);
  // The last one, and the one before it, at once.
  for (const body of bodies.slice(-2)) {
    const again = await fleet.desk.take(body);
    assert.deepEqual([again.status, /has taken this summary, or a newer one/.test(again.body)], [409, true]);
  }
  attacks = true;
  await fleet.pass(90);
  assert.deepEqual(fleet.inShort().slice(0, 2), ['hub open', 'prod-01 open']);
  assert.ok(fleet.members[0]?.views.some((view) => view.is === 'failing' && /another summary/.test(view.why)));

  const before = fleet.hub.decisions.length;
  const oldest = await fleet.desk.take(bodies[0] ?? '');
  assert.equal(oldest.status, 409);
  for (const body of bodies.slice(1, 6)) assert.equal((await fleet.desk.take(body)).status, 409);
  assert.equal(fleet.hub.decisions.length, before);
  fleet.stop();
});

test('a copied summary is not taken by a hub that has just started', async () => {
  const bodies: string[] = [];
  const fleet = startFleet({
    members: 1,
    async network(body, _, deliver) {
      bodies.push(body);
      return deliver();
    },
  });
  await fleet.pass(20);
  fleet.members[0]?.put(...unreachable(fleet.clock.now()));
  await fleet.pass(100);
  fleet.members[0]?.kill();
  fleet.hub.kill();
  fleet.restartHub();
  const answers = await Promise.all(bodies.map((body) => fleet.desk.take(body)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [409]);
  await fleet.pass(60);
  assert.equal(fleet.told.filter(({ act }) => act === 'open').length, 1);
  fleet.stop();
});

test('requests that are lost on the way make nobody speak, while others arrive', async () => {
  let sent = 0;
  const fleet = startFleet({
    members: 2,
    async network(_, __, deliver) {
      sent += 1;
      if (sent % 3 !== 0) return deliver();
      throw new TransportError('Unreachable', 'reset', true);
    },
  });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(400);
  assert.deepEqual(fleet.inShort(), ['hub open']);
  fleet.stop();
});

test('a hub that hangs loses nothing', async () => {
  const fleet = startFleet({
    members: 2,
    network: async (_, __, deliver) => {
      const answer = await deliver();
      if (fleet.clock.now() - Date.UTC(2026, 0, 1) < 60_000) return answer;
      return new Promise((_resolve, reject) => {
        fleet.clock.after(10_000, () => reject(new TransportError('Timeout', 'hub.example.com did not answer', true)));
      });
    },
  });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(120);
  assert.deepEqual(
    fleet
      .inShort()
      .filter((each) => each.startsWith('prod'))
      .sort(),
    ['prod-01 open', 'prod-02 open'],
  );
  fleet.stop();
});

test('a member that is not heard of keeps its part for ten minutes, and no longer', async () => {
  const fleet = startFleet({ members: 2 });
  await fleet.pass(20);
  for (const member of fleet.members) member.put(...unreachable(fleet.clock.now()));
  await fleet.pass(120);
  fleet.members[0]?.gone(...unreachable(fleet.clock.now()));
  fleet.members[1]?.kill();
  await fleet.pass(9 * 60);
  assert.equal(fleet.hub.incidents()[0]?.state, 'Open');
  await fleet.pass(10 * 60);
  assert.equal(fleet.told.at(-1)?.act, 'resolve');
  assert.equal(fleet.told.at(-1)?.cluster, 'hub');
  fleet.stop();
});

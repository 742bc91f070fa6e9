import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOperators } from './operators.ts';

test('over HTTP: one message for three clusters, and once the hub is killed one of each', async () => {
  const operators = await startOperators(3, 10);
  const { hub, members, told } = operators;
  try {
    await operators.cutAll();
    await hub.until('the hub tells it', () => told(hub).length > 0);
    const [first] = told(hub);
    assert.equal(first?.incident?.reason, 'RegistryUnreachable');
    const standings = async (): Promise<string[]> => {
      const pages = await Promise.all(members.map((member) => member.get('/status')));
      return pages.map(({ text }) => {
        const { incidents } = JSON.parse(text) as { incidents: { worst: { dispositions: { summary: string }[] }[] } };
        return incidents.worst[0]?.dispositions[0]?.summary ?? '';
      });
    };
    await hub.until(
      'all have it from the hub',
      async () => (await standings()).every((summary) => summary === 'Told by the hub central'),
      () => members.map((member) => member.log.slice(-5)),
    );
    assert.deepEqual(
      members.flatMap((member) => told(member)),
      [],
    );
    const { clusters } = JSON.parse((await hub.get('/status')).text) as { clusters: { name: string }[] };
    assert.deepEqual(
      clusters.map((each) => each.name),
      ['prod-1', 'prod-2', 'prod-3'],
    );
    await hub.runtime.stop();
    for (const member of members)
      await member.until(
        'it tells it itself',
        () => told(member).length === 1,
        () => member.log.slice(-10),
      );
    for (const member of members) {
      assert.match(told(member)[0]?.message ?? '', /the hub central told this/);
      assert.match(member.conditions('alertconfigs', 'default'), /Hub=False\/Failing/);
      assert.doesNotMatch(member.log.join(''), /kkkk/);
    }
  } finally {
    await operators.stop();
  }
});

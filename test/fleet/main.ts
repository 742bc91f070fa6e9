/**
 * The fleet: a hub and its members (`FLEET`, default 50), each the program as it is shipped in a process of its own, with an API server and a receiver on
 * loopback. A registry of all goes down: one message. A second one goes down, and the hub is killed (SIGKILL) while it tells that: each member
 * tells both. Members are killed as well: one that relies on the hub, and some in the middle of their own first message. The hub comes back, the
 * registries too. Prints the figures, writes them into docs/contributing/reliability.md, and ends with exit code 1 where something was lost, or
 * told twice without a reason.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { load, machineWords, versionWords } from '../bench/machine.ts';
import { table, withFigures } from '../bench/table.ts';
import { until } from '../chaos/until.ts';
import { buildImage } from '../e2e/install-image.ts';
import { Cluster } from './cluster.ts';
import { faultsOf, type Story } from './judge.ts';

const count = Number(process.env.FLEET ?? 50);
if (!(count >= 5 && count <= 200)) throw new Error(`FLEET is "${process.env.FLEET}"; use 5 to 200`);
const page = join(import.meta.dirname, '../../docs/contributing/reliability.md');
const registries = ['first.example.com', 'second.example.com'] as const;
const [first, second] = registries;
/** Seconds: in which the one message is there, in which all who live have told both once the hub is dead, and for how long more is looked for. */
const limit = { told: 60, spoken: 90, watched: 60 } as const;
/** A step that takes longer than this has failed (ms). */
const patience = 300_000;
/** So many are killed in the middle of their own first message. */
const interruptedCount = 3;

// Each process is killed when this one ends.
process.setMaxListeners(0);
const began = Date.now();
const say = (text: string): void =>
  console.log(`${((Date.now() - began) / 1000).toFixed(0).padStart(5)} s, load ${load().toFixed(1)}  ${text}`);
const faults: string[] = [];
const rows: (readonly string[])[] = [];

/** Waits, and keeps the seconds as a figure. */
async function took(what: string, holds: () => boolean, most?: number): Promise<void> {
  const seconds = await until(what, holds, patience);
  say(`${what}: ${seconds.toFixed(1)} s`);
  rows.push([what, seconds.toFixed(1), most === undefined ? '' : `≤ ${most}`]);
  if (most !== undefined && seconds > most) faults.push(`${what}: ${seconds.toFixed(1)} s, not ${most}`);
}

const reserve = createServer().listen(0, '127.0.0.1');
await once(reserve, 'listening');
const { port } = reserve.address() as AddressInfo;
reserve.close();

await using stack = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'tocsin-fleet-'));
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
say('building the image');
const image = buildImage(join(folder, 'image'));

say(`starting a hub and ${count} members`);
const hub = await Cluster.make('central', { hub: { enabled: true }, folder, image, port });
stack.defer(() => hub.stop());
hub.start();
await until(
  'the hub',
  () => hub.hasStarted(),
  patience,
  () => hub.output(),
);
const members: Cluster[] = [];
for (let index = 1; index <= count; index += 1) {
  const member = await Cluster.make(`prod-${index}`, { hub: { url: `http://127.0.0.1:${port}` }, folder, image });
  stack.defer(() => member.stop());
  members.push(member);
  member.start();
  const isThere = async (): Promise<boolean> => (await member.hasStarted()) && member.isAnswered();
  await until(member.name, isThere, patience, () => member.output());
}

say('the registry of all is down');
for (const member of members) member.cut(first);
await took('the hub has told the first registry', () => hub.receiver.about(first).length > 0, limit.told);
const [relying, ...others] = members;
say(`${relying?.name} is killed, and started again`);
await relying?.kill();
relying?.start();
await delay(limit.watched * 1000);

say('a second registry is down; the hub will be killed while it sends that');
const interrupted = others.slice(0, interruptedCount);
let hubKilledAt = 0;
hub.receiver.admits = ({ roots }) => {
  if (!roots.includes(second)) return true;
  if (hubKilledAt === 0) {
    hubKilledAt = Date.now();
    void hub.kill();
  }
  return false;
};
for (const member of interrupted) {
  let isFirst = true;
  member.receiver.admits = () => {
    if (!isFirst) return true;
    isFirst = false;
    void member.kill().then(() => member.start());
    return false;
  };
}
for (const member of members) member.cut(second);
await until('the hub is killed', () => hubKilledAt > 0, patience);
say('the hub is killed');
const haveTold = (some: readonly Cluster[]): boolean =>
  some.every(({ receiver }) => registries.every((registry) => receiver.about(registry).length > 0));
const living = members.filter((member) => !interrupted.includes(member));
await took(
  `${living.length} members have told both themselves, after the hub was killed`,
  () => haveTold(living),
  limit.spoken,
);
await took(
  `${interrupted.length} more, killed in the middle of their first message, have told both as well, after that`,
  () => haveTold(interrupted),
);
await delay(limit.watched * 1000);

say('the hub is back');
const hubStartedAt = Date.now();
hub.receiver.admits = () => true;
hub.start();
const toldAgain = (): boolean =>
  registries.every((registry) => hub.receiver.about(registry).some(({ at }) => at >= hubStartedAt));
await took('the hub, started again without saved state, has told both again', toldAgain);
await delay(limit.watched * 1000);

say('both registries are back');
for (const member of members) for (const registry of registries) await member.mend(registry);
const areOver = (cluster: Cluster): boolean =>
  registries.every((registry) => cluster.receiver.about(registry).some(({ type }) => /resolved/.test(type)));
await took('the hub and the members have told both ends', () => [hub, ...living].every(areOver));
await delay(limit.watched * 1000);

const earOf = ({ name, receiver }: Cluster): Story['hub'] => ({ name, taken: receiver.taken });
const story: Story = {
  hub: earOf(hub),
  members: members.map(earOf),
  interrupted: new Set(interrupted.map(({ name }) => name)),
  ...{ registries, hubKilledAt, hubStartedAt },
};
faults.push(...faultsOf(story));
const heard = story.members.reduce((sum, { taken }) => sum + taken.length, 0);
const figures = [
  `${new Date().toISOString().slice(0, 10)}. ${versionWords()}. ${machineWords()}, load average ${load().toFixed(1)}. A hub and ${count} members, a process each.`,
  table(['what', 'seconds', 'goal'], rows),
  `Messages of the hub: ${story.hub.taken.length}; of the members: ${heard}; lost, told twice without a reason, or told beside the hub: ${faultsOf(story).length}.`,
].join('\n\n');
console.log(`\n${figures}\n`);
if (process.env.FLEET === undefined)
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), figures, 'fleet', 'fleet'));
for (const fault of faults) console.log(`! ${fault}`);
console.log(faults.length === 0 ? 'Nothing lost, nothing told twice.' : `FAILED: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

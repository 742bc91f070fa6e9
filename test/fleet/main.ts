/**
 * The fleet: whole operators on loopback, each with an API server of its own (a sandbox), one of them a hub (`FLEET` members, default 50). The registry
 * of all goes down: one message within a minute. The hub is gone: each tells it once. Prints the figures, and ends with exit code 1 where
 * something else was told.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { startOperators } from '../runtime/hub/operators.ts';

const count = Number(process.env.FLEET ?? 50);
if (!(count >= 2 && count <= 200)) throw new Error(`FLEET is "${process.env.FLEET}"; use 2 to 200`);
/** Seconds of the story in one real second. */
const speed = 2;
/** Seconds of the story in which the one message is to be there, and in which all speak once the hub is gone. */
const [toldWithin, spokenWithin] = [60, 75];
/** So long is looked for messages that nobody should get (s). */
const watched = 90;

const began = Date.now();
const say = (text: string): void => console.log(`${((Date.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}`);
const seconds = (number: number): string => `${number.toFixed(0)} s`;

say(`starting a hub and ${count} members`);
const operators = await startOperators(count, speed);
const { hub, members, told, second } = operators;
const flaws: string[] = [];
/** Looks again and again until it holds, or so many seconds of the story have passed. */
async function within(limit: number, holds: () => boolean): Promise<number> {
  const from = second();
  while (!holds() && second() - from < limit) await delay(50);
  return second() - from;
}
try {
  say('the registry of all is down');
  await operators.cutAll();
  const took = await within(toldWithin * 2, () => told(hub).length > 0);
  say(`the hub told it after ${seconds(took)}: ${told(hub)[0]?.title ?? 'nothing'}`);
  if (took > toldWithin) flaws.push(`the one message took ${seconds(took)}, not ${toldWithin}`);
  await delay((watched / speed) * 1000);
  const own = members.filter((member) => told(member).length > 0);
  say(`${told(hub).length} messages of the hub, ${own.length} members that spoke`);
  if (own.length > 0) flaws.push(`${own.length} members spoke although the hub had told it`);
  if (told(hub).filter(({ status }) => status === 'open').length !== 1)
    say(
      `titles: ${told(hub)
        .map(({ title }) => title)
        .join(' | ')}`,
    );

  say('the hub is stopped, and says nothing of it to anybody');
  await hub.runtime.stop();
  const lost = await within(spokenWithin * 2, () => members.every((member) => told(member).length > 0));
  await delay((20 / speed) * 1000);
  const messages = members.map((member) => told(member).length);
  const all = messages.reduce((sum, each) => sum + each, 0);
  say(
    `${messages.filter((each) => each > 0).length} of ${count} members told it within ${seconds(lost)}: ${all} messages`,
  );
  if (all !== count || messages.some((each) => each !== 1)) flaws.push(`${all} messages of ${count} members`);
  if (lost > spokenWithin) flaws.push(`the last took ${seconds(lost)}, not ${spokenWithin}`);
} finally {
  await operators.stop();
}
for (const flaw of flaws) say(`FLAW: ${flaw}`);
say(flaws.length === 0 ? 'as it should be' : `${flaws.length} flaws`);
process.exitCode = flaws.length === 0 ? 0 : 1;

/** Tells one history second by second: `node test/histories/tell.ts SEED [WORD]`; with a word only the lines that hold it. */
import { historyOf } from './kit/history.ts';
import { judge } from './kit/oracle.ts';
import { play } from './kit/play.ts';
import { inWords } from './kit/shrink.ts';

const [seed = '1', word = ''] = process.argv.slice(2);
const history = historyOf(Number(seed));
const transcript = await play(history);
const { requests, facts, rosters, mutings, kills, settledAt, clearedAt } = transcript;

const lines: { readonly at: number; readonly says: string }[] = [
  ...facts.map(({ at, root, reason, severity, state, incident, baseline }) => ({
    at,
    says: `  is       ${root} ${state} ${severity} ${reason} (${incident.slice(0, 5)}${baseline ? ', baseline' : ''})`,
  })),
  ...requests.map(({ at, uid, family, act, severity, title, answer, taken, cut, stream, note, decidedAt }) => {
    const how = `${answer}${taken && answer !== 'taken' ? ', but taken' : ''}${cut ? ', cut off' : ''}`;
    const decided = decidedAt === at ? '' : `, decided ${Math.round((at - decidedAt) / 1000)}s before`;
    return {
      at,
      says: `${uid} ${family} ${act} ${severity}: ${how}. ${title} (${stream.slice(0, 5)}${decided}) ${note}`,
    };
  }),
  ...rosters.map(({ at, readers }) => ({
    at,
    says: `  readers  ${readers.map((one) => `${one.uid}${one.active ? '' : ' inactive'}${one.suspended ? ' suspended' : ''}${one.fallback ? `→${one.fallback}` : ''}`).join(', ')}`,
  })),
  ...mutings.flatMap(({ name, from, to }) => [
    { at: from, says: `  muted    ${name}` },
    { at: to, says: `  unmuted  ${name}` },
  ]),
  ...kills.map(({ at }) => ({ at, says: '  killed' })),
  { at: settledAt, says: '  settled' },
  { at: clearedAt, says: '  cleared' },
];
const start = rosters[0]?.at ?? 0;
console.log(inWords(history));
for (const { at, says } of lines.toSorted((a, b) => a.at - b.at))
  if (says.includes(word)) console.log(`${Math.round((at - start) / 1000)}s`.padEnd(8), says);
for (const { rule, says } of judge(transcript)) console.log(`=> ${rule}: ${says}`);

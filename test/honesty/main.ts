/** Plays every story of the gates of honesty and prints what is told wrongly: `make honesty`. */
import { gates } from './gates.ts';

for (const { key, what, stories, wrong, limit } of await gates('all')) {
  console.log(`${key}: ${wrong.length} of ${stories} (at most ${limit}): ${what}`);
  for (const story of wrong) console.log(`  ${story}`);
  if (wrong.length > limit) process.exitCode = 1;
}

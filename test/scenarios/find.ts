/**
 * Finds scenarios by words: `node test/scenarios/find.ts crashloop statefulset`. Each is a line: its name, what it makes Tocsin tell
 * (severity, reason, kind and name), and what happens in it. All words must stand in the line, in any case.
 */
import { indexLines } from './kit/index-lines.ts';
import { stories } from './kit/stories.ts';

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const lines = indexLines(await stories()).filter((line) => words.every((word) => line.toLowerCase().includes(word)));
for (const line of lines) console.log(line);
console.error(`${lines.length} scenarios`);
process.exitCode = lines.length > 0 ? 0 : 1;

/** Checks the words of the pages for users and of the messages against the list of `scripts/words/list.ts`. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { problemsOf } from './words/list.ts';

const root = resolve(import.meta.dirname, '..');
const pages = globSync(['README.md', 'docs/*.md', 'docs/noticed/*.md', 'docs/reference/**/*.md'], { cwd: root });
const messages = globSync('test/message/golden/**/*.txt', { cwd: root });

/** Prose alone: commands, manifests, names in code marks, and names of places stay as they are. */
function prose(markdown: string): string {
  return markdown
    .replaceAll(/(`{3,})[\s\S]*?\n *\1/g, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');
}

const problems = [
  ...pages.map((path) => ({ path, kind: 'page' as const, text: prose(readFileSync(join(root, path), 'utf8')) })),
  ...messages.map((path) => ({ path, kind: 'message' as const, text: readFileSync(join(root, path), 'utf8') })),
].flatMap(({ path, kind, text }) => problemsOf(text, kind).map((problem) => `${path}: ${problem}`));

for (const problem of problems) console.error(problem);
console.log(`words: ${pages.length} pages, ${messages.length} messages, ${problems.length} problems`);
process.exitCode = problems.length > 0 || pages.length === 0 || messages.length === 0 ? 1 : 0;

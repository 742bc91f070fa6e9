import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { providers } from '../../src/providers/registry.ts';
import { folderOf, readCaseFile } from '../../test/providers/conformance/case-file.ts';
import { mark } from './mark.ts';

/** What lock screens, voices and lists give of a message before they cut. */
export const shownChars = 100;

/** The value at a path; `undefined` where there is none. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => {
    if (typeof part === 'string' && part.startsWith('{')) return at(JSON.parse(part), key);
    return typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined;
  }, value);
}

/** A text as it is shown: without the marks of bold, tags and headings, on one line. */
function asShown(text: string): string {
  const plain = text.startsWith('{"default":') ? String(at(JSON.parse(text), 'default')) : text;
  return (
    plain
      .replace(/:large_orange_circle:|:rotating_light:/g, '')
      // Slack shows an instant by what stands behind it where it shows no markup.
      .replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
      .replace(/<\/?(?:b|strong|font|p)\b[^>]*>/g, '')
      .replace(/\*+|^#+ |\\(?=[^\w\s])/gm, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** The first text at a place of what a type was recorded to send for an opening; `undefined` where nothing is recorded yet. */
function openingAt(type: string, place: string): string | undefined {
  const own = join(folderOf(type), 'open.json');
  const [file] = existsSync(own) ? [own] : globSync(join(folderOf(type), '**/open.json')).sort();
  if (file === undefined) return undefined;
  const requests: readonly unknown[] = JSON.parse(readFileSync(file, 'utf8'));
  const found = requests.map((request) => at(request, place)).find((text) => typeof text === 'string');
  if (found === undefined) throw new Error(`${type}: nothing of ${file} has a text at ${place}: ${remedy(type)}`);
  return String(found);
}

const remedy = (type: string): string =>
  `write "lockScreen: body.…" into test/providers/fixtures/${type}/conformance.yaml, the place of what a phone, a voice or a list shows first`;

/** What a person sees first of the opening of the incident that the types are tested with: type → text. Not of types whose fixtures are still to be written or recorded. */
export function lockScreens(): ReadonlyMap<string, string> {
  return new Map(
    providers.flatMap(({ type }) => {
      if (!existsSync(join(folderOf(type), 'conformance.yaml'))) return [];
      const { lockScreen } = readCaseFile(type);
      if (lockScreen === undefined) throw new Error(`${type} shows people nothing: ${remedy(type)}`);
      const text = openingAt(type, lockScreen);
      return text === undefined ? [] : [[type, asShown(text).slice(0, shownChars)] as const];
    }),
  );
}

/** `docs/contributing/lock-screen.md`. */
export function lockScreenPage(): string {
  const rows = [...lockScreens()].map(([type, text]) => `| \`${type}\` | ${text.replaceAll('|', '\\|')} |`);
  return `# What a lock screen shows

<!-- ${mark} -->

The first ${shownChars} characters of one opening as each of the ${rows.length} types sends it: the push text, subject, summary or first line. They say what broke,
why, whom it hits and in which cluster. Reason and severity are fields, labels and colours. Taken from the recorded requests of the tests.

| type | what is shown first |
| --- | --- |
${rows.join('\n')}
`;
}

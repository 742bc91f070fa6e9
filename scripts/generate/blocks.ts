/** Parts of pages by hand that are generated: tables, figures and messages that a person would copy once and forget. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A page whose parts are filled in, by the names of the parts. Throws where a part has no place. */
export function filled(path: string, parts: Readonly<Record<string, string>>): readonly [path: string, text: string] {
  const page = readFileSync(join(root, path), 'utf8');
  return [path, Object.entries(parts).reduce((text, [name, part]) => fill(text, path, name, part), page)];
}

function fill(text: string, path: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: begin, written by \`make generate\` -->`, `<!-- ${name}: end -->`];
  const [before, rest] = text.split(begin);
  const [, after] = (rest ?? '').split(end);
  if (before === undefined || after === undefined) throw new Error(`${path} has no ${begin} … ${end}`);
  return `${before}${begin}\n\n${part.trim()}\n\n${end}${after}`;
}

import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { UsageError } from '../command.ts';

/** One value of a configuration: where it stands, and what it is. */
export type Place = { readonly path: readonly string[]; readonly line: number; readonly value: unknown };

/** Every value of a configuration, in its order; an empty map or list is one, too. Throws `UsageError` for what is no YAML. */
export function placesOf(text: string, file: string, firstLine = 1): readonly Place[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [problem] = document.errors;
  if (problem) throw new UsageError(`${file} is no YAML: ${problem.message}`);
  const places: Place[] = [];
  const lineOf = (node: Node): number => firstLine - 1 + lines.linePos(node.range?.[0] ?? 0).line;
  const walk = (node: unknown, path: readonly string[]): void => {
    const target = isAlias(node) ? node.resolve(document) : node;
    if (isMap(target) && target.items.length > 0)
      for (const { key, value } of target.items) walk(value ?? key, [...path, isScalar(key) ? String(key.value) : '']);
    else if (isSeq(target) && target.items.length > 0)
      for (const [index, each] of target.items.entries()) walk(each, [...path, String(index)]);
    else if (isScalar(target)) places.push({ path, line: lineOf(target), value: target.value });
    else if (isMap(target) || isSeq(target)) places.push({ path, line: lineOf(target), value: target.toJSON() });
  };
  walk(document.contents, []);
  return inConfigMap(places, file, firstLine) ?? places;
}

/** A configuration is often a text in a ConfigMap. */
function inConfigMap(places: readonly Place[], file: string, firstLine: number): readonly Place[] | undefined {
  const held = places.find(({ path }) => path[0] === 'data' && /\.ya?ml$/.test(path[1] ?? ''));
  if (held === undefined || !places.some(({ path, value }) => path[0] === 'kind' && value === 'ConfigMap'))
    return undefined;
  return placesOf(String(held.value), file, firstLine + held.line);
}

import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';
import { UsageError } from '../command.ts';

/** One value of a configuration: where it stands, and what it is. */
export type Place = { readonly path: readonly string[]; readonly line: number; readonly value: unknown };

/**
 * Every value of a configuration, in its order; an empty map or list is one, too. Of manifests only the configuration in them counts: what a ConfigMap
 * holds, and the spec of a KwatchConfig. Throws `UsageError` for what is no YAML.
 */
export function placesOf(text: string, file: string, firstLine = 1): readonly Place[] {
  const lines = new LineCounter();
  const documents = [...parseAllDocuments(text, { lineCounter: lines })];
  for (const { errors } of documents) if (errors[0]) throw new UsageError(`${file} is no YAML: ${errors[0].message}`);
  const lineOf = (node: Node): number => firstLine - 1 + lines.linePos(node.range?.[0] ?? 0).line;
  const all = documents.map((document) => placesIn(document, lineOf));
  const held = all.flatMap((places) => inManifest(places, file, firstLine) ?? []);
  return held.length > 0 ? held : all.flat();
}

function placesIn(document: Document, lineOf: (node: Node) => number): readonly Place[] {
  const places: Place[] = [];
  const walk = (node: unknown, path: readonly string[]): void => {
    const target = isAlias(node) ? node.resolve(document) : node;
    if (isMap(target) && target.items.length > 0)
      for (const { key, value } of target.items)
        walk(value ?? key, [...path, isScalar(key) ? String(key.value) : String(key)]);
    else if (isSeq(target) && target.items.length > 0)
      for (const [index, each] of target.items.entries()) walk(each, [...path, String(index)]);
    else if (isScalar(target)) places.push({ path, line: lineOf(target), value: wordOf(target) });
    else if (isMap(target) || isSeq(target)) places.push({ path, line: lineOf(target), value: target.toJSON() });
  };
  walk(document.contents, []);
  return places;
}

/** `!kube-system` without quotes is a tag with nothing to it, to YAML. */
const wordOf = ({ value, tag }: { readonly value: unknown; readonly tag?: string }): unknown =>
  value === '' && tag?.startsWith('!') ? tag : value;

/** The configuration in a manifest; none in what is no manifest, or holds none. */
function inManifest(places: readonly Place[], file: string, firstLine: number): readonly Place[] | undefined {
  const kind = places.find(({ path }) => path.length === 1 && path[0] === 'kind')?.value;
  if (kind === 'KwatchConfig')
    return places.filter(({ path }) => path[0] === 'spec').map((place) => ({ ...place, path: place.path.slice(1) }));
  if (kind !== 'ConfigMap') return undefined;
  return places
    .filter(({ path: [block, name = ''] }) => block === 'data' && /\.ya?ml$/.test(name))
    .flatMap(({ value, line }) => placesOf(String(value), file, firstLine + line));
}

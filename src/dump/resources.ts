import { groupOf, type Resource } from '../model/resource.ts';
import { watchedKinds } from '../world/kinds/kinds.ts';
import { wasInGroup } from './former.ts';

const byKind = new Map<string, Resource>(watchedKinds.map((row) => [row.kind, row]));
/** What tools call a kind in the names of files and folders, without hyphens and in lower case. */
const byWord = new Map<string, Resource>(
  watchedKinds.flatMap((row) => [
    [row.plural, row],
    [row.kind.toLowerCase(), row],
  ]),
);
for (const [word, kind] of [
  ['pvs', 'PersistentVolume'],
  ['pvcs', 'PersistentVolumeClaim'],
  ['hpas', 'HorizontalPodAutoscaler'],
] as const) {
  const row = byKind.get(kind);
  if (row) byWord.set(word, row);
}
/** What an object is of, whatever version it is written in; `undefined`: nobody looks at it. */
export function resourceOf(apiVersion: string | undefined, kind: string): Resource | undefined {
  const row = byKind.get(kind);
  if (row === undefined || apiVersion === undefined) return row;
  const group = groupOf(apiVersion);
  return group === row.group || wasInGroup(kind, group) ? row : undefined;
}

/** Whether objects of a kind are looked at, by its name alone. */
export function isLookedAt(kind: string): boolean {
  return byKind.has(kind) || kind === 'List' || kind.endsWith('List');
}

/** The folders in which folders by kind are, before those by namespace: a namespace may be called `events`. */
const kindBelow = /(?:^|\/)(?:cluster-resources|config)\/([^/.]+)/;

/** What objects are of by the place of their file: `cluster-resources/pods/shop.json`, `config/node/n1.json`. */
export function resourceByPath(path: string): Resource | undefined {
  const [, folder = ''] = kindBelow.exec(path.toLowerCase()) ?? [];
  const below = byWord.get(folder.replaceAll('-', ''));
  if (below) return below;
  const words = path
    .toLowerCase()
    .replace(/\.(?:json|ya?ml)$/, '')
    .split('/');
  for (const word of words.reverse()) {
    const row = byWord.get(word.replaceAll('-', ''));
    if (row) return row;
  }
  return undefined;
}

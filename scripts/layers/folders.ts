import { dirname, relative } from 'node:path';

/** Rooms that are divided into folders by kind or stage, since a heap of a hundred files shows no thought. */
const divided = ['detect', 'explain', 'message', 'runtime', 'world'];
/** What a reader still takes in at a glance. */
const mostFiles = 25;
/** How many imports in a row, one on the other, a folder may hold: who reads the top of more has forgotten its ground. */
const mostFloors = 6;

/** Folder → its files: each with the files that it imports. */
function foldersOf(
  graph: ReadonlyMap<string, readonly string[]>,
  root: string,
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const folders = new Map<string, Map<string, readonly string[]>>();
  for (const [file, targets] of graph) {
    const folder = relative(root, dirname(file));
    if (!divided.includes(folder.split('/')[1] ?? '')) continue;
    folders.set(folder, (folders.get(folder) ?? new Map()).set(file, targets));
  }
  return folders;
}

/** How many imports in a row stay within these files. The imports must not run in a circle. */
function floorsOf(files: ReadonlyMap<string, readonly string[]>): number {
  const known = new Map<string, number>();
  const floorOf = (file: string): number => {
    const below = (files.get(file) ?? []).filter((target) => files.has(target));
    const floor = known.get(file) ?? 1 + Math.max(0, ...below.map(floorOf));
    known.set(file, floor);
    return floor;
  };
  return Math.max(0, ...[...files.keys()].map(floorOf));
}

/** Folders that have become heaps, or stairs that nobody climbs. `graph`: file → the files it imports, by whole paths. */
export function heaps(graph: ReadonlyMap<string, readonly string[]>, root: string): readonly string[] {
  return [...foldersOf(graph, root)].flatMap(([folder, files]) => {
    const floors = floorsOf(files);
    return [
      ...(files.size > mostFiles ? [`${folder}: ${files.size} files, of ${mostFiles} at most: divide it by kind`] : []),
      ...(floors > mostFloors
        ? [`${folder}: imports go ${floors} floors up, of ${mostFloors} at most: divide it by stage`]
        : []),
    ];
  });
}

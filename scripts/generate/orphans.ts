import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mark } from './mark.ts';

/** Folders in which nothing is written by hand. */
const whole = ['config/chart', 'config/grafana', 'config/olm'];
/** Where generated files are; the mark is somewhere in the first characters of most of them. */
const searched = '{crds,config,docs,src}/**/*';
const markWithin = 300;

/**
 * Files that were generated once and are not any more: a row of `scripts/generate` was taken out, or lost in a merge. Which of the two
 * only a person knows, so they are named and never deleted. `generated`: paths from the top of the repository.
 */
export function orphansOf(root: string, generated: ReadonlySet<string>): readonly string[] {
  return globSync(searched, { cwd: root })
    .filter((path) => !generated.has(path) && statSync(join(root, path)).isFile())
    .filter((path) => whole.some((folder) => path.startsWith(`${folder}/`)) || isMarked(join(root, path)))
    .sort();
}

const isMarked = (file: string): boolean => readFileSync(file, 'utf8').slice(0, markWithin).includes(mark);

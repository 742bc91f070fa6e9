import type { Finding } from '../../model/finding.ts';
import type { Sign, SignKind } from '../../model/sign.ts';
import { fanOut, nextStartMs } from '../../world/view/bounds.ts';
import type { Change, World } from '../../world/view/world.ts';
import { lacksRight } from './rights.ts';
import { saysOf } from './says.ts';

/** What programs say that lack a part of their configuration. */
export const lacking: readonly SignKind[] = ['VariableMissing', 'KeyMissing', 'FileMissing'];

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`);

/** The name of a file without its folders. */
const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether what a program lacks is what an edit took away or changed: a variable, a key of its ConfigMap, a file that was mounted. */
function isOf({ kind, name }: Sign, { field, parts = [] }: Change): boolean {
  if (name === undefined || name === '') return false;
  if (kind === 'FileMissing')
    return field === 'data'
      ? parts.includes(fileOf(name))
      : field === 'volumeMounts' && parts.some((folder) => isBelow(name, folder));
  return (
    (kind === 'VariableMissing' || kind === 'KeyMissing') &&
    (field === 'env' || field === 'data') &&
    parts.includes(name)
  );
}

/** Whether the program behind an effect says that it lacks what an edit took away. */
export function lacksWhatWasTaken(effect: Finding, world: World): (change: Change) => boolean {
  const said = saysOf(effect, world).filter(({ kind }) => lacking.includes(kind));
  const isRight = lacksRight(effect, world);
  return (change) => said.some((sign) => isOf(sign, change)) || isRight(change);
}

/** Whether the program says that it lacks what an edit of a ConfigMap that its Pod reads took away. */
export function isTakenByConfigMap(effect: Finding, world: World): boolean {
  const isTaken = lacksWhatWasTaken(effect, world);
  const earliest = effect.since - nextStartMs;
  for (const used of world.linked(effect.subject.ref, 'uses', 'out', fanOut))
    if (world.changes(used, earliest).some((change) => change.field === 'data' && isTaken(change))) return true;
  return false;
}

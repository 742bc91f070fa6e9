import { namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { World } from './world.ts';

/** The Secrets of a Pod of which a line of its log names a file. */
export function secretFilesIn(line: string, pod: Ref, world: World): readonly Ref[] {
  const view = world.get(pod);
  if (typeof view !== 'object' || view.kind !== 'Pod') return [];
  return (view.template.secretMounts ?? []).flatMap((mount) => {
    const at = mount.indexOf(':');
    const path = mount.slice(at + 1).replace(/\/$/, '');
    return line.includes(`${path}/`) || line.includes(`${path}"`)
      ? [refOf('Secret', namespaceOf(pod), mount.slice(0, at))]
      : [];
  });
}

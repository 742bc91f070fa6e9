import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Scenario } from './scenario.ts';
import { setOf } from './sets.ts';

const folder = join(import.meta.dirname, '..', 'stories');

/** The stories of one file: `stories`, each by its name, or the one `story` that has the file's name. */
type StoryModule = { readonly story?: Scenario; readonly stories?: Readonly<Record<string, Scenario>> };

/** Every story as `<set>/<name>`, in the order of names. Throws on two of the same name. */
export async function stories(): Promise<ReadonlyMap<string, Scenario>> {
  const found = new Map<string, Scenario>();
  for (const file of globSync('*/*.ts', { cwd: folder }).sort()) {
    const module = (await import(join(folder, file))) as StoryModule;
    const own = module.stories ?? (module.story && { [basename(file, '.ts')]: module.story });
    if (!own) throw new Error(`stories/${file} exports neither stories nor story`);
    for (const [name, story] of Object.entries(own)) {
      const whole = `${dirname(file)}/${name}`;
      setOf(whole);
      if (found.has(whole)) throw new Error(`${whole} is told twice, the second time in stories/${file}`);
      found.set(whole, story);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { sharedAnswer } from './shared-answers.ts';
import type { PlacedSign, World } from './world.ts';

/** Words of one line that are looked up, and Secrets of one route. */
const [mostWords, mostUsed] = [64, 32];
const everything = refOf('Cluster', '', 'routes');

/** How an object is named in the logs of Ingress and Gateway controllers: by its path, and as the file that ingress-nginx writes for it. */
const written = (ref: Ref): readonly string[] => ['/', '-'].map((joint) => `${namespaceOf(ref)}${joint}${nameOf(ref)}`);

/** All routes and the Secrets that they use, by how they are written down; worked out once for all that ask. */
const byWords = sharedAnswer((_, world): ReadonlyMap<string, Ref> => {
  const found = new Map<string, Ref>();
  for (const { ref } of world.all('Ingress'))
    for (const object of [ref, ...world.linked(ref, 'uses', 'out', mostUsed)])
      if (object === ref || kindOf(object) === 'Secret') for (const words of written(object)) found.set(words, object);
  return found;
});

/** Words in which a name may be, a path among them by its last part. */
const wordsOf = (line: string): readonly string[] =>
  line
    .split(/[^\w./-]+/, mostWords)
    .flatMap((word) => [word, word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:pem|crt|key|conf)$/, '')]);

/**
 * The Ingresses, and the Secrets of their certificates, that what a program says is about: a controller serves those of all namespaces, and one
 * that it cannot use may end it.
 */
export function routesSaid({ line, name = '' }: PlacedSign, world: World): readonly Ref[] {
  const known = byWords(everything, world);
  return [...new Set(wordsOf(`${line} ${name}`).flatMap((word) => known.get(word) ?? []))];
}

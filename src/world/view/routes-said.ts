import type { Finding } from '../../model/finding.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { fanOut } from './bounds.ts';
import { saysOf } from './says.ts';

/** Words of one line that are looked up. */
const mostWords = 64;
const everything = refOf('Cluster', '', 'routes');

/** How an object is named in the logs of Ingress and Gateway controllers: by its path, and as the file that ingress-nginx writes for it. */
const written = (ref: Ref): readonly string[] => ['/', '-'].map((joint) => `${namespaceOf(ref)}${joint}${nameOf(ref)}`);

/** All routes and the Secrets that they use, by how they are written down; worked out once for all that ask. */
const byWords = sharedAnswer((_, world): ReadonlyMap<string, Ref> => {
  const found = new Map<string, Ref>();
  for (const { ref } of world.all('Ingress'))
    for (const object of [ref, ...world.linked(ref, 'uses', 'out', fanOut)])
      if (object === ref || kindOf(object) === 'Secret') for (const words of written(object)) found.set(words, object);
  return found;
});

/** Words in which a name may be, a path among them by its last part. */
const wordsOf = (line: string): readonly string[] =>
  line
    .split(/[^\w./-]+/, mostWords)
    .flatMap((word) => [word, word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:pem|crt|key|conf)$/, '')]);

/**
 * The Ingresses, and the Secrets of their certificates, that a program names in what it says of why it fails: a controller serves those of
 * all namespaces, and one that it cannot use may end it.
 */
export function routesSaid(effect: Finding, world: World): readonly Ref[] {
  const words = saysOf(effect, world).flatMap(({ line, name = '' }) => wordsOf(`${line} ${name}`));
  if (words.length === 0) return [];
  const known = byWords(everything, world);
  return [...new Set(words.flatMap((word) => known.get(word) ?? []))];
}

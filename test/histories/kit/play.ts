import { Arena } from './arena.ts';
import type { Happening, History } from './history.ts';
import { randomOf } from './random.ts';
import type { Transcript } from './transcript.ts';

function happen(arena: Arena, each: Happening): void | Promise<void> {
  const knows = (name: string): boolean => arena.providers.some((one) => one.name === name);
  switch (each.is) {
    case 'fails':
      return arena.failAll(each.pods, each.severity, each.how, arena.isBegun ? 0 : 600);
    case 'mended':
      return arena.mend(...each.pods);
    case 'pass':
      return arena.pass(each.seconds);
    case 'mood':
      return arena.products.set(each.of, each.mood);
    case 'created': {
      const { name, family, fallback, home } = each;
      const behind = fallback === undefined || fallback === name ? {} : { fallback };
      return arena.create(name, family, { ...behind, ...(home !== undefined && { home }) });
    }
    case 'deleted':
      return arena.remove(each.name);
    case 'suspended':
    case 'spoiled':
    case 'resumed':
      return arena.edit(each.name, { suspended: each.is === 'suspended', invalid: each.is === 'spoiled' });
    case 'rotated':
      return arena.rotate(each.name);
    case 'fallsBack':
      return arena.edit(each.name, { fallback: each.to === each.name ? undefined : each.to });
    case 'routed':
      return arena.edit(each.name, { severities: each.severities, namespaces: each.namespaces });
    case 'licensed':
      // A name that nobody has would choose nobody.
      return arena.license(each.edition, each.chosen !== undefined && knows(each.chosen) ? each.chosen : undefined);
    case 'muted':
      return arena.mute(each.name, each.seconds, each.kind);
    case 'killed':
      // On Community a new process knows nothing of the one before.
      return arena.edition === 'Pro' ? arena.kill(each.losesTail) : undefined;
  }
}

/**
 * Plays a history, and then lets it heal: whoever refused its credentials gets others, who was suspended or spoiled is right again, all products
 * are well; for hours what is broken stays broken, then for days nothing is.
 */
export async function play(history: History): Promise<Transcript> {
  const random = randomOf(history.seed + 0x5eed);
  const arena = new Arena({ edition: history.edition, random: random.next });
  for (const each of history.before) await happen(arena, each);
  arena.begin();
  for (const each of history.happenings) await happen(arena, each);
  for (const { name, suspended, invalid } of arena.providers) {
    if (suspended || invalid) arena.edit(name, { suspended: false, invalid: false });
    if (arena.products.moodOf(name) === 'revoked') arena.rotate(name);
  }
  // On Community the one that is named must be there.
  if (
    arena.edition === 'Community' &&
    !arena.providers.some(({ name, home }) => name === arena.chosen && home === undefined)
  )
    arena.license('Community');
  await arena.settle();
  await arena.clear();
  return arena.transcript();
}

import { type Memory, recallOfObjects } from '../model/memory.ts';
import type { NotedMap } from '../model/noted-map.ts';
import type { Ref } from '../model/ref.ts';
import { areChanges } from './edits/changes.ts';
import type { Holdings } from './holdings.ts';
import { areDepartures } from './memory/departures.ts';
import { areLapses } from './memory/instability.ts';
import { areLosses } from './memory/losses.ts';
import { areStarts } from './memory/starts.ts';
import type { WorldChanges, WorldTopic } from './view/world-topics.ts';

const notedOf = ({
  changes,
  departures,
  losses,
  instabilities,
  starts,
}: Holdings): Record<WorldTopic, NotedMap<Ref, unknown>> => ({
  edits: changes.noted,
  departures,
  losses,
  lapses: instabilities,
  starts,
});

/** What is to be saved now. */
export function takeChangesOf(held: Holdings): WorldChanges {
  const { edits, departures, losses, lapses, starts } = notedOf(held);
  return {
    edits: edits.takeChanges(),
    departures: departures.takeChanges(),
    losses: losses.takeChanges(),
    lapses: lapses.takeChanges(),
    starts: starts.takeChanges(),
  };
}

/** Goes on from what was saved. `watchedSince`: since when anybody has watched (epoch milliseconds). */
export function restoreTo(held: Holdings, memory: Memory, watchedSince: number | undefined): void {
  held.changes.restore(recallOfObjects(memory, 'edits', areChanges));
  held.departures.restore(recallOfObjects(memory, 'departures', areDepartures));
  held.losses.restore(recallOfObjects(memory, 'losses', areLosses));
  held.instabilities.restore(recallOfObjects(memory, 'lapses', areLapses));
  held.starts.restore(recallOfObjects(memory, 'starts', areStarts));
  if (watchedSince !== undefined) held.instabilities.watchSince(watchedSince);
}

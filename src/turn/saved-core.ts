import { type Detection, isSaid } from '../detect/detection.ts';
import type { Explainer } from '../explain/explainer.ts';
import type { Incidents } from '../incident/incidents.ts';
import type { Memo } from '../model/memo.ts';
import { isNumber, isText, isTrue, recall, recallOfObjects } from '../model/memory.ts';
import type { Restored } from '../model/turn.ts';
import { isSavedNormal } from '../world/memory/own-normal.ts';
import { isSavedNotes } from '../world/memory/saved-notes.ts';
import { given } from '../world/reading/fields.ts';
import type { WatchedWorld } from '../world/watched-world.ts';
import type { LateSources } from './late-sources.ts';
import { isLedger, type Ledgers } from './ledgers.ts';
import { isRemembered, type Presses } from './presses.ts';
import type { ProviderTests } from './provider-tests.ts';
import { isDecided, type Redeliveries } from './redeliveries.ts';
import { presenceAt, type Remembered, seenUntil } from './remembered.ts';
import type { Reports } from './reports.ts';
import { alertEvents, alertsToSave, isSavedAlert } from './saved-alerts.ts';

/** The parts of the core that a restart must not empty. */
export type CoreParts = {
  readonly world: WatchedWorld;
  readonly detection: Detection;
  readonly explainer: Explainer;
  readonly incidents: Incidents;
  readonly lateSources: LateSources;
  readonly redeliveries: Redeliveries;
  readonly ledgers: Ledgers;
  readonly tests: ProviderTests;
  readonly reports: Reports;
  readonly presses: Presses;
  readonly remembered: Remembered;
};

/** Everything a restart must not lose besides the incidents, by topic, where it is another than at the last call. */
export function takeMemos({ remembered, ...parts }: CoreParts, now: number, clusterId: string): readonly Memo[] {
  const { world, detection, explainer, incidents } = parts;
  const memory = {
    ...incidents.memory(),
    sources: parts.lateSources.memory(),
    tests: parts.tests.memory(),
    redeliveries: parts.redeliveries.memory(),
    deliveries: parts.ledgers.memory(),
    failures: parts.reports.memory(),
    presses: parts.presses.memory(),
    presence: presenceAt(now, clusterId),
    alerts: alertsToSave(world),
    watched: new Map(Object.entries(given({ since: world.watchedSince, podsSince: world.podsWatchedSince }))),
  };
  return remembered.changes(memory, {
    ...{ notes: world.takeNotes(), normals: world.takeNormals(), ...world.takeSeen() },
    ...{ said: detection.takeSaid(), ended: explainer.takeEnded() },
  });
}

/** Goes on from what an earlier process left. */
export function restoreTo(
  { remembered, ...parts }: CoreParts,
  { incidents, memos, savedAt, setBackMs = 0, reports, undelivered, ended }: Restored,
): void {
  const { world, detection, explainer } = parts;
  const memory = remembered.restore(memos);
  world.restore(recall(memory, 'notes', isSavedNotes));
  const watched = recall(memory, 'watched', isNumber);
  world.restoreNormals(recall(memory, 'normals', isSavedNormal), watched.get('since'));
  world.restoreSeen(memory, watched.get('podsSince'));
  world.load('alerts', alertEvents(recall(memory, 'alerts', isSavedAlert).values()), savedAt);
  const outbox = undelivered && { undelivered: new Set(undelivered), ...(ended && { ended: new Set(ended) }) };
  parts.incidents.restore(incidents, seenUntil(memory, savedAt), memory, outbox);
  const open = incidents.filter(({ state, foldedInto }) => state === 'Open' && foldedInto === undefined);
  const explanations = open.map(({ explanation }) => explanation);
  explainer.restore(explanations, memory);
  detection.restore(
    explanations.flatMap(({ members }) => members),
    seenUntil(memory, savedAt) + setBackMs,
  );
  detection.restoreSaid(recallOfObjects(memory, 'said', isSaid));
  parts.lateSources.restore(recall(memory, 'sources', isText));
  parts.tests.restore(recall(memory, 'tests', isText));
  parts.redeliveries.restore(recall(memory, 'redeliveries', isDecided));
  parts.ledgers.restore(recall(memory, 'deliveries', isLedger));
  parts.presses.restore(recall(memory, 'presses', isRemembered));
  parts.reports.restore(reports, recall(memory, 'failures', isTrue));
}

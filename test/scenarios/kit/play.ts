import type { Delivery, DeliveryReport } from '../../../src/model/delivery.ts';
import type { Edition } from '../../../src/model/edition.ts';
import type { Decision } from '../../../src/model/incident.ts';
import type { Notification } from '../../../src/model/notification.ts';
import type { Settings } from '../../../src/model/settings.ts';
import type { Saved } from '../../../src/model/store.ts';
import type { Effects, Input } from '../../../src/model/turn.ts';
import { evidenceFor } from '../../../src/runtime/recording/container-logs.ts';
import { replaySettings } from '../../../src/runtime/recording/replay-settings.ts';
import { restoredFrom } from '../../../src/runtime/saving/restored.ts';
import type { MemoryStore } from '../../../src/state/memory.ts';
import { Core } from '../../../src/turn/core.ts';
import type { Log } from './log.ts';

/** One message as a provider got it. */
export type Message = {
  /** Epoch milliseconds of the decision. */
  readonly at: number;
  /** Which run of Tocsin sent it, from 0; a restart begins a new one. */
  readonly run: number;
  readonly delivery: Delivery;
  readonly notification: Notification;
};

/** Everything a replayed scenario did. */
export type Played = {
  readonly messages: readonly Message[];
  readonly decisions: readonly Decision[];
  /** What the turns added to the metrics. */
  readonly counters: Effects['counters'];
  readonly turns: number;
};

const scenarioSettings: Settings = { ...replaySettings, app: { ...replaySettings.app, clusterName: 'scenario' } };

/** Time alone goes on for so long after the last line: the longest hold of a first recovery, and the cooldown. */
const epilogueMs = 40 * 60_000;
/** A scenario takes far fewer; more would be a core that never rests. */
const mostTurns = 20_000;

/**
 * Replays a log on a simulated clock: a turn for each line, turns in between whenever the core asked to be woken, and what
 * time alone brings after the last line, in an edition. Log lines that the core asks for are there at once; every delivery arrives.
 * `store`: what is saved, for a restart to go on from; without it a restart forgets everything.
 */
export function play(log: Log, edition: Edition = 'Community', store?: MemoryStore): Played {
  const settings: Settings = { ...scenarioSettings, edition };
  const messages: Message[] = [];
  const decisions: Decision[] = [];
  const counters: Effects['counters'][number][] = [];
  /** The newest recording of each container comes first. */
  const logs = log.lines.flatMap((line) => line.logs ?? []).reverse();
  let run = 0;
  let turns = 0;
  let wakeAt: number | undefined;
  let savedAt = 0;
  const fresh = (): Core =>
    new Core({ clusterId: log.header.clusterId, version: log.header.version, traits: new Map() });
  let core = fresh();

  function step(inputs: readonly Input[], now: number): void {
    const outbox: Delivery[] = [];
    for (let next = inputs; next.length > 0; ) {
      turns += 1;
      if (turns > mostTurns) throw new Error(`more than ${mostTurns} turns: the core asks to be woken again and again`);
      const effects: Effects = core.turn(next, now);
      wakeAt = effects.wakeAt;
      decisions.push(...effects.save.audit);
      counters.push(...effects.counters);
      store?.commit(effects.save);
      savedAt = now;
      for (const newer of effects.save.replace) {
        const index = outbox.findIndex(({ id }) => id === newer.id);
        if (index >= 0) outbox[index] = newer;
      }
      outbox.push(...effects.save.enqueue);
      next = effects.fetch.map((request) => ({ kind: 'evidence', evidence: evidenceFor(request, logs) }));
    }
    if (outbox.length === 0) return;
    for (const delivery of outbox) messages.push({ at: now, run, delivery, notification: delivery.notification });
    step(
      outbox.map((delivery) => ({ kind: 'outcome', report: delivered(delivery, now) })),
      now,
    );
  }
  /** Everything the core wants to be woken for before an instant. */
  function until(instant: number): void {
    while (wakeAt !== undefined && wakeAt < instant) step([{ kind: 'wake' }], wakeAt);
  }

  step([{ kind: 'settings', settings }], log.lines[0]?.now ?? 0);
  for (const { now, inputs, restart } of log.lines) {
    until(now);
    if (restart) {
      run += 1;
      core = fresh();
      step([...savedIn(store, savedAt), { kind: 'settings', settings }], now);
    }
    if (inputs.length > 0) step(inputs, now);
  }
  // What was brought about and stands still since has said how long it is looked at.
  const isWhole = log.lines.some(({ settled }) => settled);
  until((log.lines.at(-1)?.now ?? 0) + (isWhole ? 1 : epilogueMs));
  return { messages, decisions, counters, turns };
}

/** What the process before left in a store, as it is read from a file. */
function savedIn(store: MemoryStore | undefined, savedAt: number): Input[] {
  const saved = store && restoredFrom(JSON.parse(JSON.stringify({ ...store.load(), savedAt })) as Saved);
  return saved ? [{ kind: 'restored', saved }] : [];
}

function delivered(delivery: Delivery, at: number): DeliveryReport {
  const { id, stream, provider, providerUid, act, sequence } = delivery;
  const outcome = { ended: 'delivered', attempts: 1, mayHaveArrived: true, durationMs: 10, at } as const;
  return { delivery: id, stream, provider, providerUid, act, sequence, ...outcome };
}

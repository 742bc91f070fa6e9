import { readFileSync } from 'node:fs';
import { Messages } from '../../src/cli/diff/messages.ts';
import { reportOf } from '../../src/delivery/report.ts';
import type { Delivery } from '../../src/model/delivery.ts';
import type { Settings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { type ContainerLog, evidenceFor } from '../../src/runtime/recording/container-logs.ts';
import { createRecorder } from '../../src/runtime/recording/recorder.ts';
import { providerTraits } from '../../src/runtime/sending/provider-types.ts';
import { Core } from '../../src/turn/core.ts';

/** What happens in a cluster at one instant (epoch milliseconds). `logs`: what can be read of containers from then on. */
export type Happening = {
  readonly now: number;
  readonly inputs: readonly Input[];
  readonly logs?: readonly ContainerLog[];
};

/** What a run recorded, line by line, and what it sent. */
export type RecordedRun = { readonly lines: readonly string[]; readonly sent: Messages };

/** How long a log takes to be read (ms), and a message to arrive. */
const [readMs, sendMs] = [20, 200];
/** What goes on once nothing happens any more (ms): the longest hold of a recovery. */
const epilogueMs = 20 * 60_000;

/**
 * A run of the operator while something happens, as its loop would see it and its recorder writes it to `path`: its turns, its wake-ups, so many
 * milliseconds late as on a busy machine, and how its deliveries end.
 */
export function recordedRun(
  happenings: Iterable<Happening>,
  settings: Settings,
  { path, lateMs = 7 }: { readonly path: string; readonly lateMs?: number },
): RecordedRun {
  const identity = { clusterId: 'scenario', version: '1.0.0' };
  const core = new Core({ ...identity, traits: providerTraits, setsAside: true });
  const record = createRecorder({
    ...{ path, header: identity },
    failed(error) {
      throw error;
    },
  });
  const sent = new Messages();
  const underWay = new Map<string, Delivery>();
  /** The newest first. */
  let logs: readonly ContainerLog[] = [];
  let wakeAt: number | undefined;
  let isBegun = false;
  let lastAt = 0;

  function turn(inputs: readonly Input[], now: number): void {
    const effects = core.turn(record(inputs, now), now);
    const { save, fetch, wakeAt: next } = effects;
    [wakeAt, lastAt] = [next, now];
    sent.take(effects);
    for (const delivery of [...save.enqueue, ...save.replace]) underWay.set(delivery.id, delivery);
    for (const id of save.drop) underWay.delete(id);
    if (fetch.length > 0)
      turn(
        fetch.map((request) => ({ kind: 'evidence', evidence: evidenceFor(request, logs) })),
        now + readMs,
      );
  }

  function until(instant: number): void {
    for (;;) {
      const due = [...underWay.values()].toSorted((a, b) => a.notBefore - b.notBefore)[0];
      const arrivesAt = due ? due.notBefore + sendMs : Number.POSITIVE_INFINITY;
      const wakesAt = (wakeAt ?? Number.POSITIVE_INFINITY) + lateMs;
      const next = Math.max(lastAt, Math.min(arrivesAt, wakesAt));
      if (next >= instant) return;
      if (due && arrivesAt <= wakesAt) {
        underWay.delete(due.id);
        const end = { ended: 'delivered', attempts: 1, mayHaveArrived: true } as const;
        turn([{ kind: 'outcome', report: reportOf(due, end, next) }], next);
      } else turn([{ kind: 'wake' }], next);
    }
  }

  for (const { now, inputs, logs: more = [] } of happenings) {
    if (isBegun) until(now);
    else turn([{ kind: 'settings', settings }], now);
    isBegun = true;
    logs = [...more.toReversed(), ...logs];
    if (inputs.length > 0) turn(inputs, Math.max(lastAt, now));
  }
  until(lastAt + epilogueMs);
  return { lines: readFileSync(path, 'utf8').trimEnd().split('\n'), sent };
}

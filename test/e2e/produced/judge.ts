import { sentenceOf } from '../../../src/message/phrases/phrases.ts';
import type { Finding } from '../../../src/model/finding.ts';
import type { Decision } from '../../../src/model/incident.ts';
import type { Ref } from '../../../src/model/ref.ts';
import type { Input } from '../../../src/model/turn.ts';
import { replaySettings } from '../../../src/runtime/recording/replay-settings.ts';
import { Core } from '../../../src/turn/core.ts';
import type { ProducedCase } from './case.ts';
import { isOwnRef, ownEvents } from './own.ts';
import type { Played } from './play.ts';

/** A finding, and since when it is one (epoch milliseconds). */
export type Found = { readonly finding: Finding; readonly at: number; readonly says: string };

/** What the core makes of a case. */
export type Judged = {
  /** Everything that was found of the case's own objects, in the order of time. */
  readonly found: readonly Found[];
  /** What was told of them. */
  readonly opened: readonly Decision[];
};

/** A core that asks to be woken more often than this has gone mad. */
const mostTurns = 200_000;

/** What the operator would have heard if nobody else's case were in the cluster. */
function ownInput(input: Input, { ns, namespaces }: Played): Input | undefined {
  if (input.kind !== 'objects') return input;
  const events = ownEvents(input.events, ns, namespaces);
  return events.length === 0 ? undefined : { ...input, events };
}

/** What comes within so long is one turn, as it is on a busy machine. */
const turnMs = 250;

/** What was heard of a case until it had settled, in turns. */
function turnsOf(played: Played): readonly { readonly now: number; readonly inputs: readonly Input[] }[] {
  const turns: { now: number; inputs: Input[] }[] = [];
  for (const { now, input } of played.heard) {
    if (now > played.settledAt) break;
    const own = ownInput(input, played);
    if (own === undefined) continue;
    const last = turns.at(-1);
    // What was there before the baseline is all one turn.
    if (
      last &&
      (now - last.now < turnMs || (!last.inputs.some(({ kind }) => kind === 'baseline') && turns.length === 1))
    )
      last.inputs.push(own);
    else turns.push({ now, inputs: [own] });
  }
  return turns;
}

/**
 * Lets the real core hear what was recorded of a case until it had settled, turn by turn, and then lets time go on for
 * `withinSeconds` while nothing changes.
 */
export function judge(row: ProducedCase, played: Played): Judged {
  const { ns, heard, settledAt } = played;
  const core = new Core({ clusterId: 'produced', version: '1.0.0', traits: new Map() });
  // A case may be about something that has its name from others: the Lease of the scheduler.
  const isOwn = (ref: Ref): boolean => isOwnRef(ref, ns) || ref === row.subject(ns);
  const found = new Map<string, Found>();
  const opened: Decision[] = [];
  let turns = 0;
  let wakeAt: number | undefined;
  const turn = (inputs: readonly Input[], now: number): void => {
    turns += 1;
    if (turns > mostTurns) throw new Error(`more than ${mostTurns} turns: the core asks to be woken again and again`);
    const effects = core.turn(inputs, now);
    wakeAt = effects.wakeAt;
    opened.push(...effects.save.audit.filter(({ action, root }) => action === 'open' && isOwn(root)));
    for (const finding of core.view.findings()) {
      const { subject, reason, scope = '' } = finding;
      const key = `${subject.ref} ${reason} ${scope}`;
      if (!found.has(key) && isOwn(subject.ref)) found.set(key, { finding, at: now, says: sentenceOf(finding) });
    }
  };
  const until = (instant: number): void => {
    while (wakeAt !== undefined && wakeAt < instant) turn([{ kind: 'wake' }], wakeAt);
  };
  const settings = { ...replaySettings, edition: row.edition ?? 'Community' };
  turn([{ kind: 'settings', settings }], heard[0]?.now ?? settledAt);
  for (const { now, inputs } of turnsOf(played)) {
    until(now);
    turn(inputs, now);
  }
  until(settledAt + (row.withinSeconds ?? 120) * 1000);
  return { found: [...found.values()], opened };
}

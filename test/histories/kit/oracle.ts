import { alertsLeftOpen, closedByAnother } from './rules/ending.ts';
import { openingsLost, reasonsSwallowed, risesSwallowed } from './rules/knowing.ts';
import { tooOften } from './rules/pacing.ts';
import { outOfOrder, repeats, strangersTold, toldThoughMuted, wokenForWhatIsOver } from './rules/telling.ts';
import type { Fault, Transcript } from './transcript.ts';

/** What must hold of every history, one rule each. */
const rules: readonly ((transcript: Transcript) => Iterable<Fault>)[] = [
  ...[openingsLost, alertsLeftOpen, closedByAnother, risesSwallowed, reasonsSwallowed],
  ...[outOfOrder, repeats, tooOften, toldThoughMuted, strangersTold, wokenForWhatIsOver],
];

/** Everything that was wrong in a history. */
export function judge(transcript: Transcript): readonly Fault[] {
  return rules.flatMap((rule) => [...rule(transcript)]);
}

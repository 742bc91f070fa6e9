import type { MutedBy, Note } from '../model/note.ts';
import { describeRef, kindOf, type Ref, refOf } from '../model/ref.ts';
import { clockTime, count, objectOf } from './words.ts';

/** What mutes, in words: as the agent of a sentence in the passive. */
type MuteWords = {
  /** `is muted by Silence shop/deploy`: of the cause, or of part of it. */
  readonly is: string;
  /** `Muted until 06:00 UTC by …`. */
  until(time: string): string;
};

/** A Silence or the filters mute; a window or an annotation says that there is maintenance. */
function muteWords(by: MutedBy): MuteWords {
  const who = agentOf(by);
  const ref = refIn(by);
  if (ref === undefined || kindOf(ref) === 'Silence')
    return { is: `is muted by ${who}`, until: (time) => `Muted until ${time} by ${who}.` };
  return {
    is: `is in maintenance (${who})`,
    until: (time) => `Held back until ${time}, during maintenance (${who}).`,
  };
}

/** Who mutes, as people call it: `Silence shop/deploy`, `annotation of Deployment shop/api`. */
export function agentOf(by: MutedBy): string {
  const ref = refIn(by);
  if (ref === undefined) return `the filter on ${by.replace(/^filters\./, '')}`;
  const own = kindOf(ref) === 'Silence' || kindOf(ref) === 'MaintenanceWindow';
  return own ? describeRef(ref) : `annotation of ${describeRef(ref)}`;
}

function refIn(by: MutedBy): Ref | undefined {
  const [kind = '', namespace = '', ...name] = by.split('/');
  return name.length === 0 ? undefined : refOf(kind, namespace, name.join('/'));
}

const words: { readonly [K in Note['is']]: (note: Note & { readonly is: K }, now: number) => string } = {
  mutedUntil: ({ at, by }, now) => muteWords(by).until(clockTime(at, now)),
  causeMuted: ({ root, by }) => `The cause, ${describeRef(root)}, ${muteWords(by).is}.`,
  partMuted: ({ by }) => `Part of it ${muteWords(by).is}.`,
  wasPartOf: ({ root }) => `It was part of the incident on ${objectOf(root)}.`,
  recurring: () =>
    'From now on you get one summary a day instead of a message for each failure and recovery, and a message once it has stayed healthy.',
  sentAgain: ({ at }, now) => `Sent again: it could not be delivered at ${clockTime(at, now)}.`,
  cameBack: ({ times, since }, now) => `It has come back ${count(times, 'time')} since ${clockTime(since, now)}.`,
};

/** A note as a sentence. */
function sentenceOf<K extends Note['is']>(note: Note & { readonly is: K }, now: number): string {
  return words[note.is](note, now);
}

/** What a message says beside its incident, `undefined` when that is nothing. `now`: epoch milliseconds. */
export function noteOf(notes: readonly Note[] = [], now: number): string | undefined {
  return notes.length === 0 ? undefined : notes.map((note) => sentenceOf(note, now)).join(' ');
}

import type { MutedBy, Note } from '../model/note.ts';
import { describeRef, refOf } from '../model/ref.ts';
import { clockTime, count, objectOf } from './words.ts';

/** What mutes: `Silence shop/deploy`, `the filter on namespaces`. */
function describeMute(by: MutedBy): string {
  const [kind = '', namespace = '', ...name] = by.split('/');
  if (name.length > 0) return describeRef(refOf(kind, namespace, name.join('/')));
  return `the filter on ${by.replace(/^filters\./, '')}`;
}

const words: { readonly [K in Note['is']]: (note: Note & { readonly is: K }, now: number) => string } = {
  mutedUntil: ({ at, by }, now) => `Muted until ${clockTime(at, now)} by ${describeMute(by)}.`,
  causeMuted: ({ root, by }) => `The cause, ${describeRef(root)}, is muted by ${describeMute(by)}.`,
  partMuted: ({ by }) => `Part of it is muted by ${describeMute(by)}.`,
  wasPartOf: ({ root }) => `It was part of the incident on ${objectOf(root)}.`,
  recurring: () =>
    'From now on you get one summary a day instead of a message for each failure and recovery, and a message once it has stayed healthy.',
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

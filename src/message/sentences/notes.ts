import type { Audience } from '../../model/incident.ts';
import type { MutedBy, Note } from '../../model/note.ts';
import { describeRef, kindOf, nameOf, type Ref, refOf } from '../../model/ref.ts';
import type { Settings, SilenceSettings } from '../../model/settings.ts';
import { wholeCluster } from '../../model/view.ts';
import { quote } from '../parts/phrase.ts';
import { clockTime } from '../parts/times.ts';
import { count, objectOf, sentence } from '../parts/words.ts';

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
  if (ref !== undefined && kindOf(ref) === 'Hub')
    return {
      is: `is told by ${who}`,
      until: (time) => `Until ${time} ${who} told this; it does not confirm that any more.`,
    };
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
  if (kindOf(ref) === 'Hub') return `the hub ${nameOf(ref)}`;
  const own = kindOf(ref) === 'Silence' || kindOf(ref) === 'MaintenanceWindow';
  return own ? describeRef(ref) : `annotation of ${describeRef(ref)}`;
}

function refIn(by: MutedBy): Ref | undefined {
  const [kind = '', namespace = '', ...name] = by.split('/');
  return name.length === 0 ? undefined : refOf(kind, namespace, name.join('/'));
}

/** Who reads a note, when (epoch milliseconds), and what is muted by the settings. */
export type NoteContext = {
  readonly audience: Audience;
  readonly now: number;
  readonly settings: Pick<Settings, 'silences' | 'windows'>;
};

/**
 * What the author of a Silence or window wrote, after what it does: ` alice says: index migration.` Whoever is told of one namespace
 * reads what was written in it.
 */
function comment(by: MutedBy, { audience, settings: { silences, windows } }: NoteContext): string {
  const author: Pick<SilenceSettings, 'ref' | 'namespace' | 'comment' | 'createdBy'> | undefined = [
    ...silences,
    ...windows,
  ].find(({ ref }) => ref === by);
  if (!author?.comment || (audience !== wholeCluster && audience !== author.namespace)) return '';
  return ` ${quote(sentence(author.createdBy ?? 'its comment'), author.comment)}`;
}

type Words<K extends Note['is']> = (note: Note & { readonly is: K }, context: NoteContext) => string;

const words: { readonly [K in Note['is']]: Words<K> } = {
  mutedUntil: ({ at, by }, context) => `${muteWords(by).until(clockTime(at, context.now))}${comment(by, context)}`,
  causeMuted: ({ root, by }, context) => `The cause, ${describeRef(root)}, ${muteWords(by).is}.${comment(by, context)}`,
  partMuted: ({ by }, context) => `Part of it ${muteWords(by).is}.${comment(by, context)}`,
  wasPartOf: ({ root }) => `It was part of the incident on ${objectOf(root)}.`,
  recurring: () =>
    'From now on you get one summary a day instead of a message for each failure and recovery, and a message once it has stayed healthy.',
  standsIn: ({ provider, via, code, message }) => {
    const trouble = `${nameOf(provider)} could not be told (${code}: ${message}); it is tried again.`;
    return via === undefined ? trouble : `Sent via ${nameOf(via)} because ${trouble}`;
  },
  sentAgain: ({ at }, { now }) => `Sent again: it could not be delivered at ${clockTime(at, now)}.`,
  cameBack: ({ times, since }, { now }) => `It has come back ${count(times, 'time')} since ${clockTime(since, now)}.`,
};

/** A note as a sentence. */
function sentenceOf<K extends Note['is']>(note: Note & { readonly is: K }, context: NoteContext): string {
  return words[note.is](note, context);
}

/** What a message says beside its incident, `undefined` when that is nothing. */
export function noteOf(notes: readonly Note[] = [], context: NoteContext): string | undefined {
  return notes.length === 0 ? undefined : notes.map((note) => sentenceOf(note, context)).join(' ');
}

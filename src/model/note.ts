import type { Ref } from './ref.ts';

/** What mutes: the ref of a Silence, of a MaintenanceWindow or of an annotated object, or the field of the filters (`filters.namespaces`). */
export type MutedBy = string;

/** What a message says beside its incident, as facts; `message` finds the words. Times are epoch milliseconds. */
export type Note =
  /** It was muted until then and is told now. */
  | { readonly is: 'mutedUntil'; readonly at: number; readonly by: MutedBy }
  /** Its cause is muted, what the cause breaks is not. */
  | { readonly is: 'causeMuted'; readonly root: Ref; readonly by: MutedBy }
  /** Some of what the cause breaks is muted. */
  | { readonly is: 'partMuted'; readonly by: MutedBy }
  /** At its end it was part of another incident, of this root. */
  | { readonly is: 'wasPartOf'; readonly root: Ref }
  /** It keeps coming back: its recoveries are not told any more, a summary comes once a day. */
  | { readonly is: 'recurring' }
  /** How often it came back since then. */
  | { readonly is: 'cameBack'; readonly times: number; readonly since: number }
  /** Another provider could not be told of it. */
  | {
      readonly is: 'standsIn';
      readonly provider: Ref;
      /** The fallback that is told meanwhile. Absent: it knows of the incident already. */
      readonly via?: Ref;
      readonly code: string;
      readonly message: string;
    }
  /** It could not be delivered then, and somebody had it sent again. */
  | { readonly is: 'sentAgain'; readonly at: number };

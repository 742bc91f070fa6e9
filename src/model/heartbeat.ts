/** What keeps the heartbeat from being sent, as codes: each means that a real problem might not reach anybody. */
export const hindrances = [
  'LockNotHeld',
  'StateNotLoaded',
  'SourceNotWatched',
  'TurnStuck',
  'NoActiveProvider',
  'DeliveryFailing',
] as const;

/** One of the codes above. */
export type Hindrance = (typeof hindrances)[number];

/** How the heartbeat is. */
export type HeartbeatView =
  /** Nobody asked for one. */
  | { readonly is: 'off' }
  /** None has been sent yet. */
  | { readonly is: 'pending' }
  /** The last one was accepted. */
  | { readonly is: 'sent' }
  /** Not sent, so that the switch tells people. */
  | { readonly is: 'withheld'; readonly because: readonly Hindrance[] }
  /** The last one was not accepted: a sentence's end that says why. */
  | { readonly is: 'failing'; readonly why: string };

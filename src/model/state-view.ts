/** What is known of saved state, for conditions, `/health` and readiness. */
export type StateView = {
  /** Absent: none was given, so nothing can be saved. */
  readonly directory?: string;
  /** Another process holds the lock of the directory. */
  readonly busy: boolean;
  /** Why nothing can be saved at the moment. `code` is bounded; `message` is for people. */
  readonly problem?: { readonly code: string; readonly message: string };
  /** Whether what is written there outlives the Pod, as far as can be told; `why` not: a clause. */
  readonly durability:
    | { readonly is: 'durable' }
    | { readonly is: 'notDurable'; readonly why: string }
    | { readonly is: 'unknown' };
  /** A file that could not be used lately and is kept under this name: what was in it is not known any more. */
  readonly aside?: string;
  /** Saved rows that could not be used and are kept in the quarantine of the file; `isNews`: some of them lately. */
  readonly setAside?: { readonly rows: number; readonly isNews: boolean };
};

/** Without a state directory. */
export const withoutState: StateView = {
  busy: false,
  durability: { is: 'notDurable', why: 'no state directory is given (`tocsin run --state-dir`)' },
};

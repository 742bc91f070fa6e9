import type { Size } from './database.ts';
import type { LockAttempt } from './lock-file.ts';
import type { SaveProblem } from './problem.ts';
import type { SetAside } from './quarantine.ts';
import type { PackedChange } from './tables.ts';

/** What the thread that writes works with. */
export type ThreadData = { readonly directory: string; readonly size?: Size };

/** What the thread is asked to do, one after the other. */
export type Request =
  | { readonly do: 'lock' }
  | { readonly do: 'unlock' }
  /** Reads what was saved: `rows`, then `opened`. `now`: epoch milliseconds. */
  | { readonly do: 'open'; readonly now: number }
  /** Nobody waits for what was saved any more: it is not to be written over. */
  | { readonly do: 'leaveUnread' }
  /**
   * Part of a transaction: the rows of the first call begin it, `end` commits it. `whole`: they are all there is.
   */
  | {
      readonly do: 'write';
      readonly rows: readonly PackedChange[];
      readonly whole: boolean;
      readonly end?: CommitRequest;
    }
  | { readonly do: 'close' };

/** The end of a transaction. `at`: now, epoch milliseconds. `shrink`: nothing of what was deleted stays in the file. */
export type CommitRequest = { readonly group: number; readonly at: number; readonly shrink: boolean };

/** What was found when the state file was opened. */
export type Opening = {
  /** `unread`: there may be something, and it could not be read. */
  readonly is: 'read' | 'unread';
  /** The damaged file is kept under this name; a new one was begun. */
  readonly aside?: string;
  /** Why nothing can be saved at the moment, if so. */
  readonly problem?: SaveProblem;
  /** Rows that cannot be gone on from are kept apart; absent: there are none. */
  readonly setAside?: SetAside;
  /** Epoch milliseconds: when it was last written. */
  readonly savedAt?: number;
};

/** What the thread says. */
export type Answer =
  | { readonly is: 'lock'; readonly attempt: LockAttempt }
  | { readonly is: 'rows'; readonly rows: readonly PackedChange[] }
  | { readonly is: 'opened'; readonly opening: Opening }
  /** `aside`: an older file was in the way and is kept under this name. */
  | { readonly is: 'committed'; readonly group: number; readonly aside?: string }
  /** The file was too large: so many rows of history had to go. */
  | { readonly is: 'trimmed'; readonly rows: number }
  /** Nothing of the transaction is in the file. */
  | { readonly is: 'failed'; readonly group: number; readonly problem: SaveProblem }
  /** What was committed lately may not be on the disk; the file is closed. */
  | { readonly is: 'unsynced'; readonly problem: SaveProblem }
  | { readonly is: 'closed' };

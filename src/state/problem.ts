import { errorMessage } from '../model/error-message.ts';
/** Why state cannot be saved. For conditions, `/health` and log lines. */
export type SaveProblemCode =
  /** No space, or the quota or the file's own limit is reached. */
  | 'DiskFull'
  | 'ReadOnly'
  /** A write has taken longer than a delivery may wait for it. */
  | 'Slow'
  /** The file was damaged while it was in use; it is kept aside. */
  | 'Corrupt'
  /** The file is another program's or a newer version's. */
  | 'ForeignFile'
  /** Another process holds the lock of the directory. */
  | 'Locked'
  | 'IOError';

/** Why state cannot be saved, with words for people. */
export type SaveProblem = { readonly code: SaveProblemCode; readonly message: string };

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) that tell a problem from an I/O error. */
const sqliteCodes: Readonly<Record<number, SaveProblemCode>> = {
  8: 'ReadOnly',
  11: 'Corrupt',
  13: 'DiskFull',
  26: 'Corrupt',
};
/** The same for system calls. */
const systemCodes: Readonly<Record<string, SaveProblemCode>> = {
  ENOSPC: 'DiskFull',
  EDQUOT: 'DiskFull',
  EROFS: 'ReadOnly',
  EACCES: 'ReadOnly',
  EPERM: 'ReadOnly',
};

/** The file was written by a newer version, or by another program: it is left as it is. */
export class ForeignFile extends Error {}

/** What was learnt of a problem elsewhere, thrown. */
export class SaveFailed extends Error {
  readonly problem: SaveProblem;

  constructor(problem: SaveProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What an error of SQLite or of the file system comes to. */
export function problemOf(error: unknown): SaveProblem {
  if (error instanceof SaveFailed) return error.problem;
  const message = errorMessage(error);
  if (error instanceof ForeignFile) return { code: 'ForeignFile', message };
  const { errcode, code } = codesOf(error);
  // The low byte is the primary code, the others say more of it.
  const known = sqliteCodes[errcode & 0xff] ?? systemCodes[code];
  return { code: known ?? 'IOError', message };
}

function codesOf(error: unknown): { readonly errcode: number; readonly code: string } {
  if (typeof error !== 'object' || error === null) return { errcode: 0, code: '' };
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { errcode, code };
}

import { credentialsRows } from './families/credentials.ts';
import { nameRows } from './families/names.ts';
import { networkRows } from './families/network.ts';
import type { SignRow } from './row.ts';

/** Every row. On one line the first that matches says what it is: what is more telling stands before what wraps it. */
export const signRows: readonly SignRow[] = [...nameRows, ...credentialsRows, ...networkRows];

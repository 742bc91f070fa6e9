import type { SignRow } from '../row.ts';

/** Users whom a server does not let in. */
export const credentialsRows: readonly SignRow[] = [
  {
    kind: 'none',
    needs: ['password authentication failed', 'no pg_hba.conf entry'],
    pattern: /^\d{4}-\d\d-\d\d [\d:.]{8,15} \w{1,5} \[\d{1,10}\](?: [^:]{1,80})? FATAL: /,
    source: 'PostgreSQL server log: it turned away a client',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['password authentication failed'],
    pattern: /password authentication failed for user "(?<name>[^"]{1,80})"/,
    source: 'PostgreSQL ERRCODE_INVALID_PASSWORD, as all its clients pass it on',
  },
];

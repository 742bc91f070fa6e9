import { type SignCase, says } from '../case.ts';

export const credentialsCases: readonly SignCase[] = [
  says(
    'libpq',
    'connection to server at "db.shop" (10.96.12.4), port 5432 failed: FATAL:  password authentication failed for user "app"',
    'CredentialsRejected',
    { target: 'db.shop:5432', name: 'app' },
  ),
  says('lib/pq', 'pq: password authentication failed for user "app"', 'CredentialsRejected', { name: 'app' }),
];

import { type SignCase, says } from '../case.ts';

export const networkCases: readonly SignCase[] = [
  says('Go net', 'failed to connect: dial tcp 10.0.0.5:5432: connect: connection refused', 'ConnectionRefused', {
    target: '10.0.0.5:5432',
  }),
  says('Go net, IPv6', 'dial tcp [fd00:10:96::a]:6379: connect: connection refused', 'ConnectionRefused', {
    target: 'fd00:10:96::a:6379',
  }),
  says('Node', 'Error: connect ECONNREFUSED 10.96.12.4:5432', 'ConnectionRefused', { target: '10.96.12.4:5432' }),
  says(
    'libpq',
    'connection to server at "db.shop" (10.96.12.4), port 5432 failed: Connection refused',
    'ConnectionRefused',
    { target: 'db.shop:5432' },
  ),
  says(
    'redis-py',
    'redis.exceptions.ConnectionError: Error 111 connecting to redis:6379. Connection refused.',
    'ConnectionRefused',
    { target: 'redis:6379' },
  ),
  says('Go net', 'dial tcp 10.0.0.5:9092: i/o timeout', 'ConnectionTimedOut', { target: '10.0.0.5:9092' }),
];

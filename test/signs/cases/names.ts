import { type SignCase, says } from '../case.ts';

export const nameCases: readonly SignCase[] = [
  says('Go net', '2026/03/01 10:00:00 dial tcp: lookup db.shop on 10.96.0.10:53: no such host', 'NameNotResolved', {
    target: 'db.shop',
  }),
  says(
    'Go net, its DNS server silent',
    'panic: dial tcp: lookup redis on 10.96.0.10:53: read udp 10.244.1.7:41234->10.96.0.10:53: i/o timeout',
    'NameNotResolved',
    { target: 'redis' },
  ),
  says('Node', 'Error: getaddrinfo ENOTFOUND db', 'NameNotResolved', { target: 'db' }),
  says('Node', 'Error: getaddrinfo EAI_AGAIN kafka.events.svc.cluster.local', 'NameNotResolved', {
    target: 'kafka.events.svc.cluster.local',
  }),
  says('Java', 'Caused by: java.net.UnknownHostException: db.shop: Name or service not known', 'NameNotResolved', {
    target: 'db.shop',
  }),
  says(
    'libpq',
    'psycopg2.OperationalError: could not translate host name "db" to address: Name or service not known',
    'NameNotResolved',
    { target: 'db' },
  ),
  says(
    'nginx',
    'nginx: [emerg] host not found in upstream "api.shop:8080" in /etc/nginx/conf.d/default.conf:3',
    'NameNotResolved',
    { target: 'api.shop:8080' },
  ),
];

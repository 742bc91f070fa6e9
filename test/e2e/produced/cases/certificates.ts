import { createAuthority } from '../../../../sandbox/certificate.ts';
import { produced } from '../case.ts';
import type { Hands, Manifest } from '../hands.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A TLS Secret whose certificate ends so far from now (ms), after 90 days; `key`: of another certificate. */
function tlsSecret(endsInMs: number, { foreignKey = false } = {}): Manifest {
  const notAfter = Date.now() + endsInMs;
  const authority = createAuthority('Produced CA', Date.now());
  const sign = () =>
    authority.sign({ commonName: 'web.example', names: ['web.example'], notBefore: notAfter - 90 * day, notAfter });
  const pair = sign();
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web-tls' }, type: 'kubernetes.io/tls' },
    data: { 'tls.crt': base64(pair.certificate), 'tls.key': base64(foreignKey ? sign().key : pair.key) },
  };
}

/** An Ingress that shows it, and the Service behind. */
const shown: readonly Manifest[] = [
  {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
    spec: { ports: [{ name: 'web', port: 80, protocol: 'TCP' }] },
  },
  {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'web' } },
    spec: {
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      tls: [{ hosts: ['web.example'], secretName: 'web-tls' }],
    },
  },
];

const row = {
  id: 'G12',
  edition: 'Pro',
  subject: (ns: string): string => `Secret/${ns}/web-tls`,
  settled: async ({ get }: Hands): Promise<boolean> =>
    (await get('Secret', 'web-tls')) !== undefined && (await get('Ingress', 'web')) !== undefined,
} as const;

/** Certificates in Secrets. */
export const cases = [
  produced({
    ...{ ...row, reason: 'TLSCertExpired', withinSeconds: 10 },
    produce: ({ apply }) => apply(...shown, tlsSecret(-hour)),
  }),
  produced({
    ...{ ...row, reason: 'TLSCertExpiringSoon', withinSeconds: 10 },
    produce: ({ apply }) => apply(...shown, tlsSecret(5 * day)),
  }),
  produced({
    ...{ ...row, reason: 'TLSCertExpiringSoon', what: 'as time goes by', withinSeconds: 7 * 24 * 3_600 },
    produce: ({ apply }) => apply(...shown, tlsSecret(20 * day)),
  }),
  produced({
    ...{ ...row, reason: 'TLSCertUnusable', withinSeconds: 90 },
    produce: ({ apply }) => apply(...shown, tlsSecret(60 * day, { foreignKey: true })),
  }),
];

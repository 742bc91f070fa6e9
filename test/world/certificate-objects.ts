import type { RawObject } from '../../src/model/raw-object.ts';
import { at } from './objects.ts';

const day = 24 * 3_600_000;

/** A certificate as it is kept: how many days from `at(0)` it ends, and how long it lives. */
export function certificate(endsInDays: number, { subject = 'web.example', lifeDays = 90, isSelfIssued = false } = {}) {
  const notAfter = at(0) + endsInDays * day;
  const notBefore = notAfter - lifeDays * day;
  return { id: `${subject}-${endsInDays}`, subject, names: [subject], issuer: 'R3', notBefore, notAfter, isSelfIssued };
}

/** A Secret of type kubernetes.io/tls in `shop`, as it comes from the API client; `tls`: what its certificates say besides. */
export function tlsSecret(
  name: string,
  certificates: readonly object[],
  { tls = {}, renewedBy }: { tls?: object; renewedBy?: string } = {},
): RawObject {
  return {
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: {
      ...{ namespace: 'shop', name, uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' },
      annotations: renewedBy === undefined ? {} : { 'cert-manager.io/certificate-name': renewedBy },
    },
    tls: { certificates, unreadable: 0, isEmpty: certificates.length === 0, isPair: true, ...tls },
  };
}

/** A Certificate of cert-manager in `shop`. `ready`: its condition; `renewsInDays`: counted from `at(0)`. */
export function certManagerCertificate(name: string, ready: object | undefined, renewsInDays: number): RawObject {
  return {
    ...{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate' },
    metadata: {
      namespace: 'shop',
      name,
      uid: `uid-c-${name}`,
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {},
    status: {
      conditions: ready === undefined ? [] : [ready],
      renewalTime: new Date(at(0) + renewsInDays * day).toISOString(),
    },
  };
}

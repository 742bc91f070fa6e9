import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { Buckets, type Verdict, Verdicts } from './verdicts.ts';
import type { Guard } from './views.ts';

/** Why somebody may not read a page: the answer they get. */
export type Refusal = {
  readonly is: 'refused';
  readonly status: 401 | 403 | 429 | 503;
  readonly error: string;
  readonly message: string;
};
/** Whether somebody may read a page. */
export type Admission = { readonly is: 'admitted' } | Refusal;

/** Reviews under way at once; more would let anybody who reaches the port keep the API server busy. */
const maxReviews = 5;

/** Whoever it is. */
export const admitted: Admission = { is: 'admitted' };
const plainHTTP = ({ always, setting = 'statusEndpoint' }: Pick<Guard, 'always' | 'setting'>): Refusal => ({
  is: 'refused',
  status: 403,
  error: 'PlainHTTP',
  message: `Over the network this page is not served without TLS: set statusEndpoint.tls in the AlertConfig, ${always ? '' : 'use `kubectl port-forward`, '}or set ${setting}.allowPlainHTTP where the network is trusted.`,
});
const noToken = ({ always, setting }: Guard): Refusal => ({
  is: 'refused',
  status: 401,
  error: 'Unauthorized',
  message: `Send ${setting === 'alertsIn' ? `the bearer token that ${setting}.token names, or one` : 'a bearer token'} of the cluster, such as \`kubectl create token NAME\` prints${always ? '' : '; a port-forward needs none'}.`,
});
const forbidden = (path: string, { verb = 'get' }: Guard): Refusal => ({
  is: 'refused',
  status: 403,
  error: 'Forbidden',
  message: `The bearer of this token may not ${verb === 'get' ? 'read it' : 'post there'}: grant \`${verb}\` on the nonResourceURL ${path}.`,
});
const tooMany: Refusal = {
  is: 'refused',
  status: 429,
  error: 'TooManyTokens',
  message: 'Too many different tokens came from this address; try again in a while.',
};
const unavailable: Refusal = {
  is: 'refused',
  status: 503,
  error: 'Unavailable',
  message: 'The cluster could not be asked about the token; try again in a while.',
};

/**
 * Decides who reads a guarded page. All pages together share the reviews; what the cluster has just said of a token is not asked again,
 * and each address may ask about so many only. `now`: milliseconds.
 */
export function createAdmission(
  now: () => number,
): (request: IncomingMessage, path: string, guard: Guard) => Promise<Admission> {
  const verdicts = new Verdicts(now);
  const buckets = new Buckets(now);
  let reviews = 0;
  const answer = (verdict: Verdict, path: string, guard: Guard): Admission =>
    verdict === 'allowed' ? admitted : verdict === 'forbidden' ? forbidden(path, guard) : noToken(guard);
  return async (request, path, guard) => {
    const local = isLocal(request);
    if (local && !guard.always) return admitted;
    if (!local && !guard.allowPlainHTTP && !(request.socket instanceof TLSSocket)) return plainHTTP(guard);
    const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return noToken(guard);
    const known = verdicts.get(token, path);
    if (known !== undefined) return answer(known, path, guard);
    if (!buckets.take(request)) return tooMany;
    if (reviews >= maxReviews) return unavailable;
    reviews += 1;
    try {
      const verdict = await guard.authorize(token);
      verdicts.set(token, path, verdict);
      return answer(verdict, path, guard);
    } catch {
      return unavailable;
    } finally {
      reviews -= 1;
    }
  };
}

/** Why something may not travel on this connection: what is neither within the Pod nor over TLS. */
export function whyNotHere(
  request: IncomingMessage,
  guard: Pick<Guard, 'allowPlainHTTP' | 'setting'>,
): Refusal | undefined {
  const isOpen = isLocal(request) || guard.allowPlainHTTP || request.socket instanceof TLSSocket;
  return isOpen ? undefined : plainHTTP({ ...guard, always: true });
}

/** Headers that proxies add: a mesh's sidecar hands requests of the whole network on over loopback. */
const proxied = /^(?:x-forwarded-|x-envoy-|x-real-ip$|x-request-id$|forwarded$|via$|l5d-)/;
const localHosts = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * A connection over loopback, which is a port-forward (RBAC guards that) or somebody inside the Pod. A page in a browser that
 * had its own name resolve to loopback would say that name as Host; a proxy within the Pod shows by the headers it adds, or
 * by another address than these two (Envoy's 127.0.0.6).
 */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return (
    (address === '127.0.0.1' || address === '::1') &&
    localHosts.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => proxied.test(name))
  );
}

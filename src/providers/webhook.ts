import type { Outcome } from '../model/delivery.ts';
import {
  defineProvider,
  group,
  headers,
  readDestination,
  secret,
  string,
  unsendable,
  unsendableHeader,
  writeEvent,
} from './kit.ts';
import type { Answer, Reading } from './provider.ts';
import { eventHeaders } from './webhook/event-headers.ts';
import { isSigningSecret, notSigned, signatureOf } from './webhook/signature.ts';

/** Headers that frame the request or that Tocsin sets itself. */
const refusedHeaders = [
  ...['host', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'connection', 'upgrade'],
  ...['te', 'trailer', 'expect', 'keep-alive', 'proxy-*', 'webhook-*', 'ce-*', 'idempotency-key'],
];

/** RFC 9110: a server that does not implement the method or the version will not do so on the next try either. */
const reading: Reading = {
  errors: { 501: 'permanent', 505: 'permanent' },
  retryAfterMs: rateLimitResetMs,
};

/**
 * Any HTTP receiver: one POST with Tocsin's own versioned JSON body, framed by the headers of CloudEvents 1.0 (binary mode) and
 * Standard Webhooks, so that off-the-shelf receivers work.
 */
export const webhook = defineProvider({
  type: 'webhook',
  product: 'Webhook',
  family: 'log',
  plain: 'native',
  description: 'Posts each notification as one JSON object to an address of yours.',
  behaviour: 'every act is a new request',
  supports: [{ can: 'dedup', when: 'the receiver drops ids that it has seen' }],
  credentials: [
    'Put the address into a Secret: its path or query is often a credential, and so is what stands before the @. A receiver that wants more gets it in `headers` or by `basicAuth`.',
  ],
  notes: [
    'The body is described by the JSON Schema [webhook-body.v1.schema.json](../webhook-body.v1.schema.json). New keys may be added within version `1`: ignore keys you do not know.',
    'Requests of one incident come one after the other, but a retry may arrive late: keep `incident.revision` and drop lower ones. `id` (also `webhook-id`, `ce-id` and `Idempotency-Key`) is the same on every retry of one notification; `incident.key` is the same for every notification of one problem.',
    'With `signingSecret` each request is signed as Standard Webhooks says (`v1`, HMAC-SHA256 over id, time and body), so its libraries verify it; they refuse a request without a signature.',
    'Answer with any 2xx status. Redirects are not followed. 408, 425, 429 and 5xx (but 501 and 505) are tried again, every other status is final; after a 413 the request is repeated once without log lines.',
    'The texts are plain: escape them for wherever you show them.',
  ],
  sample: {
    url: { secretKeyRef: { name: 'receiver', key: 'url' } },
    headers: [{ name: 'X-Team', value: 'platform' }],
  },
  fields: {
    url: secret({
      required: true,
      holds: 'url',
      description: 'Address the notifications are posted to; credentials before the @ become Basic authentication.',
    }),
    headers: headers({ refused: refusedHeaders, description: 'Headers added to every request.' }),
    basicAuth: group(
      {
        description: 'HTTP Basic authentication.',
        rules: [{ cel: 'has(self.username) || !has(self.password)', message: 'set `username` with `password`' }],
      },
      {
        username: string({ description: 'User name.' }),
        password: secret({ description: 'Password; absent means an empty one.' }),
      },
    ),
    signingSecret: secret({
      description: 'Secret of Standard Webhooks (whsec_…, base64): requests carry `webhook-signature`.',
    }),
  },
  rules: [
    {
      cel: "!has(self.basicAuth) || !has(self.headers) || !self.headers.exists(h, h.name.lowerAscii() == 'authorization')",
      message: 'use either `basicAuth` or a header named Authorization, not both',
    },
  ],
  limits: { body: { bytes: 65_536 } },
  pacing: { perSecond: 20, burst: 50 }, // no limit of ours to respect: the receiver says 429
  minTimeoutMs: 15_000,

  async deliver({ notification, delivery, config, send, now }): Promise<Outcome> {
    const destination = readDestination('url', config.url);
    if ('refused' in destination) return destination.refused;
    const broken = unsendableHeader(config.headers);
    if (broken) return unsendable(`header \`${broken}\``);

    const { signingSecret } = config;
    if (signingSecret && !isSigningSecret(signingSecret)) return notSigned;

    const { username, password = '' } = config.basicAuth ?? {};
    const ownAuthorization = Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization');
    const basic = username ? { username, password } : ownAuthorization ? undefined : destination.basic;
    const post = ({ event, body }: ReturnType<typeof writeEvent>): Promise<Answer> =>
      send({
        method: 'POST',
        url: destination.url,
        headers: {
          ...config.headers,
          ...eventHeaders(event, now),
          ...(signingSecret && { 'webhook-signature': signatureOf(signingSecret, event.id, now, body) }),
        },
        body,
        ...(basic && { basic }),
      });
    const answer = await post(writeEvent(notification, { delivery }));
    if (answer.status !== 413 || !notification.excerpt) return answer.outcome(reading);
    return (await post(writeEvent(notification, { delivery, withoutLogs: true }))).outcome(reading);
  },
});

/** `RateLimit-Reset` (seconds) where it is the only hint of how long to wait. */
function rateLimitResetMs({ headers: given }: Answer): number | undefined {
  const seconds = given['ratelimit-reset'];
  return given['retry-after'] === undefined && seconds && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

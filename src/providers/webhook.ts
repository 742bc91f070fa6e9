import type { Outcome } from '../model/delivery.ts';
import { defineProvider, group, headers, readDestination, refuseUnsendable, secret, string } from './kit.ts';
import type { Answer } from './provider.ts';
import { reading } from './webhook/answers.ts';
import { contentTypes, maxSource } from './webhook/body.ts';
import { bodyFlaws } from './webhook/flaws.ts';
import { isSigningSecret, notSigned } from './webhook/signature.ts';
import { remarked, type ToldBody, toldIn } from './webhook/told.ts';

/** Headers that frame the request or that Tocsin sets itself. */
const refusedHeaders = [
  ...['host', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'connection', 'upgrade'],
  ...['te', 'trailer', 'expect', 'keep-alive', 'proxy-*', 'webhook-*', 'ce-*', 'idempotency-key'],
];

/**
 * Any HTTP receiver: one POST with Tocsin's own versioned JSON body, framed by the headers of CloudEvents 1.0 (binary mode) and
 * Standard Webhooks, so that off-the-shelf receivers work.
 */
export const webhook = defineProvider({
  type: 'webhook',
  product: 'Webhook',
  family: 'log',
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
    'With `body` the request says what a receiver wants to read: [recipes](../../../config/recipes). `tocsin lint` tries it on a message of each kind, `tocsin send --dry-run` shows what it makes, and where it fails the message goes out in Tocsin’s own form and the condition `Delivering` has the reason `OwnWordsNotUsed`. It is text: write no credential into it.',
    'The texts are plain: escape them for wherever you show them.',
  ],
  sample: {
    url: { secretKeyRef: { name: 'receiver', key: 'url' } },
    headers: [{ name: 'X-Team', value: 'platform' }],
  },
  flaws: ({ body }) => bodyFlaws(body),
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
    body: string({
      maxLength: maxSource,
      description:
        'An expression in CEL that makes the body, a map or list, of `event`, which is the body that is sent without it. What cannot be evaluated sends that body.',
    }),
    method: string({ oneOf: ['POST', 'PUT'], default: 'POST', description: 'Method of the requests.' }),
    contentType: string({ needs: 'body', oneOf: contentTypes, description: 'Type of that body.' }),
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

  async deliver(attempt) {
    const { notification, config, send } = attempt;
    const destination = readDestination('url', config.url);
    refuseUnsendable(config.headers);

    const { signingSecret, method, contentType, basicAuth } = config;
    if (signingSecret && !isSigningSecret(signingSecret)) return notSigned;

    const { username, password = '' } = basicAuth ?? {};
    const ownAuthorization = Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization');
    const basic = username ? { username, password } : ownAuthorization ? undefined : destination.basic;
    const post = async (told: ToldBody): Promise<readonly [Answer, Outcome]> => {
      const type = contentType !== undefined && told.isOwn && { 'content-type': contentType };
      const headers = { ...config.headers, ...told.headers, ...type };
      const answer = await send({ method, url: destination.url, headers, body: told.body, ...(basic && { basic }) });
      return [answer, remarked(answer.outcome(reading), told)];
    };
    const [answer, outcome] = await post(toldIn(attempt));
    if (answer.status !== 413 || !notification.excerpt) return outcome;
    const [, again] = await post(toldIn(attempt, true));
    return again;
  },
});

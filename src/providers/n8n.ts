import type { Secret } from '../model/secret.ts';
import { defineProvider, readDestination, refuseUnsendable, secret, string, writeEvent } from './kit.ts';
import { checkReading, isUnknown, readingAfter } from './n8n/answers.ts';
import type { Answer } from './provider.ts';

/** Where the editor listens for one call. */
const testAddress = {
  path: /\/webhook-test\//,
  remedy: 'is the test address, which listens for one call only; use the production address of the Webhook node',
};

/** n8n, the Webhook node. Sources: docs.n8n.io (n8n-nodes-base.webhook), n8n-nodes-base 2.41. */
export const n8n = defineProvider({
  type: 'n8n',
  product: 'n8n',
  family: 'log',
  description: 'Starts an n8n workflow with each notification as one JSON object.',
  behaviour: 'every act is a new run of the workflow',
  supports: [{ can: 'dedup', when: 'the flow drops ids that it has seen' }],
  credentials: [
    'Begin the workflow with a *Webhook* node, set its method to POST (the default is GET), publish it, and put its **production** address (`…/webhook/…`) into a Secret.',
    '`token` is sent as it is in the header `Authorization`, so write the scheme too (`Bearer …`, `Basic …`), or use *Header Auth* with the name `Authorization`. For another header use the type `webhook`.',
  ],
  notes: [
    'The body is that of the type `webhook`, described by [webhook-body.v1.schema.json](../webhook-body.v1.schema.json): branch on `$json.body.type` (`incident.opened`, `incident.resolved`, …) and distinguish incidents by `$json.body.incident.key`. `$json.body.id` is the same on every retry of one notification. New keys may be added: ignore those you do not know.',
    'An answer that the flow gives at its end is waited for 30 s. A flow that fails after it began is run again. After a 413 the request is repeated once without log lines.',
    'The test of the credentials asks with GET, which n8n refuses by naming the method it wants; the token is not tested. A node that takes GET as well would run.',
  ],
  sample: {
    url: { secretKeyRef: { name: 'n8n', key: 'url' } },
    token: { secretKeyRef: { name: 'n8n', key: 'token' } },
  },
  fields: {
    url: secret({
      required: true,
      holds: 'url',
      unfit: testAddress,
      description: 'Production address of the Webhook node.',
    }),
    token: secret({ description: 'Whole value of the header Authorization, with its scheme.' }),
    title: string({ description: 'Title of messages that are no incident; by default their own.' }),
  },
  limits: { body: { bytes: 65_536 } },
  pacing: { perSecond: 5, burst: 20 }, // n8n takes 16 MiB and any pace; flows run one process
  minTimeoutMs: 30_000, // the node can answer when its flow is over

  async deliver({ notification, delivery, config, send, now, ref }) {
    const destination = readDestination('url', config.url, testAddress);
    const token = authorizationOf(config);
    refuseUnsendable(token, () => '`token`');
    const { basic } = destination;
    const post = ({ event, body }: ReturnType<typeof writeEvent>): Promise<Answer> =>
      send({
        method: 'POST',
        url: destination.url,
        headers: { 'content-type': 'application/json', 'idempotency-key': event.id, ...token },
        body,
        ...(basic && !config.token && { basic }),
      });
    const written = { delivery, plainTitle: config.title };
    const first = await post(writeEvent(notification, written));
    const tooLarge = first.status === 413 && notification.excerpt;
    const answer = tooLarge ? await post(writeEvent(notification, { ...written, withoutLogs: true })) : first;
    // From the first answer of this delivery on: n8n may have been away for long before it starts.
    const since = ref?.attempt === delivery.attemptKey ? Number(ref.unknownSince) : now;
    const outcome = answer.outcome(readingAfter(now - since));
    if (outcome.is !== 'retryable' || !isUnknown(answer)) return outcome;
    return { ...outcome, ref: { attempt: delivery.attemptKey, unknownSince: String(since) } };
  },

  async check({ config, send }) {
    const destination = readDestination('url', config.url, testAddress);
    const token = authorizationOf(config);
    refuseUnsendable(token, () => '`token`');
    const { basic } = destination;
    const credential = { headers: token, ...(basic && !config.token && { basic }) };
    return (await send({ method: 'GET', url: destination.url, ...credential })).outcome(checkReading);
  },
});

const authorizationOf = ({ token }: { readonly token?: Secret }): Readonly<Record<string, Secret>> =>
  token ? { authorization: token } : {};

import {
  defineProvider,
  isPage,
  notOf,
  readDestination,
  refuseUnsendable,
  secret,
  string,
  tokenHeader,
  waitAfter429,
} from './kit.ts';
import type { Reading } from './provider.ts';
import { zapierEvent } from './zapier/event.ts';

/** The editor's address answers that all is well, too. */
const noHook = {
  path: /^(?!\/hooks\/catch\/[^/]+)/,
  remedy: 'is not the address of a Catch Hook; it is https://hooks.zapier.com/hooks/catch/…',
};

const reading: Reading = {
  failure: (answer) => (answer.status < 300 && isPage(answer) ? notOf(answer, 'Zapier', 'correct `url`') : undefined),
  retryAfterMs: waitAfter429(60_000), // its window is five minutes
};

/** Zapier, Webhooks by Zapier. Sources: help.zapier.com (catch hooks), docs.zapier.com operating constraints. */
export const zapier = defineProvider({
  type: 'zapier',
  product: 'Zapier',
  family: 'log',
  description: 'Starts a Zap with each notification as one flat JSON object.',
  behaviour: 'every act is a new run of the Zap',
  supports: [{ can: 'dedup', when: 'the Zap drops ids that it has seen' }],
  credentials: [
    'Begin the Zap with *Webhooks by Zapier*, *Catch Hook*, and put its address into a Secret: it is the whole credential. Send a test message (the annotation `tocsin.dev/test`) while you make the Zap: it has every field filled.',
  ],
  notes: [
    'Every event has the same keys, empty where they do not apply. Branch on `event` (`incident.opened`, `incident.updated`, `incident.resolved`, `incident.reopened`, `message.digest`, `message.plain`, `test`) or `status`; filter by `severity_rank` (1 is critical, 4 is low). `incident_id` is the same for every act of an incident, `delivery_id` for every attempt of one message: a filter on it keeps a repeat from running twice.',
    '`token` is sent in the header `Authorization` (`Bearer …`, or as it is when it holds a space), which only *Catch Raw Hook* shows to the Zap; Zapier itself checks nothing.',
    'Zapier reports success even when the Zap is off or deleted: look there, too. Nothing can be tested without starting the Zap.',
  ],
  sample: { url: { secretKeyRef: { name: 'zapier', key: 'url' } } },
  fields: {
    url: secret({ required: true, holds: 'url', unfit: noHook, description: 'Address of the Catch Hook.' }),
    token: secret({ description: 'Token for the header Authorization, with or without a scheme.' }),
    title: string({ description: 'Title of messages that are no incident; by default their own.' }),
  },
  limits: { body: { bytes: 65_536 }, message: { characters: 10_000 } },
  hosts: ['hooks.zapier.com'],
  secretBehind: ['hooks\\.zapier\\.com/hooks/catch/'],
  pacing: { perSecond: 3, burst: 20 }, // 1,000 requests in 5 min for the older addresses, 10,000 for the others

  async deliver({ notification, delivery, config, send }) {
    const destination = readDestination('url', config.url, noHook);
    const token = config.token ? tokenHeader(config.token) : {};
    refuseUnsendable(token, () => '`token`');
    const answer = await send({
      method: 'POST',
      url: destination.url,
      // A log line that looks like JSON stays a text.
      headers: { ...token, 'x-recurse-parse': 'false' },
      json: zapierEvent(notification, delivery, config.title),
    });
    return answer.outcome(reading);
  },
});

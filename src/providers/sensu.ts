import type { Outcome } from '../model/delivery.ts';
import {
  alertName,
  authorization,
  defineProvider,
  endpoint,
  failureOfCode,
  httpUrl,
  keptLog,
  list,
  raiseOrClear,
  secret,
  string,
  withKeptLog,
} from './kit.ts';
import type { Reading } from './provider.ts';
import { eventOf } from './sensu/event.ts';

/** What Sensu takes as a name of a namespace, an entity and a check. */
const namePattern = '^[A-Za-z0-9_.-]+$';

/** Sensu Go, with one event per incident. Sources: docs.sensu.io/sensu-go, API core/v2 events; sensu-go backend/apid. */
export const sensu = defineProvider({
  type: 'sensu',
  product: 'Sensu Go',
  family: 'pager',
  plain: 'alert',
  description: 'Keeps one event per incident in a Sensu Go backend.',
  behaviour: 'each incident is one event',
  supports: ['update', 'close', 'reopen', 'dedup'],
  credentials: [
    'Make a key with `sensuctl api-key grant <user>`. The user may list, create and update events in `namespace`; Sensu answers 404 where a right is missing. `url` is the API of a backend (port 8080), not the web page and not an agent.',
  ],
  notes: [
    'Each incident is a check of its own (`tocsin-…`) on the proxy entity `entity`, which Sensu makes when it is missing. Critical and high are status 2, medium and low status 1, resolved status 0; the exact severity is the label `severity`, and the labels of the object are labels of their own (`label_app`), for filters and selectors.',
    'Sensu notifies nobody of an event that names no handler: set `handlers`, or nothing happens beyond the web page.',
    'Events of resolved incidents stay until you delete them (`sensuctl event delete`); the same problem uses its event again.',
    'Digests of low-priority problems are not sent.',
  ],
  sample: { url: 'https://sensu.example.com:8080', apiKey: { secretKeyRef: { name: 'sensu', key: 'apiKey' } } },
  fields: {
    url: httpUrl({ required: true, description: 'Base address of the API of a backend, with its port (8080).' }),
    apiKey: secret({ required: true, description: 'API key of a user that may write events.' }),
    namespace: string({ default: 'default', pattern: namePattern, description: 'Namespace of the events.' }),
    handlers: list({
      maxItems: 20,
      pattern: namePattern,
      description: 'Handlers that Sensu hands the events to; without any, the web page alone shows them.',
    }),
    entity: string({ default: 'tocsin', pattern: namePattern, description: 'Proxy entity of the events.' }),
  },
  limits: { output: { bytes: 16_384 } }, // ours: a backend takes 512,000 bytes in all
  pacing: { perSecond: 5, burst: 20 }, // no limit of its own, but each request compares the key with every stored hash
  minTimeoutMs: 15_000, // for the same reason

  async deliver({ notification: told, delivery, config, send, ref }) {
    // Each event takes the place of the one before, which showed the log.
    const notification = withKeptLog(told, ref);
    const { url, apiKey, namespace, entity, handlers = [] } = config;
    const { act } = notification;
    const check = act === 'test' ? 'tocsin-test' : alertName(delivery);
    const put = async (over: boolean): Promise<Outcome> => {
      const answer = await send({
        method: 'PUT',
        url: endpoint(url, `${pathOf(namespace)}/${entity}/${check}`),
        headers: authorization('Key', apiKey),
        json: eventOf(notification, { namespace, entity, check, handlers }, over),
      });
      return answer.outcome(reading, notification.incident && notification.excerpt && keptLog(notification));
    };
    return raiseOrClear(act, { raise: () => put(false), clear: () => put(true) });
  },

  async check({ config: { url, apiKey, namespace }, send }) {
    const headers = authorization('Key', apiKey);
    const answer = await send({ method: 'GET', url: endpoint(url, pathOf(namespace), { limit: '1' }), headers });
    return answer.outcome(reading);
  },
});

const pathOf = (namespace: string): string => `api/core/v2/namespaces/${namespace}/events`;

/** Missing rights are a 404 as well, and the web page answers 200 to anything. */
const reading: Reading = {
  failure(answer) {
    if (answer.status === 404) return failureOfCode(answer, words[404], new Map([[words[404], 'credential']]));
    const page = answer.status < 300 && answer.body.trimStart().startsWith('<');
    return page ? failureOfCode(answer, words.page, new Map()) : undefined;
  },
};
const words = {
  404: 'no such namespace, or the user of the key has no right to its events there',
  page: 'the answer is not one of the Sensu API; correct `url`, with the port of the API (8080)',
} as const;

import type { Outcome } from '../model/delivery.ts';
import type { Secret } from '../model/secret.ts';
import { alertOf } from './alerta/alert.ts';
import { type Identity, identityOf } from './alerta/identity.ts';
import { reading } from './alerta/reading.ts';
import {
  authorization,
  defineProvider,
  endpoint,
  httpUrl,
  keptLog,
  raiseOrClear,
  secret,
  string,
  withKeptLog,
} from './kit.ts';
import { LookUpFailed, type SendRequest } from './provider.ts';

/** Alerta, with one alert per incident. Sources: alerta.io API reference, alerta 9 (views/alerts, models/alert, plugins). */
export const alerta = defineProvider({
  type: 'alerta',
  product: 'Alerta',
  family: 'pager',
  description: 'Keeps one alert per incident in Alerta.',
  behaviour: 'each incident is one alert',
  supports: ['update', 'close', 'reopen', 'dedup'],
  credentials: [
    'Make an API key with the scopes `read:alerts` and `write:alerts`. `url` is the address of the API (often ends in `/api`), not of the web page.',
  ],
  notes: [
    'The server must allow `environment` (`ALLOWED_ENVIRONMENTS`; by default exactly `Production` and `Development`), else it answers 403.',
    'An alert is known by its environment, resource (cluster, namespace, object) and event (the reason). A resolved incident sends severity `normal`, which closes its alert; a relapse opens the same alert again. Give each cluster its name in AlertConfig when several share one Alerta.',
    'Alerts of incidents never expire by themselves. Startup summaries and digests are informational alerts that expire after 12 hours; the overview of a storm is one of its severity, which the end of the storm closes.',
    'The line in the list is what happened; the whole message, with the log, is under *Data*.',
    'During a blackout Alerta accepts alerts without keeping them, those that would close one included.',
  ],
  sample: { url: 'https://alerta.example.com/api', apiKey: { secretKeyRef: { name: 'alerta', key: 'apiKey' } } },
  fields: {
    url: httpUrl({ required: true, description: 'Base address of the Alerta API.' }),
    apiKey: secret({ required: true, description: 'API key that may read and write alerts.' }),
    environment: string({ default: 'Production', description: 'Environment of the alerts; the server must allow it.' }),
    service: string({ default: 'tocsin', description: 'Service of the alerts.' }),
  },
  limits: { text: { bytes: 1_000 }, rawData: { bytes: 8_192 } }, // ours: Alerta has none
  pacing: { perSecond: 10, burst: 50 }, // Alerta limits nothing by itself; its plugins run on every alert

  async deliver({ notification, delivery, config, send, ref }) {
    const identity = identityIn(ref) ?? identityOf(notification, delivery.alertKey, config.environment);
    const told = withKeptLog(notification, ref);
    const alert = alertOf(told, delivery.alertKey, identity, config.service);
    // It was looked for and is not there: an end would only make an alert that is over.
    if (notification.act === 'resolve' && ref?.absent) return { is: 'delivered' };
    const post = async (json: unknown): Promise<Outcome> => {
      const answer = await send(ask(config, 'POST', 'alert', json));
      return answer.outcome(reading, notification.incident && { ...identity, ...keptLog(told) });
    };
    return raiseOrClear(notification.act, {
      raise: () => post(alert),
      clear: () => post({ ...alert, severity: 'normal' }),
    });
  },

  async find({ delivery, config, send }) {
    const query = { 'attributes.alertKey': delivery.alertKey, 'page-size': '20' };
    const url = endpoint(baseOf(config.url), 'alerts', query);
    const answer = await send({ ...ask(config, 'GET', 'alerts'), url, maxAnswerBytes: 1_048_576 });
    const outcome = answer.outcome(reading);
    // A key that may not read, or a server that cannot be asked so: what follows from the incident is nearly always right.
    if (outcome.is === 'retryable' || outcome.is === 'rateLimited') throw new LookUpFailed(outcome);
    if (outcome.is !== 'delivered') return undefined;
    const { alerts }: { readonly alerts?: unknown } = Object(answer.json());
    // A server that does not know such a query may answer with all there is.
    const own = (alert: unknown): boolean => Object(Object(alert).attributes).alertKey === delivery.alertKey;
    const all: readonly unknown[] = Array.isArray(alerts) ? alerts.filter(own) : [];
    return identityIn(all.find((alert) => !over.has(Object(alert).status)) ?? all[0]) ?? { absent: 'true' };
  },

  async check({ config, send }) {
    const read = (await send(ask(config, 'GET', 'alerts/count'))).outcome(reading);
    if (read.is !== 'delivered') return read;
    // An alert that cannot be: who may write is told that it is not there.
    const write = await send(ask(config, 'PUT', `alert/${nobody}/status`, { status: 'open' }));
    return write.outcome({ errors: { 404: 'delivered' } });
  },
});

const nobody = '00000000-0000-0000-0000-000000000000';
/** Alerts that an opening would not go on with. */
const over: ReadonlySet<unknown> = new Set(['closed', 'expired']);

type Access = { readonly url: string; readonly apiKey: Secret };
function ask({ url, apiKey }: Access, method: SendRequest['method'], path: string, json?: unknown): SendRequest {
  const headers = authorization('Key', apiKey);
  return { method, url: endpoint(baseOf(url), path), headers, ...(json !== undefined && { json }) };
}

/** People paste the address of the endpoint, too. */
function baseOf(url: string): string {
  return url.replace(/\/alerts?\/*$/, '');
}

/** The identity in a reference, or in an alert that was found. */
function identityIn(value: unknown): Identity | undefined {
  const { environment, resource, event }: Readonly<Record<string, unknown>> = Object(value);
  const whole = typeof environment === 'string' && typeof resource === 'string' && typeof event === 'string';
  return whole ? { environment, resource, event } : undefined;
}

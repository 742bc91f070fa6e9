import { alertTypes, eventOf, maxText, maxTitle } from './datadog/event.ts';
import { defineProvider, list, secret, string, wrongCredential } from './kit.ts';
import type { Reading } from './provider.ts';

/** Datadog events. Sources: docs.datadoghq.com/api/latest, "Post an event" (v1), "Rate limits", "Validate API key". */
export const datadog = defineProvider({
  type: 'datadog',
  product: 'Datadog',
  family: 'log',
  description: 'Posts each notification as one event to Datadog.',
  behaviour: 'every act is a new event; the events of an incident are aggregated',
  supports: ['thread'],
  credentials: [
    'Use an API key, not an application key, of the organisation at `site` (`datadoghq.com`, `datadoghq.eu`, `us3.datadoghq.com`, …): a good key at another site is refused.',
  ],
  notes: [
    'Events cannot be changed: each act is one more, with the same `aggregation_key` for one problem. Open problems have the alert type `error` when critical or high and `warning` below; another `alertType` goes for all of them. A resolved problem is `success`, everything else `info`.',
    'Each event has the tags `severity`, `status` (open, updated, reopened, resolved), `reason`, `kube_cluster_name`, `kube_namespace` and the kind of its object (`kube_deployment`, …), the labels of that object, and `env`, `service` and `version` by its labels of unified service tagging: route by them.',
    '`title` takes the place of the title, which then begins the text. `applicationKey` is not needed to post events; it is tested where it is given.',
  ],
  sample: { apiKey: { secretKeyRef: { name: 'datadog', key: 'apiKey' } }, tags: ['env:prod', 'team:platform'] },
  fields: {
    apiKey: secret({ required: true, description: 'API key of the organisation.' }),
    site: string({
      default: 'datadoghq.com',
      pattern: '^[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+$',
      maxLength: 253,
      description: 'Host name of the Datadog site.',
    }),
    applicationKey: secret({ description: 'Application key; only tested.' }),
    title: string({ description: 'Title of every event, instead of one that names the problem.' }),
    alertType: string({ oneOf: alertTypes, default: 'error', description: 'Alert type of open problems.' }),
    tags: list({ commaSeparated: true, description: 'Tags added to every event.' }),
  },
  limits: { title: { utf16: maxTitle }, text: { utf16: maxText } },
  hosts: [
    'api.datadoghq.com',
    'api.*.datadoghq.com',
    'api.datadoghq.eu',
    'api.*.datadoghq.eu',
    'api.ddog-gov.com',
    'api.*.ddog-gov.com',
  ],
  pacing: { perSecond: 20, burst: 100 }, // 250,000 events a minute and organisation

  async deliver({ notification, delivery, config, send, now }) {
    const answer = await send({
      method: 'POST',
      url: `${apiOf(config.site)}/v1/events`,
      headers: { 'dd-api-key': config.apiKey },
      json: eventOf(notification, delivery, config, now),
    });
    return answer.outcome(reading);
  },

  async check({ config: { site, apiKey, applicationKey }, send }) {
    const headers = { 'dd-api-key': apiKey };
    const answer = await send({ method: 'GET', url: `${apiOf(site)}/v1/validate`, headers });
    const outcome = answer.outcome(reading);
    if (outcome.is !== 'delivered') return outcome;
    if (Object(answer.json()).valid !== true) return wrongCredential(answer, 'the API key is not valid');
    if (!applicationKey) return outcome;
    const both = { ...headers, 'dd-application-key': applicationKey };
    return (await send({ method: 'GET', url: `${apiOf(site)}/v2/validate_keys`, headers: both })).outcome({
      advice: { 403: 'the application key is not valid' },
    });
  },
});

/** People paste the host of the web page or of the API. */
const apiOf = (site: string): string => `https://api.${site.toLowerCase().replace(/^(?:app|api)\./, '')}/api`;

const reading: Reading = {
  advice: { 403: '`apiKey` must be an API key of the organisation, and `site` where that is' },
  retryAfterMs(answer) {
    const seconds = answer.headers['x-ratelimit-reset'];
    return seconds !== undefined && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
  },
};

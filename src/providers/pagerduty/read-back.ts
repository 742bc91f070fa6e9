import type { Secret } from '../../model/secret.ts';
import { alertName, authorization, group, objectOf, readBackSwitch, secret, takenBy } from '../kit.ts';
import type { Look, Reading, Seen } from '../provider.ts';

const hosts = { us: 'api.pagerduty.com', eu: 'api.eu.pagerduty.com' } as const;
/** An incident comes with its service, policies and teams. */
const maxAnswerBytes = 512 * 1024;

/** What is read back, and the token for it: integration keys only write. */
export const pagerdutyActions = group(
  {
    description:
      'Whether what somebody acknowledges in PagerDuty is acknowledged here; only for an AlertProvider in the namespace of Tocsin.',
    rules: [
      { cel: '!has(self.readBack) || !self.readBack || has(self.apiToken)', message: 'set `apiToken` with `readBack`' },
    ],
  },
  {
    readBack: readBackSwitch('acknowledged an incident in PagerDuty'),
    apiToken: secret({ description: 'Read-only REST API key (*Integrations*, *API Access Keys*).' }),
  },
);

type Config = { readonly region: keyof typeof hosts; readonly actions?: { readonly apiToken?: Secret } };

const reading: Reading = {
  advice: {
    401: 'check `actions.apiToken`, and `region` for accounts in Europe',
    403: 'give `actions.apiToken` the right to read incidents',
  },
};

/** Asks for the incident of an alert. Source: developer.pagerduty.com, REST API v2, list incidents by `incident_key`. */
export async function readBackPagerduty({ config, send, delivery, now }: Look<Config>): Promise<Seen> {
  const token = config.actions?.apiToken;
  if (token === undefined) return { outcome: { is: 'permanent', reason: 'set `actions.apiToken`', credential: false } };
  const which = { incident_key: alertName(delivery), 'statuses[]': 'acknowledged' };
  const query = new URLSearchParams({ ...which, date_range: 'all', limit: '1' });
  const answer = await send({
    ...{ method: 'GET', url: `https://${hosts[config.region]}/incidents?${query}`, maxAnswerBytes },
    headers: { ...authorization('Token token=', token), accept: 'application/vnd.pagerduty+json;version=2' },
  });
  const outcome = answer.outcome(reading);
  const { incidents } = objectOf(answer.json()) ?? {};
  const incident = objectOf(Array.isArray(incidents) ? incidents[0] : undefined);
  if (outcome.is !== 'delivered' || incident?.status !== 'acknowledged') return { outcome };
  const { acknowledgements: list } = incident;
  const { at, acknowledger } = objectOf(Array.isArray(list) ? list.at(-1) : undefined) ?? {};
  return { outcome, taken: takenBy([objectOf(acknowledger)?.summary], Date.parse(String(at)), now) };
}

import type { Outcome } from '../model/delivery.ts';
import { defineProvider, httpUrl, notOf, objectOf, refusal, string, whenNoWorse } from './kit.ts';
import type { Answer } from './provider.ts';
import { e164, isGroup, numberPattern, placeOf, recipientOf, recipientPattern } from './signal/gateway.ts';
import { maxTextBytes, tell } from './signal/thread.ts';

/** Signal through signal-cli-rest-api. Source: bbernhard/signal-cli-rest-api src/api/api.go, src/docs/swagger.json. */
export const signal = defineProvider({
  type: 'signal',
  product: 'Signal (signal-cli-rest-api)',
  family: 'chat',
  description: 'Sends each notification to a Signal user or group through a signal-cli-rest-api gateway.',
  behaviour:
    'updates edit the first message of an incident; what is worse, is back or is over is a new message that quotes it',
  supports: ['thread', { can: 'update', when: whenNoWorse }],
  credentials: [
    'Run [signal-cli-rest-api](https://github.com/bbernhard/signal-cli-rest-api) in the cluster, best in the mode `json-rpc`, and register or link a number. The account must receive regularly, or it expires.',
    'Groups are named as `GET /v1/groups/{number}` of the gateway lists them (`group.…`).',
  ],
  notes: [
    'The gateway has no access control: let nobody else reach it (NetworkPolicy). Credentials of a proxy in front of it may stand before the @ of `url`.',
    'A gateway on a private address must be allowed in AlertConfig `delivery.allowedPrivateDestinations`, unless this object lives in the namespace of Tocsin.',
    'When Signal asks for a captcha, deliveries fail until somebody has solved it: give this provider a `fallback`.',
  ],
  sample: { number: '+4915112345678', to: 'group.ckRzaEd4VmRzNnJaASAEsasa=', url: 'http://signal.push.svc:8080' },
  fields: {
    number: string({ required: true, orNumber: true, pattern: numberPattern, description: 'Number that sends.' }),
    to: string({
      required: true,
      orNumber: true,
      pattern: recipientPattern,
      description: 'Recipient: a number, a group (group.…), a user name (name.01) or an account id.',
    }),
    url: httpUrl({ default: 'http://localhost:8080', description: 'Address of the gateway.' }),
  },
  limits: { message: { bytes: maxTextBytes } },
  pacing: { perSecond: 0.5, burst: 10 }, // unpublished; who sends more is asked for a captcha
  minTimeoutMs: 50_000, // in the mode `normal` each call starts a Java machine

  deliver: tell,

  async check({ config, send }) {
    const sender = e164(config.number);
    const accounts = await send({ method: 'GET', url: placeOf(config.url, 'v1/accounts') });
    const wrong = absent(accounts, (account) => account === sender, 'register or link `number` in the gateway');
    const to = recipientOf(config.to);
    if (wrong || !isGroup(to)) return wrong ?? { is: 'delivered' };
    const path = `v1/groups/${encodeURIComponent(sender)}`;
    const groups = await send({ method: 'GET', url: placeOf(config.url, path) });
    const advice = 'the account is in no such group; correct `to`';
    return absent(groups, (group) => objectOf(group)?.id === to, advice) ?? { is: 'delivered' };
  },
});

/** The failure when a list of the gateway does not hold what is looked for. */
function absent(answer: Answer, isIt: (entry: unknown) => boolean, advice: string): Outcome | undefined {
  const list = answer.json();
  if (answer.status >= 300) return answer.outcome();
  if (!Array.isArray(list)) return notOf(answer, 'signal-cli-rest-api', 'correct `url`');
  return list.some(isIt) ? undefined : refusal(answer, advice, '');
}

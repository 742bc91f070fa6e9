import type { Outcome } from '../model/delivery.ts';
import { openSecret, type Secret } from '../model/secret.ts';
import { alertName, defineProvider, denied, objectOf, phoneNumbers, secret, senderField, smsProvider } from './kit.ts';
import { checkBird, regionOf, sendBird } from './messagebird/bird.ts';
import { checkClassic, sendClassic } from './messagebird/classic.ts';

/** MessageBird, which is now Bird: SMS through either platform, by the form of the key. Sources: messagebird/openapi-specs; bird.com/migrate. */
export const messagebird = defineProvider({
  type: 'messagebird',
  product: 'MessageBird (Bird)',
  ...smsProvider,
  description: 'Sends each notification as an SMS through MessageBird or its successor Bird.',
  supports: [{ can: 'dedup', when: 'the key is one of the Bird platform' }],
  credentials: [
    'The form of the key decides: `bk_<region>_…` is one of the new Bird platform, any other one of MessageBird, whose API the vendor ends on 2026-12-31. Keys whose name begins with `test_` send nothing.',
  ],
  notes: [
    'A message takes one to three segments of 160 (153) characters, each billed for each recipient; whatever is not urgent takes no more than it needs.',
    'Names as senders do not reach the United States, Canada and some other countries, although they are taken.',
    'When some recipients are refused for good, the others have the message and the delivery counts as failed, so that somebody notices. On the new platform a repeat after an interrupted attempt is not a second message.',
  ],
  sample: {
    accessKey: { secretKeyRef: { name: 'messagebird', key: 'accessKey' } },
    from: 'Tocsin',
    to: '+31612345678, +31687654321',
  },
  ending: ({ accessKey }) =>
    String(objectOf(accessKey)?.value ?? '').startsWith('bk_')
      ? undefined
      : {
          what: 'the API of MessageBird',
          day: '2026-12-31',
          instead: 'make a key of the new platform (`bk_…`), with which nothing ends',
        },
  fields: {
    accessKey: secret({ required: true, description: 'Access key; one of the new platform begins with bk_.' }),
    from: senderField('Sender: a number, or a name of up to 11 characters.'),
    to: phoneNumbers,
  },
  limits: { body: { characters: 1_377 } },
  hosts: ['rest.messagebird.com', '*.platform.bird.com'],
  pacing: { perSecond: 1, burst: 10 }, // no published limit of the new platform; the old one takes 500 a second

  async deliver(attempt) {
    const { notification, delivery, config } = attempt;
    if (isOtherKey(config.accessKey)) return otherKey;
    const region = regionOf(config.accessKey);
    if (region !== undefined) return sendBird(attempt, region);
    const { accessKey, from, to } = config;
    return sendClassic({ accessKey, send: attempt.send }, notification, { from, to, reference: alertName(delivery) });
  },

  async check({ config: { accessKey }, send }) {
    if (isOtherKey(accessKey)) return otherKey;
    const region = regionOf(accessKey);
    return region === undefined ? checkClassic({ accessKey, send }) : checkBird(send, accessKey, region);
  },
});

/** A key of Bird in a form that is neither: the older API would only say that it knows no such key. */
const isOtherKey = (key: Secret): boolean => openSecret(key).trim().startsWith('bird_');
const otherKey: Outcome = denied(
  '`accessKey` begins with bird_, which this type cannot use: make an access key of the form bk_<region>_…',
);

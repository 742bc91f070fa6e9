import { fitted } from '../message/render/kit/fitted.ts';
import { headline } from '../message/render/kit/headline.ts';
import { plainBody } from '../message/render/kit/plain-text.ts';
import { quietText } from '../message/render/kit/quiet.ts';
import type { Notification } from '../model/notification.ts';
import type { Secret } from '../model/secret.ts';
import { defineProvider, editUrl, isPage, keyDestination, notOf, secret, string, waitAfter429 } from './kit.ts';
import type { Reading } from './provider.ts';

/** Actions of phones cut sooner. Characters. */
const maxTitle = 200;
const maxText = 2_000;
/** Applets that listen for this event would hear of the test of the key; documented on the page. */
const checkEvent = 'tocsin_lint_check';

const reading: Reading = {
  failure: (answer) => (answer.status < 300 && isPage(answer) ? notOf(answer, 'IFTTT') : undefined),
  retryAfterMs: waitAfter429(60_000),
  advice: { 401: 'copy the key again from the documentation of the Webhooks service' },
};

/** IFTTT, Webhooks service, "Receive a web request". Source: maker.ifttt.com; shapes as other notifiers use them. */
export const ifttt = defineProvider({
  type: 'ifttt',
  product: 'IFTTT',
  family: 'chat',
  description: 'Fires an event of the IFTTT Webhooks service with each notification.',
  behaviour: 'every act fires the event again',
  credentials: [
    'Make an Applet with the trigger *Receive a web request* (not the one with a JSON payload) and the event name of `event`, exactly as it is written there. The key is in the *Documentation* of the Webhooks service; the whole address `https://maker.ifttt.com/use/…` is taken too. Webhooks need a paid plan.',
  ],
  notes: [
    '`Value1` is the title, `Value2` the text, `Value3` the severity (`critical`, `high`, `medium`, `low`), `resolved`, or `info` for messages that are no incident. Angle brackets in texts are shown as ‹ and ›, since many actions read HTML. In the body of *Make a web request* write `<<<{{Value2}}>>>`, or quotes in a text break it.',
    'IFTTT reports success for an event nobody listens to, too: look there. A repeat after an interrupted attempt fires twice.',
    `The test of the key fires the event \`${checkEvent}\`: let no Applet listen to it.`,
  ],
  sample: { key: { secretKeyRef: { name: 'ifttt', key: 'key' } }, event: 'tocsin' },
  fields: {
    key: secret({ required: true, description: 'Key of the Webhooks service.' }),
    event: string({
      default: 'tocsin',
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: 100,
      description: 'Event name of the Applet; upper and lower case matter.',
    }),
  },
  limits: { value1: { characters: maxTitle }, value2: { characters: maxText } },
  hosts: ['maker.ifttt.com'],
  secretBehind: ['maker\\.ifttt\\.com/trigger/[\\w-]{1,64}/(?:json/)?with/key/'],
  pacing: { perSecond: 1, burst: 5 }, // not published; a phone is at the other end

  async deliver({ notification, config, send }) {
    const url = addressOf(config.key, config.event);
    return (await send({ method: 'POST', url, json: valuesOf(notification) })).outcome(reading);
  },

  async check({ config, send }) {
    return (await send({ method: 'POST', url: addressOf(config.key, checkEvent), json: {} })).outcome(reading);
  },
});

/** The address of an event, for a key or for the address that IFTTT shows it in. */
function addressOf(key: Secret, event: string): Secret {
  const destination = keyDestination('key', key, ['https://maker.ifttt.com/use/{}']);
  return editUrl(destination.url, (address) => {
    const last = address.pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';
    address.href = `https://maker.ifttt.com/trigger/${event}/with/key/${last}`;
  });
}

function valuesOf(told: Notification): Readonly<Record<'value1' | 'value2' | 'value3', string>> {
  const { act, incident, severity } = told;
  return {
    value1: headline(told, maxTitle, 'characters', untagged),
    value2: fitted(told, { max: maxText, unit: 'characters', encode: untagged }, plainBody),
    value3: incident ? (act === 'resolve' ? 'resolved' : severity) : 'info',
  };
}

/** Nothing that an action could read as a tag or a mention. */
function untagged(text: string): string {
  return quietText(text).replaceAll('<', '‹').replaceAll('>', '›');
}

import type { Outcome, Reference } from '../model/delivery.ts';
import { actionOf, contentOf, entityContentOf, replaces } from './homeassistant/action.ts';
import { callHomeAssistant, reading } from './homeassistant/api.ts';
import { defineProvider, httpUrl, keptLog, rejected, secret, string, withKeptLog } from './kit.ts';
import type { Answer } from './provider.ts';

/** Home Assistant. Sources: developers.home-assistant.io, REST API; components notify, persistent_notification; companion apps. */
export const homeassistant = defineProvider({
  type: 'homeassistant',
  product: 'Home Assistant',
  family: 'chat',
  description: 'Calls a notify action of Home Assistant with each notification.',
  behaviour: 'phones and persistent notifications show one message per incident; elsewhere every act is a new message',
  supports: [
    { can: 'update', when: 'the action is a phone or a persistent notification' },
    { can: 'dedup', when: 'the action is a phone or a persistent notification' },
  ],
  credentials: [
    'Make a long-lived access token in the profile of a user (no administrator is needed) and name the action in `service`: `mobile_app_phone` for a phone with the companion app, `persistent_notification.create` for the screen, or any other notify action. The default `notify` reaches an arbitrary notifier, and none where the house has none: name one.',
  ],
  notes: [
    'The default address is that of the Pod itself: set `url`. Private addresses must be allowed in AlertConfig `delivery.allowedPrivateDestinations`, unless this object lives in the namespace of Tocsin.',
    'On phones a later message of an incident replaces the earlier one. `critical` sounds even when a phone is muted (iOS asks for that permission; on Android it uses the alarm stream); `low` makes no sound, nor does an update that is no worse. A tap on a phone opens the first link, buttons each of them. A persistent notification is overwritten, and gone after a restart of Home Assistant.',
    'Integrations that have a notify entity instead of an action are notified through it, when the action of that name is refused.',
    'Texts of the cluster are no templates: a zero-width space stands between braces.',
  ],
  sample: {
    url: 'https://home.example.com',
    token: { secretKeyRef: { name: 'home-assistant', key: 'token' } },
    service: 'mobile_app_phone',
  },
  fields: {
    token: secret({ required: true, description: 'Long-lived access token.' }),
    url: httpUrl({ default: 'http://localhost:8123', description: 'Root of the server.' }),
    service: string({
      default: 'notify',
      pattern: '^[a-z0-9_]+([.][a-z0-9_]+)?$',
      maxLength: 200,
      description: 'Notify action, or any other as `domain.action`.',
    }),
  },
  limits: { title: { characters: 200 }, message: { characters: 1_500 } },
  pacing: { perSecond: 1, burst: 10 }, // phones take 500 a day each
  minTimeoutMs: 30_000, // an answer comes when the action is over

  async deliver({ notification, delivery, config, send, ref }) {
    const call = (domain: string, name: string, content: unknown): Promise<Answer> =>
      callHomeAssistant(send, config, `services/${domain}/${name}`, content);
    const tellEntity = async (entity: string): Promise<Outcome> => {
      const kept: Reference | undefined = notification.incident && { entity };
      const answer = await call('notify', 'send_message', entityContentOf(notification, entity));
      return answer.outcome(reading, kept);
    };

    const action = actionOf(config.service);
    const entity = `notify.${action.name}`;
    if (ref?.entity === entity) return tellEntity(entity);
    const keepsLog = replaces(action);
    const told = keepsLog ? withKeptLog(notification, ref) : notification;
    const answer = await call(action.domain, action.name, contentOf(told, action, delivery.alertKey));
    if (answer.status !== 400 || action.domain !== 'notify')
      return answer.outcome(reading, told.excerpt && told.incident && keepsLog ? keptLog(told) : undefined);
    const found = await callHomeAssistant(send, config, `states/${entity}`);
    return found.status === 200 ? tellEntity(entity) : answer.outcome(reading);
  },

  async check({ config, send }) {
    const root = (await callHomeAssistant(send, config, '')).outcome(reading);
    if (root.is !== 'delivered') return root;
    const action = actionOf(config.service);
    const names = actionsOf((await callHomeAssistant(send, config, 'services')).json(), action.domain);
    // Without a list nothing can be said but that the token is good.
    if (names === undefined || names.includes(action.name)) return { is: 'delivered' };
    const entity = await callHomeAssistant(send, config, `states/notify.${action.name}`);
    if (action.domain === 'notify' && entity.status === 200) return { is: 'delivered' };
    const known = names.length === 0 ? 'none' : names.slice(0, 20).join(', ');
    return rejected(
      `Home Assistant has no action ${action.domain}.${action.name}; of ${action.domain} it has: ${known}`,
    );
  },
});

/** The names of a domain's actions in the list of all, `undefined` when it is no such list. */
function actionsOf(list: unknown, domain: string): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries: readonly { readonly domain?: unknown; readonly services?: unknown }[] = list;
  return Object.keys(Object(entries.find((entry) => entry.domain === domain)?.services));
}

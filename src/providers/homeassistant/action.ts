import { webLinks, withoutLinks } from '../../message/render/kit/clip.ts';
import { fitted } from '../../message/render/kit/fitted.ts';
import { headline, oneLine } from '../../message/render/kit/headline.ts';
import { plainBody } from '../../message/render/kit/plain-text.ts';
import { type State, signs, stateOf } from '../../message/render/kit/state.ts';
import { lengthIn, truncate, type Unit } from '../../message/render/kit/truncate.ts';
import { backslashed, type Dialect, githubMarkdown, markdown } from '../../message/render/markdown.ts';
import type { Notification } from '../../model/notification.ts';
import { isLoud } from '../kit.ts';

/** An action of Home Assistant: `notify` and `mobile_app_phone`. */
export type Action = { readonly domain: string; readonly name: string };

/** `notify`, `mobile_app_phone` and `notify.mobile_app_phone` are actions of `notify`; with another domain it is theirs. */
export function actionOf(service: string): Action {
  const [first = '', second] = service.split('.');
  return second === undefined ? { domain: 'notify', name: first } : { domain: first, name: second };
}

/** Whether the next message of an incident replaces the one before it: on phones, and on the screen. */
export function replaces({ domain, name }: Action): boolean {
  return domain === 'persistent_notification' || (domain === 'notify' && name.startsWith('mobile_app_'));
}

/** Characters. */
const maxTitle = 200;
const maxText = 1_500;
/** The gateways to phones refuse more than 4 KB, everything around the text included: other scripts take up to four bytes a character. */
const maxPushBytes = 2_600;

/** Android shows three; characters of a title. */
const maxButtons = 3;
const maxButtonTitle = 40;

/** Older notify actions read a text as a template and run what stands in it. */
const templates = /\{(?=[{%#])/g;
const inert = (text: string): string => text.replace(templates, '{\u200b');
/** The companion app of Android shows a little HTML. */
const untagged = (text: string): string => inert(text).replaceAll('<', '‹').replaceAll('>', '›');

/** What the card of a persistent notification reads. */
const dialect: Dialect = {
  ...githubMarkdown,
  max: 8_000,
  unit: 'characters',
  escapes: backslashed('\\`*_<>~|()'),
  silence: templates,
  silenceInCode: templates,
};

/** How loud a phone is: for Android, and under `push` for iOS. Keys of the companion apps; absent: as the person has set it. */
const loudness: Readonly<Record<State, object>> = {
  critical: {
    ttl: 0,
    priority: 'high',
    channel: 'alarm_stream',
    push: { 'interruption-level': 'critical', sound: { name: 'default', critical: 1, volume: 1 } },
  },
  high: { ttl: 0, priority: 'high', push: { 'interruption-level': 'time-sensitive' } },
  medium: {},
  // A channel of its own: the first message of a channel makes all of it quiet.
  low: { channel: 'Tocsin quiet', importance: 'low', push: { 'interruption-level': 'passive' } },
  resolved: {},
};

type Content = Readonly<Record<string, unknown>>;

/**
 * What an action is handed. Actions refuse keys they do not know, so only those that are known to replace messages are told
 * which one: phones by `tag`, persistent notifications by their id. `alertKey`: the same for every act of an incident.
 */
export function contentOf(notification: Notification, { domain, name }: Action, alertKey: string): Content {
  const id = notification.incident && alertKey.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  if (domain === 'persistent_notification')
    return {
      title: titleOf(notification, inert),
      message: markdown(notification, dialect, ['title']),
      ...(id !== undefined && { notification_id: `tocsin_${id}` }),
    };
  if (!replaces({ domain, name })) return { title: titleOf(notification, inert), message: textOf(notification, inert) };
  const buttons = buttonsOf(notification);
  const shown = buttons.map(({ uri }) => uri);
  return {
    title: titleOf(notification, untagged),
    message: pushTextOf(withoutLinks(notification, shown)),
    data: {
      ...(id !== undefined && { tag: `tocsin-${id}` }),
      group: 'tocsin',
      ...(shown.length > 0 && { url: shown[0], clickAction: shown[0], actions: buttons }),
      ...loudness[isSilent(notification) ? 'low' : stateOf(notification)],
    },
  };
}

/** A button of a phone. */
type Button = { readonly action: 'URI'; readonly title: string; readonly uri: string };

/** Buttons open each link; a tap opens the first (`url` on iOS, `clickAction` on Android). Keys of the companion apps. */
function buttonsOf({ links }: Notification): readonly Button[] {
  return webLinks(links, maxButtons).map(({ title, url }) => ({
    action: 'URI',
    title: truncate(untagged(oneLine(title)), maxButtonTitle, 'characters'),
    uri: new URL(url).href,
  }));
}

/** What the action for notify entities is handed. */
export function entityContentOf(notification: Notification, entity: string): Content {
  return { entity_id: entity, title: titleOf(notification, inert), message: textOf(notification, inert) };
}

/** An update that is no worse replaces what the phone shows and rings nobody. */
const isSilent = (notification: Notification): boolean => notification.act === 'update' && !isLoud(notification);

function titleOf(notification: Notification, encode: (text: string) => string): string {
  return headline(notification, maxTitle, 'characters', encode);
}

/** It begins with a sign of ours: some texts (`clear_notification`, `command_…`) are commands to a phone. */
function textOf(
  notification: Notification,
  encode: (text: string) => string,
  [max, unit]: readonly [number, Unit] = [maxText, 'characters'],
): string {
  const sign = `${signs[stateOf(notification)]} `;
  return `${sign}${fitted(notification, { max: max - lengthIn(unit, sign), unit, encode }, plainBody)}`;
}

function pushTextOf(notification: Notification): string {
  const text = textOf(notification, untagged);
  return lengthIn('bytes', text) <= maxPushBytes ? text : textOf(notification, untagged, [maxPushBytes, 'bytes']);
}

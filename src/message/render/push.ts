import type { Notification } from '../../model/notification.ts';
import { fitted } from './kit/fitted.ts';
import { headline } from './kit/headline.ts';
import { plainBody, plainText } from './kit/plain-text.ts';
import { signs, stateOf } from './kit/state.ts';
import { truncate, type Unit } from './kit/truncate.ts';

/** How much a product takes of a title and of a text, in its own unit; `asJson`: of the text as it is written in JSON. */
export type PushRoom = {
  readonly unit: Unit;
  readonly title: number;
  readonly text: number;
  readonly asJson?: boolean;
};

/** A notification as phones show it: a title on the lock screen and a text below it, neither of them empty. */
export type Push = { readonly title: string; readonly text: string };

/**
 * A notification for products that show a title and a text without markup. `fixedTitle` takes the place of the title, which
 * then begins the text.
 */
export function pushOf(
  notification: Notification,
  { unit, title: maxTitle, text: max, asJson }: PushRoom,
  fixedTitle?: string,
): Push {
  const title =
    fixedTitle === undefined ? headline(notification, maxTitle, unit) : truncate(fixedTitle, maxTitle, unit);
  const write = fixedTitle === undefined ? plainBody : plainText;
  const text = asJson
    ? String(JSON.parse(`"${fitted(notification, { max, unit, encode: jsonText }, write)}"`))
    : fitted(notification, { max, unit }, write);
  return { title, text: text === '' ? title : text };
}

/**
 * A notification as one text for messengers: a sign, the title with the cluster, and the rest; within `max` of the unit, the log
 * cut first.
 */
export function messengerText(notification: Notification, max: number, unit: Unit): string {
  return fitted(notification, { max, unit }, (told) => {
    const head = `${signs[stateOf(told)]} ${headline(told, maxHead, 'utf16')}`;
    return [head, plainBody(told)].filter((part) => part !== '').join('\n\n');
  });
}
/** A title that is longer than this is one of hostile names; UTF-16 units. */
const maxHead = 300;

/** A text as it is written between the quotes of JSON. */
const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1);

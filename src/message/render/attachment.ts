import type { Notification } from '../../model/notification.ts';
import { clip } from './kit/clip.ts';
import { originLine } from './kit/parts.ts';
import { colours, stateOf } from './kit/state.ts';
import { type Dialect, factValue, markdown, prose, titleLine } from './markdown.ts';

/** A coloured box below a message, as Slack began it and others took over. */
export type Attachment = {
  readonly color: string;
  readonly text: string;
  readonly fields: readonly { readonly title: string; readonly value: string; readonly short: boolean }[];
  readonly footer?: string;
};

/** The footer of a box is cut here by Mattermost; characters. */
const maxFooter = 300;
const room = { title: 300, sentence: 1_000, sentences: 5, lines: 40, facts: 12, links: 8 };
/** Values up to this length stand side by side; characters. */
const shortValue = 40;

/**
 * A notification as a line that lists and notifications show, and a box with the rest. `dialect`: of the box's text, and its limit.
 * `footer`: whether a box has one. `call`: whom the line rings, as markup of ours.
 */
export function attachmentMessage(
  notification: Notification,
  dialect: Dialect,
  { footer, call = '' }: { readonly footer: boolean; readonly call?: string },
): { readonly text: string; readonly attachments: readonly [Attachment] } {
  const told = clip(notification, room);
  const { facts } = told;
  // Shown as it is, yet looked through for mentions by some.
  const plain: Dialect = { ...dialect, escapes: {}, silence: /</g };
  const where = originLine({ ...told, cluster: '' });
  return {
    text: call === '' ? titleLine(told, dialect) : `${titleLine(told, dialect)} ${call}`,
    attachments: [
      {
        color: colours[stateOf(told)],
        text: markdown(notification, dialect, ['title', 'facts', ...(footer ? (['where'] as const) : [])]),
        fields: facts.map(({ name, value }) => ({
          title: prose(name, 60, dialect),
          value: factValue(value, 300, dialect),
          short: value.length <= shortValue,
        })),
        ...(footer && where !== '' && { footer: prose(where, maxFooter, plain) }),
      },
    ],
  };
}

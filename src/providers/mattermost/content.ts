import { type Attachment, attachmentMessage } from '../../message/render/attachment.ts';
import { stateOf } from '../../message/render/kit/state.ts';
import { backslashed, type Dialect, githubMarkdown } from '../../message/render/markdown.ts';
import type { Notification } from '../../model/notification.ts';
import type { Answer } from '../provider.ts';

/** Posts hold 16,383 characters, 4,000 on old servers; a box of this length is folded to its first lines anyway. */
export const dialect: Dialect = {
  ...githubMarkdown,
  max: 8_000,
  unit: 'characters',
  // The server turns <!channel>, <@id> and <url|text> into mentions and links before it reads any Markdown.
  escapes: { ...backslashed('\\`*_>~|'), '<': '&lt;' },
  silence: /~(?=\w)|:(?=[\w+-]+:)/g,
  silenceInCode: /<(?=[!@])/g,
};

/** What is shown: a line, and a box below it. `call`: whom it rings, as markup. */
export function contentOf(
  notification: Notification,
  call = '',
): { readonly text: string; readonly attachments: readonly [Attachment] } {
  return attachmentMessage(notification, dialect, { footer: true, call });
}

/** Says it as urgent where it is, and once more without that where the server has no message priority: the message is worth more. */
export async function sayUrgently(
  notification: Notification,
  { mayBeUrgent, refused }: { readonly mayBeUrgent: boolean; readonly refused: (answer: Answer) => boolean },
  say: (priority: object | undefined) => Promise<Answer>,
): Promise<Answer> {
  const urgent = mayBeUrgent && stateOf(notification) === 'critical' && notification.incident !== undefined;
  const answer = await say(urgent ? { priority: 'urgent' } : undefined);
  return urgent && refused(answer) ? say(undefined) : answer;
}

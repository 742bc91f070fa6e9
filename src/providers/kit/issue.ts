import { headline } from '../../message/render/kit/headline.ts';
import type { Unit } from '../../message/render/kit/truncate.ts';
import { type Dialect, markdown } from '../../message/render/markdown.ts';
import type { Notification } from '../../model/notification.ts';
import type { Answer, Attempt } from '../provider.ts';
import { marker } from './marker.ts';

/** The title of an issue or task with the cluster, which may share the list with others: one line, without any markup. */
export function issueTitle(notification: Attempt<unknown>['notification'], max: number, unit: Unit): string {
  return headline(notification, max, unit);
}

/**
 * The description of an issue of a forge, without the title. Its last line is the marker, which forges do not show. `before`: the
 * issue it goes on from, as the forge links it (`#12`).
 */
export function issueBody(
  { notification, delivery }: Pick<Attempt<unknown>, 'notification' | 'delivery'>,
  dialect: Dialect,
  before?: string,
): string {
  const link = before === undefined ? '' : `The same problem had issue ${before} before.\n\n`;
  const end = `\n\n${link}<!-- ${marker(delivery)} -->`;
  return `${markdown(notification, { ...dialect, max: dialect.max - end.length }, ['title'])}${end}`;
}

/** Says it, and once more without log lines where the product or a proxy in front of it finds that too large (413). */
export async function withoutLogIfTooLarge(
  notification: Notification,
  say: (notification: Notification) => Promise<Answer>,
): Promise<Answer> {
  const answer = await say(notification);
  const { excerpt, ...brief } = notification;
  return answer.status === 413 && excerpt ? say(brief) : answer;
}

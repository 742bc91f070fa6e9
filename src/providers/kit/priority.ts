import { type State, stateOf } from '../../message/render/kit/state.ts';
import type { Notification } from '../../model/notification.ts';
import { isSilentUpdate } from './pager.ts';

/**
 * How loud a message is. A fixed priority is that of problems that are there; whatever else there is to say is never louder than
 * it, and an end is as quiet as ever. An update that is no worse has rung already: it is as loud as what is not urgent.
 */
export function priorityOf(notification: Notification, usual: Readonly<Record<State, number>>, fixed?: number): number {
  const { act, incident } = notification;
  const state = stateOf(notification);
  const own = isSilentUpdate(notification) ? Math.min(usual[state], usual.low) : usual[state];
  if (fixed === undefined) return own;
  const rings = incident && act !== 'resolve' && !isSilentUpdate(notification);
  return rings ? fixed : Math.min(own, fixed);
}

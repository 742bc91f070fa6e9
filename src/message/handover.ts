import type { HandoverReason } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import { nameOf, type Ref } from '../model/ref.ts';

/** Who delivers in place of whom, and why. */
type Handover = { readonly from: Ref; readonly to: Ref; readonly reason: HandoverReason };

function why(reason: HandoverReason): string {
  return reason.is === 'failed' ? `failed (${reason.code}: ${reason.message})` : 'could not be told when it opened';
}

/** The message as a fallback tells it: its note says whom it stands in for, and why. */
export function handedOver(notification: Notification, { from, to, reason }: Handover): Notification {
  const { note } = notification;
  const remark = `via ${nameOf(to)} because ${nameOf(from)} ${why(reason)}`;
  return { ...notification, note: note === undefined ? remark : `${note}; ${remark}` };
}

import type { Notification } from '../../../model/notification.ts';

/** The notification as people read it: without the evidence and the impact that its title gives already. */
export function beyondTitle(notification: Notification): Notification {
  const { inTitle, ...rest } = notification;
  if (inTitle === undefined) return notification;
  const { impact, ...others } = rest;
  const isShown = impact !== undefined && inTitle.impact !== true;
  return { ...others, evidence: rest.evidence.slice(inTitle.evidence ?? 0), ...(isShown && { impact }) };
}

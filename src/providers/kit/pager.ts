import type { Delivery, Outcome } from '../../model/delivery.ts';
import type { Act, Notification } from '../../model/notification.ts';
import { kindNameOf, nameOf, namespaceOf } from '../../model/ref.ts';
import { isLoud } from './loud.ts';

/**
 * The name of an alert at the product: the same for every act, so that the end of a problem finds its beginning. Letters, digits and
 * hyphens alone, since products check names and some stand in addresses: a key may end in `#2`.
 */
export function alertName({ alertKey }: Pick<Delivery, 'alertKey'>): string {
  return `tocsin-${alertKey.replace(/[^A-Za-z0-9-]/g, '-')}`;
}

/** The name of an alert that never was: to end it proves the credentials and changes nothing. */
export const noAlert = 'tocsin-credential-check';

/**
 * What an act means to a pager: `resolve` clears the alert, a test raises one and clears it at once, everything else raises it
 * (again). Raising has to be harmless while the alert is there.
 */
export async function raiseOrClear(
  act: Act,
  ways: { readonly raise: () => Promise<Outcome>; readonly clear: () => Promise<Outcome> },
): Promise<Outcome> {
  if (act === 'resolve') return ways.clear();
  const raised = await ways.raise();
  return act === 'test' && raised.is === 'delivered' ? ways.clear() : raised;
}

/** An update that products without updates are not told: it is no reason to call people again, which raising an alert again does. */
export function isSilentUpdate(notification: Notification): boolean {
  return notification.act === 'update' && !isLoud(notification);
}

/** Where it is, as one path: `prod/shop/Deployment/payments`; the cluster alone for what is no incident. */
export function placeOf({ cluster, incident }: Notification): string {
  const root = incident ? [namespaceOf(incident.root), kindNameOf(incident.root), nameOf(incident.root)] : [];
  return [cluster, ...root].filter((part) => part !== '').join('/') || 'kubernetes';
}

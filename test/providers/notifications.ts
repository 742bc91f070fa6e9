/**
 * What the golden requests of every type are made of: what the real core tells (told/told.ts), as it was last written down, so
 * that the tests of a type change with the words that people read and with nothing else.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Delivery, deliveryKeys } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import type { Told, ToldName } from './told/told.ts';

/** Where it is written down. */
export const toldFile = join(import.meta.dirname, 'told/fixtures/told.json');

const told: Readonly<Record<ToldName, Told>> = JSON.parse(readFileSync(toldFile, 'utf8'));

/** What is told, by its name → the notification. */
export const notifications: Readonly<Record<ToldName, Notification>> = {
  open: told.open.notification,
  update: told.update.notification,
  resolve: told.resolve.notification,
  reopen: told.reopen.notification,
  digest: told.digest.notification,
  startup: told.startup.notification,
  overview: told.overview.notification,
  test: told.test.notification,
  tenant: told.tenant.notification,
  'overview-over': told['overview-over'].notification,
  'startup-over': told['startup-over'].notification,
  'startup-well': told['startup-well'].notification,
};

/** The delivery that carries it: the real one, or that of a variant which a test makes of one. */
export function deliveryOf(
  notification: Notification,
): Pick<Delivery, 'id' | 'stream' | 'act' | 'sequence' | 'attemptKey' | 'alertKey'> {
  const { act, incident, over } = notification;
  const plain = Object.values(told).find((each) => each.act === act && each.notification.over === over);
  const stream = incident?.id ?? plain?.stream ?? `message-${act}`;
  const sequence = incident?.revision ?? plain?.sequence ?? 1;
  const alertKey = incident?.alertKey ?? plain?.alertKey ?? stream;
  return { ...deliveryKeys(stream, 'oncall', act, sequence), stream, act, sequence, alertKey };
}

import { identityOf, labelKeys } from '../../message/render/kit/details.ts';
import { fitted } from '../../message/render/kit/fitted.ts';
import { headline } from '../../message/render/kit/headline.ts';
import { plainBody, plainText } from '../../message/render/kit/plain-text.ts';
import { quietText } from '../../message/render/kit/quiet.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import type { Notification } from '../../model/notification.ts';
import { placeOf } from '../kit.ts';
import { canChange, type OpsgenieConfig } from './api.ts';

/** P5 is left to tests. */
export const priorities = { critical: 'P1', high: 'P2', medium: 'P3', low: 'P4' } as const;

/** A subset of HTML is shown as such, and by some clients escapes are shown as they are: other brackets read well in both. */
const quiet = (text: string): string => quietText(text.replaceAll('<', '‹').replaceAll('>', '›'));

/** What lists and phones show: the alert's `message`, 130 characters. */
export function messageOf(notification: Notification): string {
  return headline(notification, 130, 'characters', quiet);
}

/** A note on the alert, with the title: the alert keeps the one it was created with. Notes hold 25,000 characters. */
export function noteOf(notification: Notification): string {
  return within(notification, plainText);
}

function within(notification: Notification, write: (told: Notification) => string): string {
  return fitted(notification, { max: 15_000, unit: 'characters' }, (told) => quiet(write(told)));
}

/** What people write of a responder: a team by its name, or another kind before a colon. */
export const responder = {
  pattern: '^((team|schedule|escalation):)?[A-Za-z0-9][A-Za-z0-9 ._-]{0,98}$|^user:[^\\s:@]+@[^\\s:@]+$',
  description: 'Name of a team, or schedule:<name>, escalation:<name>, user:<address>.',
} as const;

/** Who is called, as the API names them. */
export function respondersOf(words: readonly string[]): readonly object[] {
  return words.map((word) => {
    const [type, name] = word.includes(':') ? word.split(':') : ['team', word];
    return type === 'user' ? { type, username: name } : { type, name };
  });
}

/** The body that creates an alert; where one of this alias is open, only its `note` counts. */
export function alertOf(
  notification: Notification,
  alias: string,
  config: Pick<OpsgenieConfig, 'region'>,
  responders: readonly object[] = [],
): object {
  const { act, severity, incident } = notification;
  const changed = canChange(config) ? undefined : incident?.previousSeverity;
  const told = changed === undefined ? '' : `Severity changed from ${changed} to ${severity}.\n\n`;
  const { labels: _asOne, ...details } = identityOf(notification, { max: 500, unit: 'characters', quiet });
  return {
    message: messageOf(notification),
    alias,
    description: within(notification, plainBody),
    priority: act === 'test' ? 'P5' : priorities[severity],
    source: 'Tocsin',
    entity: truncate(quiet(placeOf(notification)), 512, 'characters'),
    tags: ['tocsin', severity, ...(incident ? [incident.reason] : [])],
    details: { ...details, ...labelKeys(notification, quiet) },
    ...(responders.length > 0 && { responders }),
    ...(act === 'update' && { note: `${told}${noteOf(notification)}` }),
  };
}

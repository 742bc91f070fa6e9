import type { looks } from './looks.ts';

/** A picture of messages as a product shows them. */
export type Picture = {
  /** Its file, without an ending. */
  readonly name: string;
  /** Whose recorded messages it shows: types, each in one way of configuring it. It stands on the pages of these types. */
  readonly from: readonly (readonly [type: string, mode: string])[];
  readonly look: keyof typeof looks;
  /** What it shows, in words. */
  readonly shows: string;
  /** CSS pixels; as wide as a window where it is not said. */
  readonly width?: number;
};

const course = 'The course of an incident';
const phone = 400;

/**
 * The pictures: products that show our messages in a way that words cannot say, each drawn after the product's own layout. What only prints
 * text is shown as text.
 */
export const pictures: readonly Picture[] = [
  { name: 'slack', from: [['slack', 'token']], look: 'slack', shows: course },
  { name: 'teams', from: [['teams', 'flow']], look: 'teams', shows: course },
  { name: 'discord', from: [['discord', 'default']], look: 'discord', shows: course },
  { name: 'googlechat', from: [['googlechat', 'default']], look: 'googlechat', shows: course },
  { name: 'mattermost', from: [['mattermost', 'default']], look: 'attachments', shows: course },
  { name: 'telegram', from: [['telegram', 'default']], look: 'telegram', shows: course },
  { name: 'email', from: [['email', 'relay']], look: 'mail', shows: course },
  { name: 'email-dark', from: [['email', 'relay']], look: 'mailDark', shows: 'The same in the dark' },
  { name: 'github', from: [['github', 'default']], look: 'forge', shows: course },
  { name: 'pagerduty', from: [['pagerduty', 'default']], look: 'pagerduty', shows: course },
  { name: 'opsgenie', from: [['opsgenie', 'us']], look: 'opsgenie', shows: course },
  { name: 'jira', from: [['jira', 'cloud']], look: 'jira', shows: course },
  { name: 'sms', from: [['twilio', 'default']], look: 'sms', shows: course, width: phone },
  {
    name: 'lock-screen',
    from: [
      ['pushover', 'default'],
      ['ntfy', 'default'],
      ['telegram', 'default'],
      ['slack', 'token'],
      ['twilio', 'default'],
    ],
    look: 'lockScreen',
    shows: 'The lock screen of a phone',
    width: phone,
  },
];

/** Pictures of a type: those of its own, and the lock screen where it has no other. */
export function picturesOf(type: string): readonly Picture[] {
  const all = pictures.filter(({ from }) => from.some(([each]) => each === type));
  const own = all.filter(({ from }) => from.length === 1);
  return own.length > 0 ? own : all;
}

import type { looks } from './looks.ts';

/** A picture of messages as a product shows them. */
export type Picture = {
  /** Its file, without an ending. */
  readonly name: string;
  /** The provider type on whose page it stands, and the way of configuring it that is shown. */
  readonly of: string;
  readonly mode: string;
  readonly look: keyof typeof looks;
  /** What it shows, in words. */
  readonly shows: string;
};

const course = 'The course of an incident';

/** The pictures; of the other types the texts say it all. */
export const pictures: readonly Picture[] = [
  { name: 'slack', of: 'slack', mode: 'token', look: 'slack', shows: course },
  { name: 'teams', of: 'teams', mode: 'flow', look: 'teams', shows: course },
  { name: 'discord', of: 'discord', mode: 'default', look: 'discord', shows: course },
  { name: 'googlechat', of: 'googlechat', mode: 'default', look: 'googlechat', shows: course },
  { name: 'mattermost', of: 'mattermost', mode: 'default', look: 'attachments', shows: course },
  { name: 'telegram', of: 'telegram', mode: 'default', look: 'telegram', shows: course },
  { name: 'matrix', of: 'matrix', mode: 'default', look: 'matrix', shows: course },
  { name: 'zulip', of: 'zulip', mode: 'default', look: 'zulip', shows: course },
  { name: 'webex', of: 'webex', mode: 'space', look: 'webex', shows: course },
  { name: 'email', of: 'email', mode: 'relay', look: 'mail', shows: course },
  { name: 'github', of: 'github', mode: 'default', look: 'forge', shows: course },
];

import { plainText } from '../../../src/message/render/kit/plain-text.ts';
import type { Message, Played } from './play.ts';

const openings = ({ messages }: Played): readonly Message[] =>
  messages.filter(({ delivery }) => delivery.act === 'open');

/** The full text of every opening of a scenario as people read it. */
export function goldenText(played: Played): string {
  return `${openings(played)
    .map(({ notification }) => plainText(notification))
    .join('\n\n----\n\n')}\n`;
}

/**
 * Scenarios of which every message is kept, not the openings alone: what becomes of an incident, and messages that tell of several. The
 * page of messages shows some of them (`scripts/generate/messages-page.ts`).
 */
export const wholeCourses: ReadonlySet<string> = new Set([
  'labelled/bad-rollout',
  'labelled/cold-start-with-fault',
  'labelled/crash-comes-back',
  'labelled/cron-job-fails-nightly',
  'labelled/database-disk-full',
  'labelled/drain-blocked-by-budget',
  'labelled/flapping-workload',
  'labelled/node-lost',
  'labelled/second-release-mends-the-first',
  'labelled/secret-missing',
  'labelled/webhook-that-may-fail',
  'labelled/zone-lost-and-back',
  'storm/dns',
  'storm/two-causes',
]);

/** Every message of a scenario as people read it, each below its act. */
export function courseText({ messages }: Played): string {
  return messages.map(({ notification }) => `---- ${notification.act}\n\n${plainText(notification)}\n`).join('\n');
}

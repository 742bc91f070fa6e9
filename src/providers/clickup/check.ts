import type { Outcome } from '../../model/delivery.ts';
import { rejected } from '../kit.ts';
import type { Send } from '../provider.ts';
import { type ClickupConfig, callClickup, readingAt, statusesOf } from './api.ts';

/** Whether the token sees the list, and whether the list has the statuses that are configured. */
export async function checkClickup(parts: {
  readonly config: ClickupConfig;
  readonly send: Send;
  readonly now: number;
}): Promise<Outcome> {
  const { listId, closeStatus, reopenStatus } = parts.config;
  const answer = await callClickup(parts, 'GET', `list/${encodeURIComponent(listId)}`);
  const outcome = answer.outcome(readingAt(parts));
  const names = statusesOf(answer.json()).map(({ status }) => status);
  if (outcome.is !== 'delivered' || names.length === 0) return outcome;
  for (const [field, wanted] of Object.entries({ closeStatus, reopenStatus }))
    if (wanted !== undefined && !names.some((name) => name.toLowerCase() === wanted.toLowerCase())) {
      return rejected(
        `\`${field}\` is "${wanted}", but the list has the statuses ${names.map((name) => `"${name}"`).join(', ')}`,
      );
    }
  return outcome;
}

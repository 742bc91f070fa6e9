import type { Outcome } from '../../model/delivery.ts';
import { type Attempt, TransportError } from '../provider.ts';
import { outcomeOfTransport } from './answer.ts';

/**
 * Tells several recipients of a product that is asked once for each and knows no idempotency. Who has it is kept in `ref`, so
 * that the next attempt is for the others alone. A recipient who is refused does not keep it from the rest, and the delivery
 * fails for good, so that somebody notices; whatever concerns all (a credential, a limit, no answer) ends the attempt there.
 */
export async function tellEach(
  { delivery, ref }: Pick<Attempt<unknown>, 'delivery' | 'ref'>,
  recipients: readonly string[],
  tell: (recipient: string) => Promise<Outcome>,
): Promise<Outcome> {
  const done = new Set(ref?.attempt === delivery.attemptKey ? ref.done?.split(',') : []);
  const ended = (failure: Exclude<Outcome, { is: 'delivered' }>): Outcome =>
    done.size === 0
      ? failure
      : { ...failure, mayHaveArrived: true, ref: { attempt: delivery.attemptKey, done: [...done].join(',') } };
  let refusal: Extract<Outcome, { is: 'permanent' }> | undefined;
  for (const recipient of recipients) {
    if (done.has(recipient)) continue;
    const outcome = await tell(recipient).catch(outcomeOfNoAnswer);
    if (outcome.is === 'delivered') done.add(recipient);
    else if (outcome.is !== 'permanent' || outcome.credential) return ended(outcome);
    else refusal ??= recipients.length === 1 ? outcome : { ...outcome, reason: `${recipient}: ${outcome.reason}` };
  }
  return refusal ? ended(refusal) : { is: 'delivered' };
}

function outcomeOfNoAnswer(error: unknown): Outcome {
  if (error instanceof TransportError) return outcomeOfTransport(error);
  throw error;
}

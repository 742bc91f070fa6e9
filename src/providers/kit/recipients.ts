import { hasPerhapsArrived, type Outcome } from '../../model/delivery.ts';
import { type Attempt, TransportError } from '../provider.ts';
import { outcomeOfTransport } from './answer.ts';

/**
 * Tells several recipients of a product that is asked once for each and knows no idempotency. Who has it is kept in `ref`, so
 * that the next attempt is for the others alone. A recipient who is refused, or at whom the product fails, does not keep it from
 * the rest; the delivery is tried again for the latter, else it fails for good, so that somebody notices. Whatever concerns all (a
 * credential, a limit, no answer, errors in a row) ends the attempt there, before its time is over and it is forgotten who has it.
 */
export async function tellEach(
  { delivery, ref }: Pick<Attempt<unknown>, 'delivery' | 'ref'>,
  recipients: readonly string[],
  tell: (recipient: string) => Promise<Outcome>,
): Promise<Outcome> {
  const done = new Set(ref?.attempt === delivery.attemptKey ? ref.done?.split(',') : []);
  const left: OfOne[] = [];
  let inRow = 0;
  const ended = (failure: Failure): Outcome => {
    const arrived = done.size > 0 || left.some(hasPerhapsArrived);
    const kept = done.size > 0 && { ref: { attempt: delivery.attemptKey, done: [...done].join(',') } };
    return { ...failure, ...(arrived && { mayHaveArrived: true }), ...kept };
  };
  for (const recipient of recipients) {
    if (done.has(recipient)) continue;
    const outcome = await tell(recipient).catch(outcomeOfNoAnswer);
    inRow = outcome.is === 'retryable' ? inRow + 1 : 0;
    if (outcome.is === 'delivered') done.add(recipient);
    else if (!isOfOne(outcome)) return ended(outcome);
    else left.push(recipients.length === 1 ? outcome : { ...outcome, reason: `${recipient}: ${outcome.reason}` });
    if (inRow === ofProduct) break;
  }
  const first = left.find(({ is }) => is === 'retryable') ?? left[0];
  return first ? ended(first) : { is: 'delivered' };
}

/** As many errors in a row are about no recipient. */
const ofProduct = 3;

type Failure = Exclude<Outcome, { is: 'delivered' }>;

/** A failure that may be about one recipient alone: a refusal, or an error that was answered. */
type OfOne = Extract<Failure, { is: 'permanent' | 'retryable' }>;
function isOfOne(failure: Failure): failure is OfOne {
  return failure.is === 'retryable'
    ? failure.code === 'ServerError'
    : failure.is === 'permanent' && !failure.credential;
}

function outcomeOfNoAnswer(error: unknown): Outcome {
  if (error instanceof TransportError) return outcomeOfTransport(error);
  throw error;
}

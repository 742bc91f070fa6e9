import type { Outcome, Reference } from '../../model/delivery.ts';
import { type Attempt, TransportError } from '../provider.ts';
import { outcomeOfTransport } from './answer.ts';
import type { Sought } from './marker.ts';

/** What a reference holds: `item` is how the product finds its item again. The rest of it is the type's own. */
export type Item = Reference & { readonly item: string };

/** What a tracker can do with its items, in its own calls. */
export type Tracker = {
  /** Makes an item, with its reference in the outcome. `before`: the one it goes on from, to be linked. */
  create(before?: Item): Promise<Outcome>;
  /** Tells below an item; `gone` when it was deleted or moved away. */
  comment(item: Item): Promise<Outcome | 'gone'>;
  /** Looks for an item of this problem by its marker. Rejects with `LookUpFailed`. */
  find(sought: Sought): Promise<Item | undefined>;
  /** Shows another severity where an item shows one. What is refused stays as it is: the comment has told it. */
  restate?(item: Item): Promise<Outcome>;
  /** After the comment of a resolve, where it is configured. */
  close?(item: Item): Promise<Outcome>;
  /** After the comment of a reopening, where it is configured; without it, or where the item is out of reach, a new one is made. */
  reopen?(item: Item): Promise<Outcome | 'gone'>;
  /** Puts the item of a test away. */
  endTest?(item: Item): Promise<Outcome>;
};

/** Acts of something that was told before. */
const laterActs: ReadonlySet<string> = new Set(['update', 'resolve', 'reopen']);

/** What a look-up of the dispatcher is for: an opening wants what itself made, later acts whatever stands for the problem. */
export function soughtBy({ delivery }: Pick<Attempt<unknown>, 'delivery'>): Sought {
  return laterActs.has(delivery.act) ? 'alert' : 'opening';
}

/**
 * Tells one act as an item of a tracker: made by the opening, commented by what follows, closed and reopened as configured. What a
 * person deleted or moved is made anew, unless it is over anyway. A failed attempt leaves in the reference how far it came:
 * `told`, the comment is there; `sought`, a new item may be there.
 */
export async function tellTracker(attempt: Attempt<unknown>, tracker: Tracker): Promise<Outcome> {
  const { delivery, ref } = attempt;
  const known = itemOf(ref);
  if (laterActs.has(delivery.act)) {
    if (known) return follow(attempt, tracker, known);
    return delivery.act === 'resolve' ? { is: 'delivered' } : create(tracker);
  }
  if (delivery.act === 'test') return tellTest(tracker, known);
  if (known) return { is: 'delivered', ref: known };
  return delivery.act === 'startup' ? tellStart(attempt, tracker) : create(tracker, itemOf(attempt.before));
}

/** The summary of an earlier start may stand open: this one goes on there, so that one end closes it and restarts pile up nothing. */
async function tellStart(attempt: Attempt<unknown>, tracker: Tracker): Promise<Outcome> {
  const standing = await tracker.find('alert');
  if (!standing) return create(tracker);
  const { ref, ...outcome } = await follow(attempt, tracker, standing);
  // Without a reference a failed attempt looks again; with one it would count as made.
  return outcome.is === 'delivered' && ref ? { ...outcome, ref } : outcome;
}

async function tellTest(tracker: Tracker, known: Item | undefined): Promise<Outcome> {
  const made: Outcome = known ? { is: 'delivered', ref: known } : await create(tracker);
  const item = itemOf(made.ref);
  if (made.is !== 'delivered' || !item || !tracker.endTest) return made;
  return { ...(await outcomeOf(tracker.endTest(item))), ref: item };
}

async function follow(attempt: Attempt<unknown>, tracker: Tracker, item: Item): Promise<Outcome> {
  const { act, attemptKey } = attempt.delivery;
  if (act === 'reopen' && !tracker.reopen) return goOn(attempt, tracker, item, item);
  if (item.told !== attemptKey) {
    const told = await tracker.comment(item);
    if (told === 'gone') return replace(attempt, tracker, item);
    if (told.is !== 'delivered') return { ...told, ref: item };
  }
  const { told: _before, sought: _earlier, ...rest } = item;
  const kept: Item = { ...rest, item: item.item };
  const after = await outcomeOf(nextStep(attempt, tracker, kept) ?? { is: 'delivered' });
  if (after === 'gone') return goOn(attempt, tracker, { ...item, told: attemptKey }, kept);
  return { ...after, ref: after.is === 'delivered' ? kept : { ...kept, told: attemptKey } };
}

/** What comes after the comment. */
function nextStep(
  { notification }: Attempt<unknown>,
  tracker: Tracker,
  item: Item,
): Promise<Outcome | 'gone'> | undefined {
  const { act, severity, incident } = notification;
  if (act === 'resolve') return tracker.close?.(item);
  if (act === 'reopen') return tracker.reopen?.(item);
  if (act === 'startup') return tracker.restate?.(item).then(unlessRefused);
  const before = incident?.previousSeverity;
  return before === undefined || before === severity ? undefined : tracker.restate?.(item).then(unlessRefused);
}

/** The item is no more: another one that stands for the problem, else a new one. What is over needs none. */
async function replace(attempt: Attempt<unknown>, tracker: Tracker, gone: Item): Promise<Outcome> {
  const other = await tracker.find('alert');
  // An index may still hold what is gone.
  if (other && other.item !== gone.item) return follow(attempt, tracker, other);
  return attempt.delivery.act === 'resolve' ? { is: 'delivered' } : goOn(attempt, tracker, gone);
}

/** Makes a new item in place of an old one. If an earlier attempt may have made it, it is looked for first. */
async function goOn(attempt: Attempt<unknown>, tracker: Tracker, old: Item, before?: Item): Promise<Outcome> {
  const { attemptKey } = attempt.delivery;
  const made = old.sought === attemptKey ? await tracker.find('opening') : undefined;
  if (made) return { is: 'delivered', ref: made };
  const outcome = await outcomeOf(create(tracker, before));
  if (outcome.is === 'delivered' || outcome.ref) return outcome;
  const unsure = outcome.is === 'retryable' && outcome.mayHaveArrived;
  return { ...outcome, ref: unsure ? { ...old, sought: attemptKey } : old };
}

/** Makes an item. A server that failed at it may have it all the same, whatever the status: a repeat must look first. */
async function create(tracker: Tracker, before?: Item): Promise<Outcome> {
  const outcome = await tracker.create(before);
  const failed = outcome.is === 'retryable' && outcome.code === 'ServerError';
  return failed ? { ...outcome, mayHaveArrived: true } : outcome;
}

function itemOf(ref: Reference | undefined): Item | undefined {
  return ref?.item === undefined ? undefined : { ...ref, item: ref.item };
}

/** Nothing is left to do where there is nothing left. */
export function doneIfGone(outcome: Outcome | 'gone'): Outcome {
  return outcome === 'gone' ? { is: 'delivered' } : outcome;
}

/** What the account may not open again is as good as gone: a new item goes on. */
export function goneIfRefused(outcome: Outcome | 'gone'): Outcome | 'gone' {
  return outcome !== 'gone' && outcome.is === 'permanent' ? 'gone' : outcome;
}

/** A refusal that does not matter, as done. */
export function unlessRefused(outcome: Outcome): Outcome {
  return outcome.is === 'permanent' ? { is: 'delivered' } : outcome;
}

/** An outcome also where the connection broke: what was reached before must not be forgotten. */
async function outcomeOf<T>(step: Promise<Outcome | T> | Outcome): Promise<Outcome | T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof TransportError) return outcomeOfTransport(error);
    throw error;
  }
}

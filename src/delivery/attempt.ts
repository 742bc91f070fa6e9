import type { Clock } from '../model/clock.ts';
import type { Outcome, Reference } from '../model/delivery.ts';
import type { Act, Notification } from '../model/notification.ts';
import { buttonsOf, whoMayPress } from '../model/press.ts';
import type { OpenedSecrets, UnopenedSecrets } from '../model/secret-source.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import { keepsUpToDate } from '../model/traits.ts';
import { isLoud } from '../providers/kit/loud.ts';
import { inOwnWords } from '../providers/kit/own-words.ts';
import { peopleFor } from '../providers/kit/people.ts';
import { sentSecrets, tlsOf } from '../providers/kit/tls.ts';
import { type Attempt, LookUpFailed, TransportError } from '../providers/provider.ts';
import { blankOutcome } from './blank.ts';
import { outcomeOfError } from './classify.ts';
import { failures, type SecretFailure } from './failures.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

/** An attempt that has not ended after this is given up: no provider may hold its lane for ever. Milliseconds. */
const attemptDeadlineMs = 120_000;

/** Acts of something that was told before. */
const laterActs: ReadonlySet<Act> = new Set(['update', 'resolve', 'reopen']);
/** Acts that make an alert or issue where a product has such a thing. */
const openingActs: ReadonlySet<Act> = new Set(['open', 'startup', 'test']);

/**
 * How trying came out. `unopened`: the Secrets could not be had, nothing was tried. `gone`: it left the outbox meanwhile.
 * `heldBack`: the lock was lost, or the process began to end, before the attempt began.
 */
export type Tried =
  | { readonly is: 'ended'; readonly outcome: Outcome; readonly sent: StoredDelivery; readonly durationMs: number }
  | ({ readonly is: 'unopened' } & SecretFailure)
  | { readonly is: 'gone' }
  | { readonly is: 'heldBack' };

function isOpened(answer: OpenedSecrets | UnopenedSecrets): answer is OpenedSecrets {
  return 'values' in answer;
}

/** A refused credential whose Secret is gone meanwhile: the next attempt waits for it as for any Secret that is missing. */
function waitingFor(missing: UnopenedSecrets, ref: Reference | undefined): Outcome {
  const { code, message } = failures.secretMissing(missing);
  return { is: 'retryable', reason: message, code, mayHaveArrived: false, ...(ref && { ref }) };
}

/** Rejects when `work` takes longer than an attempt may. What comes later is not looked at. */
function withDeadline(work: Promise<Outcome>, clock: Clock): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(attemptDeadlineMs, () =>
      reject(new TransportError('Timeout', `no outcome after ${attemptDeadlineMs / 1000} s`, true)),
    );
    work.then(resolve, reject).finally(cancel);
  });
}

/**
 * Tries one delivery once: opens the Secrets, marks the begin in the store, waits until that is saved, delivers. A refused
 * credential is tried a second time at once if the Secrets, read afresh, turn out to have changed; if they are gone, whoever
 * rotates them by deleting and creating is waited for. Never rejects.
 */
export async function tryDelivery(
  stored: StoredDelivery,
  provider: ProviderSettings,
  type: DispatchedType,
  options: DispatcherOptions,
  mayBegin: () => boolean,
): Promise<Tried> {
  const { store, secrets, clock } = options;
  let opened: OpenedSecrets | UnopenedSecrets;
  try {
    opened = await secrets.open(provider.ref, false);
  } catch {
    return { is: 'unopened', ...failures.secretsUnread() };
  }
  if (!isOpened(opened)) return { is: 'unopened', ...failures.secretMissing(opened) };
  const sent = store.begin(stored.delivery.id);
  if (!sent) return { is: 'gone' };
  const saved = store.durable();
  if (saved !== undefined) await saved;
  if (!mayBegin()) return { is: 'heldBack' };
  const startedAt = clock.monotonic();
  let outcome = await deliver(sent, provider, type, opened, options);
  if (outcome.is === 'permanent' && outcome.credential) {
    const fresh = await secrets.open(provider.ref, true).catch(() => undefined);
    if (fresh && !isOpened(fresh)) outcome = waitingFor(fresh, outcome.ref);
    else if (fresh && fresh.version !== opened.version)
      outcome = await deliver(sent, provider, type, fresh, options, outcome.ref);
  }
  return { is: 'ended', outcome, sent, durationMs: clock.monotonic() - startedAt };
}

/** Delivers; whatever it comes to, its words quote no secret of the provider. */
async function deliver(...attempt: Parameters<typeof deliverOnce>): Promise<Outcome> {
  const opened = attempt[3];
  return blankOutcome(await deliverOnce(...attempt), sentSecrets(opened.values));
}

async function deliverOnce(
  { delivery, mayHaveArrived }: StoredDelivery,
  provider: ProviderSettings,
  type: DispatchedType,
  opened: OpenedSecrets,
  options: DispatcherOptions,
  reached?: Reference,
): Promise<Outcome> {
  const { store, clock, log } = options;
  try {
    const known = reached ?? store.reference(delivery.stream, delivery.providerUid);
    const before =
      delivery.previous === undefined ? undefined : store.reference(delivery.previous, delivery.providerUid);
    const { notification, problem } = inOwnWords(delivery.notification, provider.words);
    const tls = tlsOf(opened.values);
    const aws = options.aws?.(provider);
    const attempt = {
      ...(before && { before }),
      notification,
      delivery,
      config: type.join(provider.config, opened.values),
      send: options.send(provider, type, tls),
      mail: options.mail(provider, type, tls),
      now: options.hostNow(),
      ...(aws && { aws }),
      people: peopleFor(notification, provider, type.reaches),
      ...buttonsFor(notification, provider),
      ...(isQuiet(notification, provider, type) && { quiet: true as const }),
    };
    const work = async (): Promise<Outcome> => {
      // An opening whose earlier attempt may have arrived is looked for too: a repeat would be a second issue.
      const maybeThere = mayHaveArrived || delivery.again !== undefined;
      const lost =
        known === undefined && (laterActs.has(delivery.act) || (openingActs.has(delivery.act) && maybeThere));
      const ref = lost ? await lookUp(type, attempt) : known;
      if (attempt.quiet && ref === undefined) return { is: 'delivered' };
      const outcome = await type.deliver(ref === undefined ? attempt : { ...attempt, ref });
      return keepReference(withRemark(outcome, problem), ref);
    };
    return await withDeadline(work(), clock);
  } catch (error) {
    if (!isAnswer(error))
      log.error({ err: error, provider: provider.ref, type: type.type }, 'a provider type failed unexpectedly');
    return outcomeOfError(error);
  }
}

/** Whether it is only written into the message that is there. */
function isQuiet(notification: Notification, provider: ProviderSettings, type: DispatchedType): boolean {
  if (!keepsUpToDate(type, provider)) return false;
  if (notification.act === 'resolve') return provider.sendResolved === false;
  return notification.act === 'update' && provider.silentUpdates === true && !isLoud(notification);
}

/** The buttons of a message of an open incident, where somebody may press them. */
function buttonsFor({ act, incident }: Notification, provider: ProviderSettings): Pick<Attempt<unknown>, 'buttons'> {
  if (incident === undefined || act === 'resolve' || whoMayPress(provider).length === 0) return {};
  return { buttons: buttonsOf(incident.id, provider, incident.acknowledged === true) };
}

/** What stands at the product. To be asked tells it nothing, however that ends: in doubt is only what was sent. */
async function lookUp(type: DispatchedType, attempt: Attempt<unknown>): Promise<Reference | undefined> {
  try {
    return await type.find?.(attempt);
  } catch (error) {
    const outcome = outcomeOfError(error);
    if (outcome.is === 'delivered' || !isAnswer(error)) throw error;
    throw new LookUpFailed({ ...outcome, mayHaveArrived: false });
  }
}

/** Whether an exception is how an attempt ends, not a fault of ours. */
const isAnswer = (error: unknown): boolean => error instanceof TransportError || error instanceof LookUpFailed;

/** What people should know of what was delivered, unless the type has more to say. */
function withRemark(outcome: Outcome, problem: string | undefined): Outcome {
  return outcome.is === 'delivered' && problem !== undefined ? { remark: problem, ...outcome } : outcome;
}

/** A reference that was looked up is kept even if the product returned none this time. */
function keepReference(outcome: Outcome, found: Reference | undefined): Outcome {
  return outcome.ref === undefined && found !== undefined ? { ...outcome, ref: found } : outcome;
}

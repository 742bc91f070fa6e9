import { Dispatcher } from '../../../src/delivery/dispatcher.ts';
import type { DispatchedType } from '../../../src/delivery/types.ts';
import type { Delivery, Outcome } from '../../../src/model/delivery.ts';
import type { Incident } from '../../../src/model/incident.ts';
import type { Notification } from '../../../src/model/notification.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { redact } from '../../../src/model/redact.ts';
import { Secret } from '../../../src/model/secret.ts';
import type { Saved } from '../../../src/model/store.ts';
import type { TypeTraits } from '../../../src/model/traits.ts';
import type { Attempt, Pacing } from '../../../src/providers/provider.ts';
import { LookUpFailed } from '../../../src/providers/provider.ts';
import { CurrentSettings } from '../../../src/runtime/loop/current-settings.ts';
import { Loop } from '../../../src/runtime/loop/loop.ts';
import { restoredFrom } from '../../../src/runtime/saving/restored.ts';
import { explanationsOf, incidentRowOf } from '../../../src/state/explanations.ts';
import { MemoryStore } from '../../../src/state/memory.ts';
import { rowShapes } from '../../../src/state/shapes/rows.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { Core } from '../../../src/turn/core.ts';
import { coverage } from '../../runtime/helpers.ts';
import type { StoryClock } from './clock.ts';
import { podOf, type Trouble } from './cluster.ts';
import { isChanged, namespace, type Plan, settingsOf } from './plan.ts';
import type { Answer, Entry, Fact, Family, Message } from './transcript.ts';

/**
 * The one file that knows Tocsin's inside, and of it only the entries: inputs go into the core's turn, what it wants saved into the
 * store, and the dispatcher sends what is there to the product that it is given. What settings look like is `plan.ts`.
 */

/** The product's side. */
export type Product = {
  /** Takes one request. Never settles where the product hangs. */
  request(message: Message, ref: string | undefined): Promise<{ readonly answer: Answer; readonly ref: string }>;
  /** A process that has died had begun to ask for this at an instant (epoch milliseconds), and had not yet. */
  cutOff(message: Message, begunAt: number): void;
  /** Looks up what stands under a key. */
  find(message: Pick<Message, 'provider' | 'uid' | 'key'>): { readonly answer: Answer; readonly ref?: string };
};

/** What an engine runs with. */
export type EngineOptions = {
  readonly clock: StoryClock;
  readonly random: () => number;
  readonly product: Product;
  readonly pacing: Pacing;
  /** Told of what is true of incidents whenever a turn has changed it. */
  readonly learned: (facts: readonly Fact[]) => void;
  /** Told whenever everything until now is saved. */
  readonly saved: () => void;
  /** Told of an exception in a turn: the process would end. */
  readonly crashed: (error: unknown) => void;
};

const families: Readonly<Record<Family, TypeTraits>> = {
  chat: { plain: 'native', family: 'chat', closesByKey: false },
  mail: { plain: 'native', family: 'mail', closesByKey: false },
  tracker: { plain: 'none', family: 'tracker', closesByKey: true },
  pager: { plain: 'alert', family: 'pager', closesByKey: true },
};

const outcomes: Readonly<Record<Exclude<Answer, 'hangs'>, Outcome>> = {
  taken: { is: 'delivered' },
  unavailable: { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false, code: 'ServerError' },
  reset: { is: 'retryable', reason: 'connection reset', mayHaveArrived: true, code: 'Unreachable' },
  timeout: { is: 'retryable', reason: 'no whole answer within 10 s', mayHaveArrived: true, code: 'Timeout' },
  limited: { is: 'rateLimited', afterMs: 60_000 },
  revoked: { is: 'permanent', reason: 'HTTP 401', credential: true, code: 'AuthFailed' },
  refused: { is: 'permanent', reason: 'HTTP 400', credential: false, code: 'Rejected' },
};

const quiet = createLogger({ level: 'error', redact, stream: { write: () => undefined } });

const nobodyAnswers = (): Promise<never> => new Promise(() => undefined);

/** One process: it ends by `kill`, and the next one begins with what it left. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #core = new Core({ clusterId: 'c', version: '1', traits: new Map(Object.entries(families)) });
  readonly #store: MemoryStore;
  readonly #current = new CurrentSettings(namespace);
  readonly #dispatcher: Dispatcher;
  readonly #loop: Loop;
  readonly #pods = new Map<string, { readonly made: string; readonly raw: RawObject }>();
  /** By delivery: an attempt that has begun and has asked the product for nothing yet, and when that was. */
  readonly #begun = new Map<string, { readonly message: Message; readonly at: number }>();
  #plan: Plan;
  #isAlive = true;
  /** What is on the disk if the process dies before it writes again: as it was when the last attempt began. */
  #lastWritten: Saved;

  constructor(plan: Plan, options: EngineOptions, saved?: Saved) {
    this.#options = options;
    this.#plan = plan;
    const { clock, random } = options;
    this.#store = new MemoryStore(saved);
    this.#lastWritten = { ...this.#store.load(), savedAt: clock.now() };
    const store = this.#store;
    const begin = store.begin.bind(store);
    store.begin = (id) => {
      const begun = begin(id);
      if (begun) this.#begun.set(id, { message: this.#messageOf(begun.delivery), at: clock.now() });
      this.#lastWritten = { ...store.load(), savedAt: clock.now() };
      options.saved();
      return begun;
    };
    const types = new Map(Object.entries(families).map(([name, traits]) => [name, this.#type(name, traits)]));
    this.#dispatcher = new Dispatcher({
      ...{ namespace, store, clock, hostNow: clock.now, random, paused: false, log: quiet },
      providers: () => this.#current.providers(),
      types: (type) => types.get(type),
      secrets: { open: async () => ({ values: new Map([['url', new Secret('https://x')]]), version: '1' }) },
      send: () => () => Promise.reject(new Error('this product does not send')),
      mail: () => ({
        send: () => Promise.reject(new Error('this product sends no mail')),
        check: () => Promise.reject(new Error('this product sends no mail')),
      }),
      report: (report) => this.#loop.push({ kind: 'outcome', report }),
      holdsLock: () => this.#isAlive,
      metrics: createMetrics({ process: false }),
    });
    this.#loop = new Loop({
      turn: this.#core.turn,
      clock,
      carry: ({ save, fetch }) => {
        store.commit(save);
        this.#options.learned(save.incidents.map((incident) => factOf(incident, clock.now())));
        this.#dispatcher.kick();
        for (const { previous: _, lines: __, ...run } of fetch)
          this.#loop.push({ kind: 'evidence', evidence: { ...run, source: '', lines: [] } });
      },
      crashed: options.crashed,
    });
    this.#start(saved);
  }

  /** What this process takes to be so of every incident that it knows. */
  facts(): readonly Fact[] {
    const now = this.#options.clock.now();
    return [...this.#core.view.incidents()].map((incident) => factOf(incident, now));
  }

  /** Everything is listed, what the plan says is there; the baseline is taken, or what was saved is gone on from. */
  #start(saved: Saved | undefined): void {
    const settings = settingsOf(this.#plan);
    this.#current.set(settings);
    const left = saved && this.#plan.edition === 'Pro' ? restoredFrom(fitting(saved)) : undefined;
    if (left) this.#loop.push({ kind: 'restored', saved: left });
    this.#loop.push({ kind: 'settings', settings });
    this.#loop.push({ kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } });
    this.#show(this.#plan.troubles);
    this.#loop.drain();
    this.#loop.push({ kind: 'baseline' });
    this.#loop.drain();
  }

  /** The cluster and the custom resources are like this from now on. */
  apply(plan: Plan): void {
    const before = new Map(settingsOf(this.#plan).providers.map((provider) => [provider.ref, provider]));
    this.#plan = plan;
    const settings = settingsOf(plan);
    this.#current.set(settings);
    this.#loop.push({ kind: 'settings', settings });
    this.#show(plan.troubles);
    this.#loop.drain();
    for (const provider of settings.providers)
      if (isChanged(before.get(provider.ref), provider)) this.#dispatcher.providerChanged(provider.ref);
  }

  /** Dies at once. What it leaves: all that it had saved, or only what was written when the last attempt began. */
  kill(losesTail: boolean): Saved {
    const whole = { ...this.#store.load(), savedAt: this.#options.clock.now() };
    const left = losesTail ? this.#lastWritten : whole;
    this.#isAlive = false;
    // What had only begun, or is being looked up, is not sent any more, or was not sent then; the next process does not know that.
    for (const { delivery, inFlight } of left.outbox) {
      const begun = inFlight ? this.#begun.get(delivery.id) : undefined;
      if (begun) this.#options.product.cutOff(begun.message, begun.at);
    }
    this.#loop.stop();
    this.#dispatcher.pause();
    // As it is read from a file.
    return JSON.parse(JSON.stringify(left)) as Saved;
  }

  #show(troubles: readonly Trouble[]): void {
    const wanted = new Map(troubles.map((trouble) => [trouble.name, trouble]));
    for (const [name, { raw }] of this.#pods) {
      if (wanted.has(name as Trouble['name'])) continue;
      this.#pods.delete(name);
      this.#loop.push({ kind: 'objects', source: 'pods', events: [{ is: 'gone', raw }] });
    }
    for (const trouble of troubles) {
      const made = `${trouble.failure} ${trouble.since}`;
      if (this.#pods.get(trouble.name)?.made === made) continue;
      const raw = podOf(trouble);
      this.#pods.set(trouble.name, { made, raw });
      this.#loop.push({ kind: 'objects', source: 'pods', events: [{ is: 'put', raw }] });
    }
  }

  #messageOf({ provider, providerUid, notification, ...delivery }: Delivery): Message {
    const { name = provider, family = 'chat' } = this.#plan.providers.find(({ uid }) => uid === providerUid) ?? {};
    return message({ delivery, notification, config: { name, uid: providerUid } }, family);
  }

  #type(name: string, { plain, family }: TypeTraits): DispatchedType {
    const { product, pacing } = this.#options;
    // The families of this file are the judge's.
    const messageOf = (attempt: Attempt<unknown>): Message => message(attempt, family as Family);
    const find: DispatchedType['find'] = async (attempt) => {
      const { answer, ref } = product.find(messageOf(attempt));
      if (answer === 'taken') return ref === undefined ? undefined : { ref };
      throw new LookUpFailed(outcomeOf(answer === 'hangs' ? 'unavailable' : answer));
    };
    return {
      ...{ type: name, product: name, plain, pacing },
      join: (config) => config,
      deliver: async (attempt) => {
        this.#begun.delete(attempt.delivery.id);
        if (!this.#isAlive) return nobodyAnswers();
        const { answer, ref } = await product.request(messageOf(attempt), attempt.ref?.ref);
        if (answer === 'hangs') return nobodyAnswers();
        return { ...outcomes[answer], ...(answer === 'taken' && { ref: { ref } }) };
      },
      ...(family === 'tracker' && { find }),
    };
  }
}

/** One saved row of the first incident, as a release with other fields or a fault of the disk leaves it. */
export function damaged(saved: Saved, damage: (row: Readonly<Record<string, unknown>>) => unknown): Saved {
  const [first, ...others] = saved.incidents;
  // What is read from a file may be anything.
  return { ...saved, incidents: [damage({ ...first }) as Incident, ...others] };
}

/** What is saved as it is read from a file: rows that do not fit are set aside. */
function fitting(saved: Saved): Saved {
  const incidents = saved.incidents.filter((incident) => {
    try {
      const row = rowShapes.incidents(incidentRowOf(incident));
      return (
        row === undefined && [...explanationsOf(incident)].every(([, one]) => rowShapes.explanations(one) === undefined)
      );
    } catch {
      return false;
    }
  });
  return { ...saved, incidents };
}

function outcomeOf(answer: Exclude<Answer, 'taken' | 'hangs'>): Exclude<Outcome, { is: 'delivered' }> {
  const outcome = outcomes[answer];
  return outcome.is === 'delivered' ? { is: 'retryable', reason: 'no answer', mayHaveArrived: false } : outcome;
}

function factOf(incident: Incident, at: number): Fact {
  const { id, alertKey, state, explanation, foldedInto, baseline } = incident;
  const { root, reason, severity } = explanation;
  return {
    ...{ at, incident: id, key: alertKey, root: root.ref, reason, severity, state },
    ...{ folded: foldedInto !== undefined, baseline: baseline === true },
  };
}

function message(
  { delivery, notification, config }: Pick<Attempt<unknown>, 'delivery' | 'notification' | 'config'>,
  family: Family,
): Message {
  // What `contenderOf` puts there.
  const { name, uid } = config as { readonly name: string; readonly uid: string };
  const { act, stream, alertKey } = delivery;
  const { severity, title, at, note = '', incident, list }: Notification = notification;
  const entries = (list?.entries ?? []).map(
    (entry): Entry => ({ root: entry.root, severity: entry.severity, over: entry.over === true }),
  );
  return {
    ...{ provider: name, uid, family, act, stream, key: alertKey, severity, title, decidedAt: at, note },
    ...(incident && { reason: incident.reason }),
    ...(list && { list: { entries, total: list.total } }),
  };
}

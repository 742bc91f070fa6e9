import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnchoredClock } from '../../src/model/anchored-clock.ts';
import { type Delivery, type DeliveryReport, deliveryKeys, type Outcome } from '../../src/model/delivery.ts';
import type { Act } from '../../src/model/notification.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { fc } from '../fast-check.ts';
import { virtualClock } from '../kube/support/virtual-clock.ts';
import { runs } from '../runs.ts';
import type { VirtualClock } from './clock.ts';
import { arrived, broken, delivery, provider, refused, type Stage, stage } from './stage.ts';

const minute = 60_000;
const streams = ['inc-1', 'inc-2'] as const;
const names = ['oncall', 'mail', 'phone'] as const;
type Name = (typeof names)[number];
type Config = { readonly name: Name; readonly uid: string };

/** How a product answers from now on; `hangs`: not at all. */
const moods: readonly (Outcome | 'hangs')[] = [
  'hangs',
  arrived,
  broken,
  refused,
  { is: 'retryable', reason: 'no answer', mayHaveArrived: true },
  { is: 'rateLimited', afterMs: 30_000 },
  { is: 'permanent', reason: 'HTTP 401', credential: true },
];

const happening = fc.oneof(
  { weight: 5, arbitrary: fc.record({ tell: fc.constantFrom(...streams), to: fc.constantFrom(...names) }) },
  { weight: 3, arbitrary: fc.record({ mood: fc.nat(moods.length - 1), of: fc.constantFrom(...names) }) },
  { weight: 4, arbitrary: fc.record({ passMs: fc.integer({ min: 0, max: 10 * minute }) }) },
  { weight: 1, arbitrary: fc.record({ suspend: fc.constantFrom(...names) }) },
  { weight: 1, arbitrary: fc.record({ remake: fc.constantFrom(...names) }) },
  { weight: 1, arbitrary: fc.record({ stepMs: fc.integer({ min: -180 * minute, max: 180 * minute }) }) },
  { weight: 1, arbitrary: fc.constant({ pause: true } as const) },
  { weight: 1, arbitrary: fc.constant({ restart: true } as const) },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** Whom each falls back on. */
const chains: readonly Readonly<Partial<Record<Name, Name>>>[] = [
  {},
  { oncall: 'mail' },
  { oncall: 'mail', mail: 'phone' },
  { oncall: 'mail', mail: 'phone', phone: 'oncall' },
];

/** The acts of an incident in the order in which a turn tells them: sequence 1 opens, later ones update, resolve, reopen. */
function actOf(sequence: number): Act {
  const later = (['update', 'resolve', 'reopen'] as const)[(sequence - 2) % 3];
  return sequence === 1 || later === undefined ? 'open' : later;
}

/** What an attempt says of its delivery. */
type Attempted = Pick<Delivery, 'id' | 'stream' | 'sequence' | 'act' | 'attemptKey'>;

/** One run of a story: processes that follow each other, on one clock and with one state, and products that answer as they like. */
class Story {
  readonly told: string[] = [];
  readonly reports: DeliveryReport[] = [];
  /** What reached a product, and what it answered. */
  readonly seen: { readonly delivery: Attempted; readonly uid: string; readonly arrived: boolean }[] = [];
  /** Delivery → attempts that the end of a process cut off. */
  readonly interrupted = new Map<string, number>();
  readonly #host = virtualClock();
  readonly #chain: (typeof chains)[number];
  readonly #moods = new Map<Name, Outcome | 'hangs'>();
  readonly #uids = new Map<Name, number>();
  readonly #sequences = new Map<string, number>();
  readonly #clock: VirtualClock;
  #paused = false;
  #life: Stage & { end(): void };

  constructor(chain: (typeof chains)[number]) {
    this.#chain = chain;
    const anchored = new AnchoredClock(this.#host, () => undefined);
    this.#clock = {
      now: () => anchored.now(),
      monotonic: () => anchored.monotonic(),
      after: (milliseconds, action) => anchored.after(milliseconds, action),
      advance: (milliseconds) => this.#host.advance(milliseconds),
    };
    const first = names.map((name) => this.#make(name));
    this.#life = this.#begin(first, new MemoryStore());
  }

  get store(): Stage['store'] {
    return this.#life.store;
  }

  async happen(each: Happening): Promise<void> {
    const { providers, dispatcher } = this.#life;
    if ('tell' in each) this.#tell(each.tell, each.to);
    if ('mood' in each) this.#moods.set(each.of, moods[each.mood] ?? arrived);
    if ('stepMs' in each) this.#host.step(each.stepMs);
    if ('passMs' in each) await this.#clock.advance(each.passMs);
    if ('suspend' in each) this.#put(each.suspend, providers.get(provider(each.suspend).ref)?.suspended !== true);
    if ('remake' in each) {
      this.#uids.set(each.remake, (this.#uids.get(each.remake) ?? 0) + 1);
      this.#put(each.remake);
    }
    if ('restart' in each) this.#restart();
    if ('pause' in each) {
      this.#paused = !this.#paused;
      if (this.#paused) dispatcher.pause();
      else dispatcher.resume();
    }
  }

  /** In the end everything works, and a day passes. */
  async end(): Promise<void> {
    this.#moods.clear();
    for (const name of names) this.#put(name);
    this.#life.dispatcher.resume();
    for (let hours = 0; hours < 2; hours += 1) await this.#clock.advance(60 * minute);
    this.#collect();
  }

  #tell(stream: (typeof streams)[number], name: Name): void {
    const to = this.#life.providers.get(provider(name).ref) ?? assert.fail();
    const lane = `${stream}|${to.uid}`;
    const sequence = (this.#sequences.get(lane) ?? 0) + 1;
    this.#sequences.set(lane, sequence);
    const made = delivery(to, actOf(sequence), sequence, { stream, now: this.#clock.now() });
    this.told.push(made.id);
    this.#life.enqueue(made);
  }

  #make(name: Name, suspended = false): ProviderSettings {
    const uid = `uid-${name}-${this.#uids.get(name) ?? 0}`;
    const fallback = this.#chain[name];
    return provider(name, {
      ...{ uid, suspended, config: { name, uid } },
      ...(fallback && { fallback: provider(fallback).ref }),
    });
  }

  #put(name: Name, suspended = false): void {
    const made = this.#make(name, suspended);
    this.#life.providers.set(made.ref, made);
    this.#life.dispatcher.providerChanged(made.ref);
  }

  #begin(providers: readonly ProviderSettings[], store: MemoryStore): Stage & { end(): void } {
    let alive = true;
    const life = stage({
      ...{ providers, store, clock: this.#clock, random: () => 0.5, paused: this.#paused },
      holdsLock: () => alive,
      script: ({ config, delivery: sent }) => {
        const { name, uid } = config as Config;
        const mood = this.#moods.get(name) ?? arrived;
        this.seen.push({ delivery: sent, uid, arrived: mood !== 'hangs' && mood.is === 'delivered' });
        return mood === 'hangs' ? new Promise<never>(() => undefined) : mood;
      },
    });
    return {
      ...life,
      end() {
        alive = false;
        life.dispatcher.pause();
      },
    };
  }

  /** The process is killed, whatever it was doing, and the next one goes on from what was saved. */
  #restart(): void {
    for (const { delivery: cut, inFlight } of this.store.outbox())
      if (inFlight) this.interrupted.set(cut.id, (this.interrupted.get(cut.id) ?? 0) + 1);
    this.#collect();
    this.#life.end();
    this.#life = this.#begin([...this.#life.providers.values()], new MemoryStore(this.store.load()));
    this.#life.dispatcher.kick();
  }

  #collect(): void {
    for (const report of this.#life.reports.splice(0)) this.reports.push(report);
  }
}

const tale = fc.record({
  happenings: fc.array(happening, { maxLength: 40 }),
  chain: fc.constantFrom(...chains),
});

test('whatever happens, each act arrives, is replaced by a newer one or is reported as failed, and is overdue only where there is a fallback', async () => {
  await fc.assert(
    fc.asyncProperty(tale, async ({ happenings, chain }) => {
      const story = new Story(chain);
      for (const each of happenings) await story.happen(each);
      await story.end();

      const { told, reports, store } = story;
      assert.deepEqual(store.outbox(), []);
      const ended = new Map(
        reports.filter(({ ended: is }) => is !== 'pending').map((report) => [report.delivery, report]),
      );
      for (const id of told) assert.ok(ended.has(id), 'a delivery is lost');
      const hasArrived = new Set(story.seen.flatMap(({ delivery: { id }, arrived: has }) => (has ? [id] : [])));
      for (const { delivery: id, ended: is, overdue, provider: ref } of reports) {
        if (is === 'delivered') assert.ok(hasArrived.has(id), 'what never arrived is said to have');
        if (overdue) assert.equal(is, 'pending', 'what has ended is not overdue');
        if (overdue) assert.ok(names.some((name) => provider(name).ref === ref && chain[name] !== undefined));
      }
    }),
    { numRuns: runs(100) },
  );
});

test('nothing arrives twice but what the end of a process cut off, nor out of order, nor at a provider made anew', async () => {
  await fc.assert(
    fc.asyncProperty(tale, async ({ happenings, chain }) => {
      const story = new Story(chain);
      for (const each of happenings) await story.happen(each);
      await story.end();

      const lastOf = new Map<string, number>();
      const arrivals = new Map<string, number>();
      for (const { delivery: sent, uid, arrived: has } of story.seen) {
        const { stream, sequence, act, attemptKey } = sent;
        assert.equal(attemptKey, deliveryKeys(stream, uid, act, sequence).attemptKey, 'meant for another provider');
        const last = lastOf.get(`${stream}|${uid}`) ?? 0;
        assert.ok(sequence >= last, `${stream}, ${uid}: ${sequence} after ${last}`);
        lastOf.set(`${stream}|${uid}`, sequence);
        if (has) arrivals.set(sent.id, (arrivals.get(sent.id) ?? 0) + 1);
      }
      for (const [id, times] of arrivals)
        assert.ok(times <= 1 + (story.interrupted.get(id) ?? 0), `arrived ${times} times`);
    }),
    { numRuns: runs(100) },
  );
});

test('what failed is in the dead letters until something later of its stream has arrived there', async () => {
  await fc.assert(
    fc.asyncProperty(tale, async ({ happenings, chain }) => {
      const story = new Story(chain);
      for (const each of happenings) await story.happen(each);
      await story.end();

      const dead = new Set(story.store.deadLetters().map(({ delivery: { id } }) => id));
      const { reports, seen } = story;
      const failed = new Set(reports.filter(({ ended }) => ended === 'failed').map((report) => report.delivery));
      for (const id of dead) assert.ok(failed.has(id));
      const sequenceOf = new Map(seen.map(({ delivery: { id, sequence } }) => [id, sequence]));
      for (const { delivery: id, stream, providerUid, ended } of reports) {
        if (ended !== 'failed' || dead.has(id)) continue;
        const isMadeUpFor = seen.some(
          ({ arrived: has, uid, delivery: later }) =>
            has && uid === providerUid && later.stream === stream && later.sequence > (sequenceOf.get(id) ?? 0),
        );
        assert.ok(isMadeUpFor, 'a failure is forgotten');
      }
    }),
    { numRuns: runs(100) },
  );
});

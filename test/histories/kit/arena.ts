import type { Saved } from '../../../src/model/store.ts';
import { type StoryClock, storyClock } from './clock.ts';
import type { Failure, Trouble } from './cluster.ts';
import { Engine, type EngineOptions } from './engine.ts';
import { Notes } from './notes.ts';
import type { MutePlan, Plan, ProviderPlan } from './plan.ts';
import { Products } from './products.ts';
import type { Family, Message, Severity, Transcript } from './transcript.ts';

/** What an AlertProvider says, as far as a story tells it. */
export type Made = Partial<Pick<ProviderPlan, 'fallback' | 'severities' | 'namespaces' | 'suspended' | 'home'>>;

type Changes = { -readonly [Key in keyof ProviderPlan]?: ProviderPlan[Key] | undefined };

/** How an arena differs from one of Pro where products are paced generously and waits are their mean. */
export type ArenaOptions = {
  readonly edition?: Plan['edition'];
  readonly random?: () => number;
  readonly pacing?: EngineOptions['pacing'];
};

const day = 24 * 3_600;

/** More than a storm of thousands needs: what asks so often does so without end, and there is no point in waiting for it. */
const flood = { everySeconds: 300, most: 2_000 };

/** Products were asked without end. */
export class Flood extends Error {}

/**
 * A cluster whose Pods fail as a story says, AlertProviders that people edit, products that answer as they like, and Tocsin between
 * them on a virtual clock, killed and begun anew. It writes down what the judge may know.
 */
export class Arena {
  readonly clock: StoryClock = storyClock(Date.parse('2026-11-20T08:00:00Z'));
  readonly products = new Products(this.clock);
  readonly #startedAt = this.clock.now();
  readonly #notes = new Notes(this.clock);
  readonly #options: EngineOptions;
  #plan: Plan;
  #engine: Engine | undefined;
  #made = 0;
  #crashed: { readonly error: unknown } | undefined;

  constructor({ edition = 'Pro', random = () => 0.5, pacing = { perSecond: 100, burst: 100 } }: ArenaOptions = {}) {
    this.#plan = { edition, providers: [], mutes: [], troubles: [] };
    this.#options = {
      ...{ clock: this.clock, random, pacing, product: this.products },
      learned: (facts) => this.#notes.learned(facts),
      saved: () => this.products.saved(),
      crashed: (error) => {
        this.#crashed ??= { error };
      },
    };
  }

  /** Seconds since the start. */
  get seconds(): number {
    return Math.round((this.clock.now() - this.#startedAt) / 1000);
  }

  /** The AlertProviders as they are. */
  get providers(): readonly ProviderPlan[] {
    return this.#plan.providers;
  }

  /** What fails now. */
  get troubles(): readonly Trouble[] {
    return this.#plan.troubles;
  }

  get edition(): Plan['edition'] {
    return this.#plan.edition;
  }

  /** The one that `app.communityProvider` names. */
  get chosen(): string | undefined {
    return this.#plan.communityProvider;
  }

  /** Whether Tocsin has started. */
  get isBegun(): boolean {
    return this.#engine !== undefined;
  }

  /** Tocsin starts, and looks at what there is. */
  begin(): void {
    this.#notes.configured(this.#plan);
    this.#engine = new Engine(this.#plan, this.#options);
    this.#mustLive();
  }

  /** An AlertProvider is created; one of that name is replaced by it. */
  create(name: string, family: Family, more: Made = {}): void {
    this.#made += 1;
    const others = this.#plan.providers.filter((one) => one.name !== name);
    const uid = `${name}#${this.#made}`;
    const made = {
      name,
      uid,
      family,
      suspended: false,
      invalid: false,
      generation: 1,
      credential: 1,
      createdAt: this.#made,
      ...more,
    };
    this.#change({ providers: [...others, made] });
  }

  /** An AlertProvider is deleted. */
  remove(name: string): void {
    this.#change({ providers: this.#plan.providers.filter((one) => one.name !== name) });
  }

  /** Fields of an AlertProvider are edited; `undefined` takes one away. */
  edit(name: string, changes: Changes): void {
    this.#change({
      providers: this.#plan.providers.map((one) =>
        one.name === name ? withChanges(one, { generation: one.generation + 1, ...changes }) : one,
      ),
    });
  }

  /** The Secret of an AlertProvider is edited. */
  rotate(name: string): void {
    this.#change({
      providers: this.#plan.providers.map((one) =>
        one.name === name ? { ...one, credential: one.credential + 1 } : one,
      ),
    });
  }

  /** A licence is added or ends; `app.communityProvider` names one. */
  license(edition: Plan['edition'], communityProvider?: string): void {
    const { communityProvider: _, ...plan } = this.#plan;
    this.#notes.licensed(this.#plan);
    this.#set({ ...plan, edition, ...(communityProvider !== undefined && { communityProvider }) });
  }

  /** A Pod (`namespace/name`) fails from now on, or fails otherwise than before. */
  fail(
    name: Trouble['name'],
    severity: Severity = 'high',
    failure: Failure = 'CrashLoopBackOff',
    forSeconds = 0,
  ): void {
    this.failAll([name], severity, failure, forSeconds);
  }

  /** Many fail at once. */
  failAll(
    names: readonly Trouble['name'][],
    severity: Severity = 'high',
    failure: Failure = 'CrashLoopBackOff',
    forSeconds = 0,
  ): void {
    const began = this.clock.now() - forSeconds * 1000;
    const known = new Map(this.#plan.troubles.map((trouble) => [trouble.name, trouble]));
    for (const name of names) {
      const before = known.get(name);
      const since = before?.failure === failure ? before.since : began;
      known.set(name, { name, failure, severity, since });
    }
    this.#change({ troubles: [...known.values()] });
  }

  /** Pods are well again; all of them, where none is named. */
  mend(...names: readonly string[]): void {
    const troubles = names.length === 0 ? [] : this.#plan.troubles.filter(({ name }) => !names.includes(name));
    this.#change({ troubles });
  }

  /** People do not want to hear of the objects of a name for that long. */
  mute(name: string, seconds: number, kind: MutePlan['kind'] = 'Silence'): void {
    const from = this.clock.now();
    const mute = { name, from, to: from + seconds * 1000, kind };
    this.#change({ mutes: [...this.#plan.mutes, mute] });
  }

  /** The process dies at once and the next one begins. On Community it knows nothing. `found`: what it finds of what was saved. */
  kill(losesTail = false, found: (saved: Saved) => Saved = (saved) => saved): void {
    const left = this.#engine?.kill(losesTail);
    const saved = left && found(left);
    this.products.cut(losesTail);
    this.#engine = new Engine(this.#plan, this.#options, this.#plan.edition === 'Pro' ? saved : undefined);
    this.#mustLive();
    this.#notes.restarted(this.#plan, this.#engine.facts());
  }

  /** Time passes. Rejects with a `Flood` where products are asked without end. */
  async pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= flood.everySeconds) {
      const before = this.products.requests.length;
      await this.clock.advance(Math.min(left, flood.everySeconds) * 1000);
      this.#mustLive();
      const asked = this.products.requests.length - before;
      if (asked > flood.most) throw new Flood(`${asked} requests within ${flood.everySeconds / 60} minutes`);
    }
  }

  /** All products are well, and what is broken stays broken for hours: who is to know of it knows. */
  async settle(hours = 3): Promise<void> {
    this.products.heal();
    for (let half = 0; half < hours * 2; half += 1) await this.pass(1_800);
    this.#notes.settled(this.#plan);
  }

  /** Nothing is broken any more, for days: nobody is left with anything open. */
  async clear(days = 2): Promise<void> {
    if (!this.#notes.isSettled) this.#notes.settled(this.#plan);
    this.products.heal();
    // What was so at the settled instant stays what was so then.
    await this.pass(1);
    this.mend();
    await this.pass(days * day);
  }

  /** What the judge may know. */
  transcript(): Transcript {
    return this.#notes.transcript(this.#plan, this.products.requests);
  }

  /** What a product has taken, in brief and in order: `open`, or `slack open` where no product is named. */
  taken(name?: string): string[] {
    return this.products.requests
      .filter(({ provider, taken }) => taken && (name === undefined || provider === name))
      .map(({ provider, act }) => (name === undefined ? `${provider} ${act}` : act));
  }

  /** The first message of a kind that a product took, and how many seconds after the start. */
  first(name: string, act: Message['act']): number | undefined {
    const found = this.products.requests.find((one) => one.provider === name && one.act === act && one.taken);
    return found && Math.round((found.at - this.#startedAt) / 1000);
  }

  #change(changes: Partial<Plan>): void {
    this.#set({ ...this.#plan, ...changes });
  }

  #set(plan: Plan): void {
    this.#plan = plan;
    if (!this.#engine) return;
    this.#notes.configured(this.#plan);
    this.#engine.apply(plan);
    this.#mustLive();
  }

  /** Throws what ended the process, if anything has. */
  #mustLive(): void {
    if (this.#crashed) throw this.#crashed.error;
  }
}

function withChanges(provider: ProviderPlan, changes: Changes): ProviderPlan {
  const merged = Object.entries({ ...provider, ...changes }).filter(([, value]) => value !== undefined);
  // Only optional fields are taken away.
  return Object.fromEntries(merged) as ProviderPlan;
}

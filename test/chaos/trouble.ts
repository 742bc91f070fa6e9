import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../../src/kube/api-client.ts';
import { type Break, isAbout, type Taken } from './judge.ts';
import { type Fault, faults, Workload } from './workload.ts';

/** What trouble is made of. */
export type TroubleOptions = {
  readonly api: ApiClient;
  /** What every name begins with. */
  readonly prefix: string;
  readonly random: () => number;
  /** Default all. A Secret that is missing is told after 30 s. */
  readonly faults?: readonly Fault[];
  /** What a receiver took so far, for each that must hear of everything. */
  readonly taken: readonly (readonly Taken[])[];
};

/** What is broken at the same time. */
const hands = 5;
/** Two breaks are so far apart at least: more than 20 openings a minute are a storm, and told as one. Milliseconds. */
const apartMs = 4_000;
/** Nobody should have to wait longer for news, restarts and the first look after a product that was given up included. Milliseconds. */
const patienceMs = 420_000;
/** What is broken for less than this may come and go unheard. Milliseconds. */
const briefMs = { least: 1_000, most: 12_000 } as const;
/** Shares of breaks that are brief, and of those that end by being deleted. */
const shares = { brief: 0.2, deleted: 0.25, long: 0.4 } as const;
/** How much longer something stays broken once it is told: some so long that a restart finds it exactly as it was. Milliseconds. */
const staysMs = { short: 3_000, long: 30_000 } as const;
const lookMs = 100;

/** Breaks and mends workloads, several at a time, each under a name of its own, until told to end. */
export class Trouble {
  readonly breaks: Break[] = [];
  readonly #options: TroubleOptions;
  #ending = false;
  #count = 0;
  #nextAt = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: TroubleOptions) {
    this.#options = options;
  }

  /** Begins. */
  start(): void {
    this.#work = Promise.all(Array.from({ length: hands }, () => this.#hand()));
  }

  /** Breaks nothing more; resolves when all is mended, and told or waited for in vain. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#work;
  }

  async #hand(): Promise<void> {
    while (!this.#ending) {
      const now = Date.now();
      const at = Math.max(now, this.#nextAt);
      this.#nextAt = at + apartMs;
      await delay(at - now);
      if (!this.#ending) await this.#story(this.#options.random() < shares.brief);
    }
  }

  async #story(isBrief: boolean): Promise<void> {
    const { api, prefix, random, faults: own = faults } = this.#options;
    this.#count += 1;
    const fault = own[Math.floor(random() * own.length)] ?? 'image';
    const workload = new Workload(api, `${prefix}-${this.#count}-${fault}`, fault);
    const story: Break = { name: workload.name, brokenAt: Date.now(), lasts: !isBrief };
    this.breaks.push(story);
    await workload.break();
    if (isBrief) await delay(briefMs.least + random() * (briefMs.most - briefMs.least));
    else {
      await this.#told(story, (message) => message.type === 'incident.opened');
      await delay(random() * (random() < shares.long ? staysMs.long : staysMs.short));
    }
    story.ending = random() < shares.deleted ? 'deleted' : 'mended';
    story.mendedAt = Date.now();
    await (story.ending === 'deleted' ? workload.remove() : workload.mend());
    if (isBrief) await this.#ended(story);
    else await this.#told(story, (message) => message.type === 'incident.resolved');
    await workload.remove();
  }

  /** Waits until every receiver has such news of it, or for as long as anybody should have to. */
  async #told({ name }: Break, matches: (message: Taken) => boolean): Promise<void> {
    const { taken } = this.#options;
    await this.#until(() =>
      taken.every((messages) => messages.some((message) => matches(message) && isAbout(message, name))),
    );
  }

  /** Waits until whoever was told of it has been told that it is over; for a while if nobody was. */
  async #ended({ name, mendedAt = 0 }: Break): Promise<void> {
    const { taken } = this.#options;
    const heard = (messages: readonly Taken[], type: string): boolean =>
      messages.some((message) => message.type === type && isAbout(message, name));
    await this.#until(() => {
      const opened = taken.filter((messages) => heard(messages, 'incident.opened'));
      if (opened.length === 0) return Date.now() > mendedAt + 2 * briefMs.most;
      return opened.every((messages) => heard(messages, 'incident.resolved'));
    });
  }

  async #until(holds: () => boolean): Promise<void> {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline && !holds(); ) await delay(lookMs);
  }
}

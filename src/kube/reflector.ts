import type { ObjectEvent } from '../model/raw-object.ts';
import { apiVersionOf } from '../model/resource.ts';
import { ApiError } from './api-client.ts';
import { type Census, takeCensus } from './census.ts';
import { CountCheck } from './count-check.ts';
import { CoverageReporter } from './coverage-reporter.ts';
import { isStreamingRefusal, kindOfFailure, WatchFailure } from './failure.ts';
import { countObjects, runList, versionNow } from './list.ts';
import { Listener } from './listener.ts';
import { Position } from './position.ts';
import { Recovery } from './recovery.ts';
import type { ReflectorOptions, ReflectorStats } from './reflector-options.ts';
import { createBreath } from './sleep.ts';
import { runWatch, type WatchBatch } from './watch.ts';
import { dressed, watchRequest } from './watch-request.ts';

/** Bookmarks come about once a minute; gaps of 120 s are normal. */
const silenceMs = 180_000;
/** A server that knows streaming lists begins at once; one that ignores the request never ends the first part. */
const streamedListSilenceMs = 30_000;
/** A watch that lived this long was a good one. */
const goodWatchMs = 10_000;

/** A list under way: in pages, in one piece, or as the first part of a watch. */
type Listing = { seen: Census; total: number };

/**
 * Lists and watches one resource for as long as it takes: no failure ends it, only `stop`. Objects are handed over as they
 * come and not kept.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #stopping = new AbortController();
  readonly #apiVersion: string;
  readonly #listener: Listener;
  readonly #coverage: CoverageReporter;
  readonly #recovery: Recovery;
  readonly #counting: CountCheck;
  readonly #breathe = createBreath();
  readonly #count = { lists: 0, watches: 0, failures: 0, malformedLines: 0 };
  readonly #position = new Position();
  #lastSignOfLife: number;
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions) {
    const { client, clock, prober, random, resource, version } = options;
    this.#options = options;
    this.#apiVersion = apiVersionOf(resource, version);
    this.#lastSignOfLife = clock.now();
    this.#listener = new Listener(options);
    this.#coverage = new CoverageReporter(resource, clock, (row) => this.#listener.cover(row));
    const { signal } = this.#stopping;
    this.#recovery = new Recovery({ clock, random, signal, prober, coverage: this.#coverage });
    this.#counting = new CountCheck({
      clock,
      random,
      known: () => this.#position.objects ?? 0,
      // While a list is under way nobody knows how many there are.
      count: async (until) => (this.#position.mustList ? undefined : countObjects(client, resource, version, until)),
    });
  }

  /** The first coverage is told before it returns. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when the request under way has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  stats(): ReflectorStats {
    const { objects } = this.#position;
    return {
      ...(objects !== undefined && { objects }),
      lastSignOfLife: this.#lastSignOfLife,
      ...this.#count,
      handlerErrors: this.#listener.errors,
    };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    this.#coverage.set('Syncing', 'InitialList');
    while (!signal.aborted)
      try {
        if (this.#position.mustList) await this.#list();
        else await this.#watch();
      } catch (error) {
        // What `react` rejects with is the end of a wait, because of `stop`.
        if (!signal.aborted) await this.#react(error).catch(() => undefined);
      }
    this.#coverage.stop();
  }

  async #react(error: unknown): Promise<void> {
    const kind = kindOfFailure(error);
    this.#count.failures++;
    if (kind === 'malformedLine') {
      this.#count.malformedLines++;
      if (!this.#position.isMalformedAgain)
        this.#listener.log('warn', 'a line of the watch cannot be read; watching again from the version before it', {});
    }
    if (kind === 'countDiffers')
      this.#listener.log('warn', 'the watch has kept something back; listing anew', { error });
    this.#position.failed(kind);
    if (!(error instanceof ApiError || error instanceof WatchFailure))
      this.#listener.log('error', 'unexpected error', { error });
    await this.#recovery.after(error);
  }

  async #list(): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#coverage.state === 'Watching') this.#announceList();
    const leave = await this.#options.gate.enter(signal);
    try {
      this.#count.lists++;
      if (this.#options.resource.startsNow) await this.#startNow();
      else if (this.#position.mayStream) await this.#streamList(leave);
      else await this.#listPages();
    } finally {
      leave();
    }
  }

  /** A list that only checks on a silent watch is no news, nor is one in the place of a watch that fails: the row says so already. */
  #announceList(): void {
    if (this.#position.isCheckingOnWatch || (this.#position.listsInVain && this.#coverage.isBad)) return;
    this.#coverage.set('Syncing', this.#position.objects === undefined ? 'InitialList' : 'Relisting');
  }

  #beginListing(): Listing {
    return { seen: takeCensus(this.#options.known(), this.#apiVersion, this.#options.resource.kind), total: 0 };
  }

  async #listPages(): Promise<void> {
    const { client, clock, resource, version } = this.#options;
    const resourceVersion = this.#position.versionToListAt;
    let listing = this.#beginListing();
    const listed = await runList({
      client,
      resource,
      version,
      ...(resourceVersion !== undefined && { resourceVersion }),
      signal: this.#stopping.signal,
      onStart: () => {
        listing = this.#beginListing();
      },
      onObjects: async (objects) => {
        this.#recovery.answered();
        this.#announceList();
        this.#lastSignOfLife = clock.now();
        listing.total += objects.length;
        const events = objects.map((raw) => ({ is: 'put' as const, raw: dressed(raw, resource, this.#apiVersion) }));
        this.#handOverListed(listing.seen.see(events));
        await this.#breathe(objects.length);
      },
    });
    this.#endListing(listing, listed);
  }

  async #startNow(): Promise<void> {
    const { client, resource, version } = this.#options;
    const now = await versionNow(client, resource, version, this.#stopping.signal);
    this.#recovery.answered();
    this.#endListing({ seen: takeCensus([], this.#apiVersion, resource.kind), total: 0 }, now);
  }

  #endListing({ seen, total }: Listing, version: string): void {
    this.#handOverListed(seen.vanished());
    this.#position.listed(version, total);
    this.#counting.listed();
  }

  /** Every object there is, then a bookmark that says so, then the watch goes on. Remembers whether the server can do that. */
  async #streamList(leave: () => void): Promise<void> {
    const listing = this.#beginListing();
    try {
      await this.#watch(listing, leave);
      this.#position.streamed();
    } catch (error) {
      if (!this.#position.mustList || !isStreamingRefusal(error)) throw error;
      this.#position.streamed();
    }
  }

  /** One watch, to its end. With `listing` it is a streaming list first, and `listed` is called at the end of that. */
  async #watch(listing?: Listing, listed?: () => void): Promise<void> {
    const { client, clock } = this.#options;
    const isListing = (): boolean => listing !== undefined && this.#position.mustList;
    let openedAt = clock.monotonic();
    this.#count.watches++;
    try {
      await runWatch({
        client,
        clock,
        signal: this.#stopping.signal,
        budget: this.#options.budget,
        request: watchRequest(this.#options, this.#position.version, listing !== undefined),
        silenceMs: () => (isListing() ? streamedListSilenceMs : silenceMs),
        onOpen: (end) => {
          this.#recovery.answered();
          openedAt = clock.monotonic();
          this.#counting.begin(end);
          if (isListing()) this.#announceList();
          else this.#announceWatch();
        },
        onBatch: async (batch) => {
          if (listing !== undefined && this.#position.mustList) {
            this.#takeListed(batch, listing);
            if (batch.initialEventsEnd) listed?.();
          } else this.#takeWatched(batch);
          await this.#breathe(batch.events.length);
        },
      });
    } finally {
      this.#counting.end();
      if (clock.monotonic() - openedAt >= goodWatchMs) this.#recovery.watched();
    }
  }

  #announceWatch(): void {
    if (this.#position.doubtsWatch) this.#coverage.set('Failing', 'WatchSilent');
    else if (this.#position.doubtsAcceptance) return;
    else this.#coverage.set('Watching', 'Synced');
  }

  /** Initial events come in no order of versions: until they are complete there is none to go on from. */
  #takeListed(batch: WatchBatch, listing: Listing): void {
    if (batch.events.length > 0 || batch.version !== undefined) this.#lastSignOfLife = this.#options.clock.now();
    listing.total = Math.max(0, listing.total + batch.growth);
    this.#handOverListed(listing.seen.see(this.#eventsOf(batch)));
    if (!batch.initialEventsEnd) return;
    this.#endListing(listing, batch.version ?? '');
    this.#announceWatch();
  }

  #takeWatched(batch: WatchBatch): void {
    if (batch.events.length > 0 || batch.version !== undefined) {
      this.#lastSignOfLife = this.#options.clock.now();
      this.#position.believed();
      this.#announceWatch();
    }
    this.#listener.hear(this.#eventsOf(batch));
    this.#position.watched(batch);
    this.#counting.heard();
  }

  #eventsOf({ events }: WatchBatch): readonly ObjectEvent[] {
    return events.map(({ is, raw }) => ({ is, raw: dressed(raw, this.#options.resource, this.#apiVersion) }));
  }

  #handOverListed(events: readonly ObjectEvent[]): void {
    this.#position.compare(events);
    this.#listener.hear(events);
  }
}

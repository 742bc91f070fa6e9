import type { ObjectEvent } from '../model/raw-object.ts';
import { apiVersionOf, sourceOf } from '../model/resource.ts';
import { ApiError } from './api-client.ts';
import { type Census, takeCensus } from './census.ts';
import { CoverageReporter } from './coverage-reporter.ts';
import { isStreamingRefusal, kindOfFailure, reactions, WatchFailure } from './failure.ts';
import { runList, smallKindObjects } from './list.ts';
import { pathOf } from './path.ts';
import { Recovery } from './recovery.ts';
import type { ReflectorOptions, ReflectorStats } from './reflector-options.ts';
import { SilentWatch } from './silent-watch.ts';
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
  readonly #coverage: CoverageReporter;
  readonly #recovery: Recovery;
  readonly #breathe = createBreath();
  readonly #count = { lists: 0, watches: 0, failures: 0, handlerErrors: 0, malformedLines: 0 };
  /** The last version seen: where a watch goes on. */
  #version: string | undefined;
  #mustList = true;
  /** The server knows streaming lists, as far as we know. */
  #streams = true;
  #mustPage = false;
  #objects: number | undefined;
  #lastSignOfLife: number;
  /** The version after which a watch could not be read. */
  #malformedAfter: string | undefined;
  /** A watch that fell silent, until a list has judged it. */
  #silentWatch: SilentWatch | undefined;
  /** Things happened that the last watch did not tell: the next one is believed when it has shown a sign of life. */
  #doubtsWatch = false;
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions) {
    const { clock, prober, random, resource, version } = options;
    this.#options = options;
    this.#apiVersion = apiVersionOf(resource, version);
    this.#lastSignOfLife = clock.now();
    this.#coverage = new CoverageReporter(resource, clock, (row) => {
      this.#log(row.state === 'Watching' || row.state === 'Syncing' ? 'info' : 'warn', row.state, {
        reason: row.reason,
      });
      this.#guarded('onCoverage', () => options.onCoverage(row));
    });
    const { signal } = this.#stopping;
    this.#recovery = new Recovery({ clock, random, signal, prober, coverage: this.#coverage });
  }

  /** Begins. The first coverage is told before it returns. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when the request under way has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  stats(): ReflectorStats {
    const objects = this.#objects;
    return { ...(objects !== undefined && { objects }), lastSignOfLife: this.#lastSignOfLife, ...this.#count };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    this.#coverage.set('Syncing', 'InitialList');
    while (!signal.aborted)
      try {
        if (this.#mustList) await this.#list();
        else await this.#watch();
      } catch (error) {
        // What `react` rejects with is the end of a wait, because of `stop`.
        if (!signal.aborted) await this.#react(error).catch(() => undefined);
      }
    this.#coverage.stop();
  }

  async #react(error: unknown): Promise<void> {
    const kind = kindOfFailure(error);
    const { relist, version } = reactions[kind];
    this.#count.failures++;
    if (kind === 'malformedLine') this.#noteMalformedLine();
    if (kind === 'silent') this.#silentWatch = new SilentWatch(this.#version ?? '');
    if (kind === 'answerTooLarge') this.#mustPage = true;
    if (relist) this.#mustList = true;
    if (version === 'forget') this.#version = undefined;
    if (!(error instanceof ApiError || error instanceof WatchFailure))
      this.#log('error', 'unexpected error', { error });
    await this.#recovery.after(error);
  }

  /**
   * The line may have been an event: the server sends it again to whoever watches on from the version before it. When that
   * cannot be read either, only a list in pages helps.
   */
  #noteMalformedLine(): void {
    this.#count.malformedLines++;
    const after = this.#version ?? '';
    if (this.#malformedAfter === after) {
      this.#mustList = true;
      this.#mustPage = true;
    } else this.#log('warn', 'a line of the watch cannot be read; watching again from the version before it', {});
    this.#malformedAfter = after;
  }

  async #list(): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#coverage.state === 'Watching') this.#announceList();
    const leave = await this.#options.gate.enter(signal);
    try {
      this.#count.lists++;
      // What checks on a silent watch comes another way than a watch.
      const streams = this.#streams && !this.#mustPage && this.#silentWatch === undefined;
      if (this.#options.resource.startsNow) await this.#startNow();
      else if (streams) await this.#streamList(leave);
      else await this.#listPages();
    } finally {
      leave();
    }
  }

  /** A list that only checks on a silent watch is no news: the row says so only if something was missed. */
  #announceList(): void {
    if (this.#silentWatch !== undefined) return;
    this.#coverage.set('Syncing', this.#objects === undefined ? 'InitialList' : 'Relisting');
  }

  #beginListing(): Listing {
    return { seen: takeCensus(this.#options.known(), this.#apiVersion, this.#options.resource.kind), total: 0 };
  }

  async #listPages(): Promise<void> {
    const { client, clock, resource, version } = this.#options;
    // Never a limit with a version: in one piece at the last version, or the newest state in pages.
    const inOnePiece = !this.#mustPage && (this.#objects ?? 0) < smallKindObjects;
    let listing = this.#beginListing();
    const listed = await runList({
      client,
      resource,
      version,
      ...(inOnePiece && this.#version !== undefined && { resourceVersion: this.#version }),
      signal: this.#stopping.signal,
      onStart: () => {
        listing = this.#beginListing();
      },
      onObjects: async (objects) => {
        this.#recovery.answered();
        this.#announceList();
        this.#lastSignOfLife = clock.now();
        listing.total += objects.length;
        this.#handOverListed(
          listing.seen.see(
            objects.map((raw) => ({ is: 'put', raw: dressed(raw, this.#options.resource, this.#apiVersion) })),
          ),
        );
        await this.#breathe(objects.length);
      },
    });
    this.#endListing(listing, listed);
  }

  /** What there is already is left unread: only the version is wanted. */
  async #startNow(): Promise<void> {
    const { client, resource, version } = this.#options;
    const request = {
      path: pathOf(resource, version),
      query: { limit: 1 },
      attempts: 1,
      signal: this.#stopping.signal,
    };
    const { resourceVersion = '' } = await client.list(request, () => Promise.resolve());
    this.#recovery.answered();
    this.#endListing({ seen: takeCensus([], this.#apiVersion, resource.kind), total: 0 }, resourceVersion);
  }

  #endListing({ seen, total }: Listing, version: string): void {
    this.#handOverListed(seen.vanished());
    if (this.#silentWatch !== undefined) this.#doubtsWatch = this.#silentWatch.missed;
    this.#silentWatch = undefined;
    this.#version = version;
    this.#objects = total;
    this.#mustList = false;
    this.#mustPage = false;
  }

  /** Every object there is, then a bookmark that says so, then the watch goes on. Remembers whether the server can do that. */
  async #streamList(leave: () => void): Promise<void> {
    const listing = this.#beginListing();
    try {
      await this.#watch(listing, leave);
      this.#streams = !this.#mustList;
    } catch (error) {
      if (!this.#mustList || !isStreamingRefusal(error)) throw error;
      this.#streams = false;
    }
  }

  /** One watch, to its end. With `listing` it is a streaming list first, and `listed` is called at the end of that. */
  async #watch(listing?: Listing, listed?: () => void): Promise<void> {
    const { client, clock } = this.#options;
    const isListing = (): boolean => listing !== undefined && this.#mustList;
    let openedAt = clock.monotonic();
    this.#count.watches++;
    try {
      await runWatch({
        client,
        clock,
        signal: this.#stopping.signal,
        request: watchRequest(this.#options, this.#version, listing !== undefined),
        silenceMs: () => (isListing() ? streamedListSilenceMs : silenceMs),
        onOpen: () => {
          this.#recovery.answered();
          openedAt = clock.monotonic();
          if (isListing()) this.#announceList();
          else this.#announceWatch();
        },
        onBatch: async (batch) => {
          if (listing !== undefined && this.#mustList) {
            this.#takeListed(batch, listing);
            if (batch.initialEventsEnd) listed?.();
          } else this.#takeWatched(batch);
          await this.#breathe(batch.events.length);
        },
      });
    } finally {
      if (clock.monotonic() - openedAt >= goodWatchMs) this.#recovery.watched();
    }
  }

  #announceWatch(): void {
    if (this.#doubtsWatch) this.#coverage.set('Failing', 'WatchSilent');
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
      this.#doubtsWatch = false;
      this.#announceWatch();
    }
    this.#handOver(this.#eventsOf(batch));
    this.#objects = Math.max(0, (this.#objects ?? 0) + batch.growth);
    this.#version = batch.version ?? this.#version;
  }

  #eventsOf({ events }: WatchBatch): readonly ObjectEvent[] {
    return events.map(({ is, raw }) => ({ is, raw: dressed(raw, this.#options.resource, this.#apiVersion) }));
  }

  #handOverListed(events: readonly ObjectEvent[]): void {
    this.#silentWatch?.compare(events);
    this.#handOver(events);
  }

  #handOver(events: readonly ObjectEvent[]): void {
    if (events.length > 0) this.#guarded('onEvents', () => this.#options.onEvents(events));
  }

  /** What listens to us must not end the watch. */
  #guarded(handler: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#count.handlerErrors++;
      this.#log('error', `${handler} failed; the watch goes on`, { error });
    }
  }

  #log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    this.#options.log?.(level, message, { source: sourceOf(this.#options.resource), ...fields });
  }
}

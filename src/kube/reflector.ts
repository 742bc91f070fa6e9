import type { ObjectEvent, RawObject } from '../model/raw-object.ts';
import { ApiError } from './api-client.ts';
import { type Census, takeCensus } from './census.ts';
import { createCoverageReporter } from './coverage-reporter.ts';
import { kindOfFailure, reactions, WatchFailure } from './failure.ts';
import { acceptOf, runList, smallKindObjects } from './list.ts';
import { createRecovery } from './recovery.ts';
import type { ReflectorOptions } from './reflector-options.ts';
import { apiVersionOf, pathOf, sourceOf } from './resources.ts';
import { createBreath } from './sleep.ts';
import { runWatch } from './watch.ts';

export type { ReflectorOptions };

/** What a reflector has done so far. */
export type ReflectorStats = {
  /** Absent until the first list is complete. */
  readonly objects?: number;
  /** Epoch milliseconds of the last event, bookmark or page; of the start, before any. */
  readonly lastSignOfLife: number;
  readonly lists: number;
  readonly watches: number;
  readonly failures: number;
  readonly handlerErrors: number;
  readonly malformedLines: number;
};

/** One resource being listed and watched until `stop`. */
export type Reflector = { stop(): Promise<void>; stats(): ReflectorStats };

/** `timeoutSeconds` of a watch: this, and up to as much again, so that they do not all end together. */
const minWatchSeconds = 300;
/** Bookmarks come about once a minute; gaps of 120 s are normal. */
const silenceMs = 180_000;
/** A server that knows streaming lists begins at once; one that ignores the request never ends the first part. */
const streamedListSilenceMs = 30_000;
/** A watch that lived this long was a good one. */
const goodWatchMs = 10_000;

/**
 * Lists and watches one resource for as long as it takes: no failure ends it, only `stop`. Objects are handed over as they
 * come and not kept.
 */
export function startReflector(options: ReflectorOptions): Reflector {
  const { client, resource, clock, random } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const path = pathOf(resource, options.version);
  const apiVersion = apiVersionOf(resource, options.version);
  const count = { lists: 0, watches: 0, failures: 0, handlerErrors: 0, malformedLines: 0 };
  const coverage = createCoverageReporter({
    resource,
    clock,
    onCoverage(row) {
      log(row.state === 'Watching' || row.state === 'Syncing' ? 'info' : 'warn', row.state, { reason: row.reason });
      options.onCoverage(row);
    },
    onHandlerError: (error) => handlerFailed('onCoverage', error),
  });
  const recovery = createRecovery({ clock, random, signal, prober: options.prober, coverage });

  const breathe = createBreath();
  /** The last version seen: where a watch goes on. */
  let version: string | undefined;
  let mustList = true;
  let streams = true;
  let mustPage = false;
  let objects: number | undefined;
  let lastSignOfLife = clock.now();

  function log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    options.log?.(level, message, { source: sourceOf(resource), ...fields });
  }

  function handlerFailed(handler: string, error: unknown): void {
    count.handlerErrors++;
    log('error', `${handler} failed; the watch goes on`, { error });
  }

  function emit(events: readonly ObjectEvent[]): void {
    if (events.length === 0) return;
    try {
      options.onEvents(events);
    } catch (error) {
      handlerFailed('onEvents', error);
    }
  }

  /** List items carry neither kind nor apiVersion; of metadata-only resources nothing else may go further. */
  function dressed(raw: RawObject): RawObject {
    if (resource.metadataOnly) return { apiVersion, kind: resource.kind, metadata: raw.metadata };
    return raw.kind === undefined ? { ...raw, apiVersion, kind: resource.kind } : raw;
  }

  function census(): Census {
    return takeCensus(options.known(), apiVersion, resource.kind);
  }

  function listing(): void {
    coverage.set('Syncing', objects === undefined ? 'InitialList' : 'Relisting');
  }

  function listComplete(listed: string, total: number): void {
    version = listed;
    objects = total;
    mustList = false;
    mustPage = false;
  }

  async function listPages(): Promise<void> {
    // Never a limit with a version: in one piece at the last version, or the newest state in pages.
    const inOnePiece = version !== undefined && !mustPage && (objects ?? 0) < smallKindObjects;
    let seen = census();
    let total = 0;
    const listed = await runList({
      client,
      resource,
      version: options.version,
      ...(inOnePiece && version !== undefined ? { resourceVersion: version } : {}),
      signal,
      onStart() {
        seen = census();
        total = 0;
      },
      async onObjects(objects) {
        recovery.answered();
        listing();
        lastSignOfLife = clock.now();
        total += objects.length;
        emit(seen.see(objects.map((raw) => ({ is: 'put', raw: dressed(raw) }))));
        await breathe(objects.length);
      },
    });
    emit(seen.vanished());
    listComplete(listed, total);
  }

  /**
   * One watch, to its end. With `onListed` it is a streaming list first: every object there is, then a bookmark that says
   * so, then the watch goes on. Resolves with whether the server knew how to do that.
   */
  async function watch(onListed?: () => void): Promise<boolean> {
    let seen = onListed === undefined ? undefined : census();
    let total = onListed === undefined ? (objects ?? 0) : 0;
    let openedAt = clock.now();
    let suspect = false;
    count.watches++;
    try {
      await runWatch({
        client,
        clock,
        signal,
        request: {
          path,
          query: {
            watch: true,
            allowWatchBookmarks: true,
            timeoutSeconds: Math.floor(minWatchSeconds * (1 + random())),
            resourceVersion: version,
            ...(onListed === undefined ? {} : { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
          },
          accept: acceptOf(resource, false),
        },
        silenceMs: () => (seen === undefined ? silenceMs : streamedListSilenceMs),
        onOpen() {
          recovery.answered();
          openedAt = clock.now();
          if (onListed === undefined) coverage.set('Watching', 'Synced');
          else listing();
        },
        async onBatch(batch) {
          suspect ||= batch.malformed > 0;
          count.malformedLines += batch.malformed;
          if (batch.events.length > 0 || batch.version !== undefined) lastSignOfLife = clock.now();
          const events = batch.events.map((event) => ({ is: event.is, raw: dressed(event.raw) }));
          total = Math.max(0, total + batch.growth);
          emit(seen?.see(events) ?? events);
          // Initial events come in no order of versions: until they are complete there is none to go on from.
          if (seen === undefined || batch.initialEventsEnd) {
            if (seen !== undefined) {
              emit(seen.vanished());
              seen = undefined;
              listComplete(batch.version ?? '', total);
              onListed?.();
              coverage.set('Watching', 'Synced');
            }
            objects = total;
            version = batch.version ?? version;
          }
          await breathe(events.length);
        },
      });
      return seen === undefined;
    } catch (error) {
      if (seen === undefined || !isRefusal(error)) throw error;
      return false;
    } finally {
      if (clock.now() - openedAt >= goodWatchMs) recovery.watched();
      if (suspect) {
        // An event may be lost: a list puts it right.
        mustList = true;
        log('warn', 'a line of the watch could not be read; listing again', {});
      }
    }
  }

  async function list(): Promise<void> {
    if (coverage.state() === 'Watching') listing();
    const leave = await options.gate.enter(signal);
    try {
      count.lists++;
      if (streams && !mustPage) streams = await watch(leave);
      else await listPages();
    } finally {
      leave();
    }
  }

  async function react(error: unknown): Promise<void> {
    const kind = kindOfFailure(error);
    count.failures++;
    if (reactions[kind].relist) mustList = true;
    if (reactions[kind].version === 'forget') version = undefined;
    if (kind === 'answerTooLarge') mustPage = true;
    if (!(error instanceof ApiError || error instanceof WatchFailure)) log('error', 'unexpected error', { error });
    await recovery.after(error);
  }

  async function run(): Promise<void> {
    coverage.set('Syncing', 'InitialList');
    while (!signal.aborted)
      try {
        if (mustList) await list();
        else await watch();
      } catch (error) {
        // What `react` rejects with is the end of a wait, because of `stop`.
        if (!signal.aborted) await react(error).catch(() => undefined);
      }
    coverage.stop();
  }

  const done = run();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
    stats: () => ({ ...(objects === undefined ? {} : { objects }), lastSignOfLife, ...count }),
  };
}

/** The server does not know streaming lists: it says so, or does not answer as one that does. */
function isRefusal(error: unknown): boolean {
  // A short watch with a cause was cut: that says nothing about what the server knows.
  if (error instanceof WatchFailure)
    return error.kind === 'silent' || (error.kind === 'shortWatch' && error.cause === undefined);
  return error instanceof ApiError && [400, 405, 406, 422, 501].includes(error.status);
}

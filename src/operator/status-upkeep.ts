import { kindNames } from '../api/group.ts';
import { ApiError } from '../kube/api-client.ts';
import type { EventRecord } from '../kube/events.ts';
import type { Clock } from '../model/clock.ts';
import type { Ref } from '../model/ref.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { OwnObjects } from './objects.ts';
import { ProviderAnnouncer } from './provider-events.ts';
import type { Publication } from './publication.ts';
import { type DesiredStatus, StatusWriter } from './status-writer.ts';
import type { Statuses } from './statuses.ts';
import { Timetable } from './timetable.ts';

/** Statuses made of facts that come without an event (counters, coverage) are looked at this often. */
const refreshMs = 5_000;

/** What keeping statuses needs. */
export type StatusUpkeepOptions = {
  readonly objects: OwnObjects;
  readonly statuses: Statuses;
  readonly publication: Publication;
  /** The AlertConfig that counts: it says how everything stands. */
  readonly config: Ref;
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes a status at the API server. Rejects when that fails. */
  readonly write: (ref: Ref, status: DesiredStatus['status']) => Promise<void>;
  readonly recordEvent: (event: EventRecord) => void;
};

/** Keeps the status of our objects as it should be. It begins paused: status is written only while the state lock is held. */
export class StatusUpkeep {
  readonly #options: StatusUpkeepOptions;
  readonly #announcer: ProviderAnnouncer;
  readonly #writer: StatusWriter;
  readonly #timetable: Timetable;

  constructor(options: StatusUpkeepOptions) {
    const { clock, log, statuses } = options;
    this.#options = options;
    this.#announcer = new ProviderAnnouncer(options.recordEvent);
    this.#timetable = new Timetable(clock);
    this.#writer = new StatusWriter({
      clock,
      paused: true,
      desired: (ref) => statuses.desired(ref),
      current: (ref) => statuses.current(ref),
      write: (ref, status) => this.#write(ref, status),
      failed: (ref, error, retryInMs) => log.warn({ err: error, object: ref, retryInMs }, 'cannot write status'),
    });
  }

  /** What the status of an object is made of may have changed. */
  touch(ref: Ref): void {
    // Until the whole configuration is known, statuses would have to be taken back.
    if (this.#options.publication.hasBegun()) this.#writer.touch(ref);
  }

  /** Every status may have changed. */
  touchAll(): void {
    for (const kind of kindNames) for (const ref of this.#options.objects.refs(kind)) this.touch(ref);
  }

  /** Looks, now and every few seconds, at the statuses made of facts that come without an event. */
  refresh(): void {
    const { clock, config, publication } = this.#options;
    this.touch(config);
    for (const { ref, active } of publication.composed().settings.providers)
      if (active.is || active.reason === 'FallbackOnly') this.touch(ref);
    this.#timetable.at('refresh', clock.now() + refreshMs, () => this.refresh());
  }

  /** The lock is lost: no status is written. */
  pause(): void {
    this.#writer.pause();
  }

  /** The lock is held: every status is looked at. */
  resume(): void {
    this.#writer.resume();
    this.touchAll();
  }

  /** The object is gone. */
  forget(ref: Ref): void {
    for (const each of [this.#options.statuses, this.#announcer, this.#writer]) each.forget(ref);
  }

  /** Nothing is looked at any more; resolves when the writes under way have ended. */
  async stop(): Promise<void> {
    this.#timetable.stop();
    await this.#writer.stop();
  }

  async #write(ref: Ref, status: DesiredStatus['status']): Promise<void> {
    const object = this.#options.objects.get('AlertProvider', ref)?.object;
    try {
      await this.#options.write(ref, status);
    } catch (error) {
      // Deleted meanwhile: there is nothing to write on, and the watch will say so.
      if (error instanceof ApiError && error.status === 404) return;
      throw error;
    }
    if (object) this.#announcer.written(ref, object, status);
  }
}

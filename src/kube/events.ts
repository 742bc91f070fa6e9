import { BoundedMap } from '../model/bounded-map.ts';
import type { Clock } from '../model/clock.ts';
import { shortHash } from '../model/hash.ts';
import { type Rate, TokenBucket } from '../model/token-bucket.ts';
import { type ApiClient, ApiError } from './api-client.ts';

/** The object that a Kubernetes Event is about. */
export type EventSubject = {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent or `''` for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
};

/** One thing to tell people who look at an object with kubectl. */
export type EventRecord = {
  readonly about: EventSubject;
  readonly type: 'Normal' | 'Warning';
  /** CamelCase. */
  readonly reason: string;
  readonly message: string;
  readonly action?: string;
  /** Repeats are known by their reason alone, and the Event shows the newest message: what flaps says something else each time. */
  readonly onePerReason?: boolean;
};

/** What a recorder needs. */
export type EventRecorderOptions = {
  readonly client: ApiClient;
  readonly clock: Clock;
  /** `source.component` and `reportingComponent`. */
  readonly component: string;
  /** `reportingInstance`: the Pod's name. */
  readonly instance: string;
  /** Told of Events that could not be written; the recorder goes on. */
  readonly onError?: (error: unknown, record: EventRecord) => void;
};

/** As client-go's spam filter: per object a burst of 25, then one per 5 minutes. */
const perObject: Rate = { burst: 25, perSecond: 1 / 300 };
/** Writes of the repeats of one Event; what comes between is counted and written with the next. */
const perRepeated: Rate = { burst: 10, perSecond: 1 / 300 };
/** Objects and messages remembered, as in client-go; the one used longest ago goes first. */
const maxRemembered = 4096;
/** A repeat within this time adds to the count of the Event that is there; the API keeps Events for an hour. */
const repeatMs = 600_000;
const maxQueued = 1000;
/** The API refuses longer ones (`NoteLengthLimit`). */
const maxMessageChars = 1024;

/** One Event and its repeats. Times are epoch milliseconds. */
type Series = {
  /** Its name once it is there. */
  name: string | undefined;
  count: number;
  firstAt: number;
  lastAt: number;
  /** What it says now. */
  newest: EventRecord;
  /** A write will take place: it finds whatever is so by then. */
  isPlanned: boolean;
  readonly repeats: TokenBucket;
};

/**
 * Writes core/v1 Events in the background, so that `kubectl describe` and `kubectl get events` show them with count and age.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #series = new BoundedMap<string, Series>(maxRemembered);
  readonly #buckets = new BoundedMap<string, TokenBucket>(maxRemembered);
  #queue: Promise<void> = Promise.resolve();
  #queued = 0;
  #dropped = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /**
   * Never throws and never waits. Beyond the rate of its object a new Event is dropped and counted; repeats are told with those
   * that follow, and the last of them after some minutes.
   */
  record(event: EventRecord): void {
    const at = this.#options.clock.now();
    const { about, type, reason, message, onePerReason } = event;
    const key = shortHash([about.uid, type, reason, ...(onePerReason ? [] : [message])]);
    const known = this.#series.get(key);
    if (known && at - known.lastAt < repeatMs) {
      this.#series.set(key, known);
      Object.assign(known, { count: known.count + 1, lastAt: at, newest: event });
      this.#planRepeat(known);
    } else if (this.#queued < maxQueued && this.#admits(about)) {
      const repeats = new TokenBucket(perRepeated, this.#options.clock.monotonic());
      const series = { name: undefined, count: 1, firstAt: at, lastAt: at, newest: event, isPlanned: false, repeats };
      this.#series.set(key, series);
      this.#enqueue(series);
    } else this.#dropped++;
  }

  /** Resolves when everything that may be written now is written or has failed. */
  drain(): Promise<void> {
    return this.#queue;
  }

  /** Events dropped by a rate limit or a full queue. */
  dropped(): number {
    return this.#dropped;
  }

  #admits({ uid }: EventSubject): boolean {
    const now = this.#options.clock.monotonic();
    const bucket = this.#buckets.get(uid) ?? new TokenBucket(perObject, now);
    this.#buckets.set(uid, bucket);
    return bucket.take(now);
  }

  /** Writes the repeats of an Event as soon as its rate allows. */
  #planRepeat(series: Series): void {
    if (series.isPlanned) return;
    const { clock } = this.#options;
    const waitMs = series.repeats.waitMs(clock.monotonic());
    series.isPlanned = true;
    if (waitMs > 0) clock.after(waitMs, () => this.#enqueueRepeat(series));
    else this.#enqueueRepeat(series);
  }

  #enqueueRepeat(series: Series): void {
    series.repeats.take(this.#options.clock.monotonic());
    this.#enqueue(series);
  }

  #enqueue(series: Series): void {
    if (this.#queued >= maxQueued) {
      series.isPlanned = false;
      this.#dropped++;
      return;
    }
    this.#queued++;
    series.isPlanned = true;
    // One after the other: a repeat must find the Event it repeats.
    this.#queue = this.#queue
      .then(() => this.#write(series))
      .catch((error: unknown) => this.#options.onError?.(error, series.newest))
      .finally(() => {
        this.#queued--;
      });
  }

  async #write(series: Series): Promise<void> {
    // What is recorded from here on needs a write of its own.
    series.isPlanned = false;
    if (series.name !== undefined && (await this.#repeat(series, series.name))) return;
    const { about, type, reason, message } = series.newest;
    if (series.name !== undefined) Object.assign(series, { count: 1, firstAt: series.lastAt });
    const name = `${about.name.slice(0, 200)}.${shortHash([about.uid, type, reason, message, series.lastAt])}`;
    await this.#create(series, name);
    series.name = name;
  }

  /** Tells of repeats; false when the Event is gone meanwhile. */
  async #repeat({ newest, count, lastAt }: Series, name: string): Promise<boolean> {
    const { about, message, onePerReason } = newest;
    try {
      await this.#options.client.json({
        method: 'PATCH',
        path: `${collectionOf(about)}/${name}`,
        contentType: 'application/merge-patch+json',
        body: { count, lastTimestamp: timeOf(lastAt), ...(onePerReason && { message: cut(message) }) },
      });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  }

  async #create({ newest, count, firstAt, lastAt }: Series, name: string): Promise<void> {
    const { client, component, instance } = this.#options;
    const { about, type, reason, message, action } = newest;
    const { uid, apiVersion, kind, name: object } = about;
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: namespaceOf(about) },
      involvedObject: { apiVersion, kind, ...(about.namespace && { namespace: about.namespace }), name: object, uid },
      type,
      reason,
      message: cut(message),
      ...(action !== undefined && { action }),
      source: { component },
      reportingComponent: component,
      reportingInstance: instance,
      firstTimestamp: timeOf(firstAt),
      lastTimestamp: timeOf(lastAt),
      count,
    };
    await client.json({ method: 'POST', path: collectionOf(about), body });
  }
}

/** Events about cluster-scoped objects live in `default`; the API refuses any other namespace. */
function namespaceOf(about: EventSubject): string {
  return about.namespace || 'default';
}

function collectionOf(about: EventSubject): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespaceOf(about))}/events`;
}

function cut(message: string): string {
  return message.slice(0, maxMessageChars);
}

/** metav1.Time has whole seconds. */
function timeOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

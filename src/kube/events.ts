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
/** Objects and messages remembered, as in client-go; the one used longest ago goes first. */
const maxRemembered = 4096;
/** A repeat within this time adds to the count of the Event that is there; the API keeps Events for an hour. */
const repeatMs = 600_000;
const maxQueued = 1000;
/** The API refuses longer ones (`NoteLengthLimit`). */
const maxMessageChars = 1024;

/** An Event that is there: what a repeat adds to. `at`: epoch milliseconds. */
type Written = { readonly name: string; readonly count: number; readonly at: number };

/**
 * Writes core/v1 Events in the background, so that `kubectl describe` and `kubectl get events` show them with count and age.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #written = new BoundedMap<string, Written>(maxRemembered);
  readonly #buckets = new BoundedMap<string, TokenBucket>(maxRemembered);
  #queue: Promise<void> = Promise.resolve();
  #queued = 0;
  #dropped = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Never throws and never waits. Beyond the rate of its object an Event is dropped and counted. */
  record(event: EventRecord): void {
    const { clock, onError } = this.#options;
    if (this.#queued >= maxQueued || !this.#admits(event.about)) {
      this.#dropped++;
      return;
    }
    const at = clock.now();
    this.#queued++;
    // One after the other: a repeat must find the Event it repeats.
    this.#queue = this.#queue
      .then(() => this.#write(event, at))
      .catch((error: unknown) => onError?.(error, event))
      .finally(() => {
        this.#queued--;
      });
  }

  /** Resolves when everything recorded so far is written or has failed. */
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

  async #write(event: EventRecord, at: number): Promise<void> {
    const { about, type, reason, message } = event;
    const key = shortHash([about.uid, type, reason, message]);
    const last = this.#written.get(key);
    const count = last !== undefined && at - last.at < repeatMs && (await this.#repeat(event, last, at));
    if (last !== undefined && count) this.#written.set(key, { name: last.name, count, at });
    else {
      const name = `${about.name.slice(0, 200)}.${shortHash([key, at])}`;
      await this.#create(event, name, at);
      this.#written.set(key, { name, count: 1, at });
    }
  }

  /** Counts a repeat; the new count, or `undefined` when the Event is gone meanwhile. */
  async #repeat({ about }: EventRecord, last: Written, at: number): Promise<number | undefined> {
    const count = last.count + 1;
    try {
      await this.#options.client.json({
        method: 'PATCH',
        path: `${collectionOf(about)}/${last.name}`,
        contentType: 'application/merge-patch+json',
        body: { count, lastTimestamp: timeOf(at) },
      });
      return count;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #create({ about, type, reason, message, action }: EventRecord, name: string, at: number): Promise<void> {
    const { client, component, instance } = this.#options;
    const { uid, apiVersion, kind, name: object } = about;
    const time = timeOf(at);
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: namespaceOf(about) },
      involvedObject: { apiVersion, kind, ...(about.namespace && { namespace: about.namespace }), name: object, uid },
      ...{ type, reason, message: message.slice(0, maxMessageChars), ...(action !== undefined && { action }) },
      ...{ source: { component }, reportingComponent: component, reportingInstance: instance },
      ...{ firstTimestamp: time, lastTimestamp: time, count: 1 },
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

/** metav1.Time has whole seconds. */
function timeOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

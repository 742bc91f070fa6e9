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

/** Writes Kubernetes Events in the background. */
export type EventRecorder = {
  /** Never throws and never waits. Beyond the rate of its object an Event is dropped and counted. */
  record(event: EventRecord): void;
  /** Resolves when everything recorded so far is written or has failed. */
  drain(): Promise<void>;
  /** Events dropped by a rate limit or a full queue. */
  dropped(): number;
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

type Written = { readonly name: string; readonly count: number; readonly at: number };

/** A recorder that writes core/v1 Events: `kubectl describe` and `kubectl get events` show their count and age. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, clock } = options;
  const written = new BoundedMap<string, Written>(maxRemembered);
  const buckets = new BoundedMap<string, TokenBucket>(maxRemembered);
  let queue: Promise<void> = Promise.resolve();
  let queued = 0;
  let dropped = 0;

  function admitted(about: EventSubject): boolean {
    const now = clock.monotonic();
    const bucket = buckets.get(about.uid) ?? new TokenBucket(perObject, now);
    buckets.set(about.uid, bucket);
    return bucket.take(now);
  }

  async function write(event: EventRecord, at: number): Promise<void> {
    const key = shortHash([event.about.uid, event.type, event.reason, event.message]);
    // Events about cluster-scoped objects live in `default`; the API refuses any other namespace.
    const namespace = event.about.namespace || 'default';
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
    const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
    const last = written.get(key);
    if (last !== undefined && at - last.at < repeatMs) {
      try {
        await client.json({
          method: 'PATCH',
          path: `${path}/${last.name}`,
          contentType: 'application/merge-patch+json',
          body: { count: last.count + 1, lastTimestamp: time },
        });
        written.set(key, { name: last.name, count: last.count + 1, at });
        return;
      } catch (error) {
        // Gone meanwhile: write it anew.
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
      }
    }
    const name = `${event.about.name.slice(0, 200)}.${shortHash([key, at])}`;
    await client.json({
      method: 'POST',
      path,
      body: {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: {
          apiVersion: event.about.apiVersion,
          kind: event.about.kind,
          ...(event.about.namespace ? { namespace: event.about.namespace } : {}),
          name: event.about.name,
          uid: event.about.uid,
        },
        type: event.type,
        reason: event.reason,
        message: event.message.slice(0, maxMessageChars),
        ...(event.action === undefined ? {} : { action: event.action }),
        source: { component: options.component },
        reportingComponent: options.component,
        reportingInstance: options.instance,
        firstTimestamp: time,
        lastTimestamp: time,
        count: 1,
      },
    });
    written.set(key, { name, count: 1, at });
  }

  return {
    record(event) {
      if (queued >= maxQueued || !admitted(event.about)) {
        dropped++;
        return;
      }
      const at = clock.now();
      queued++;
      // One after the other: a repeat must find the Event it repeats.
      queue = queue
        .then(() => write(event, at))
        .catch((error: unknown) => options.onError?.(error, event))
        .finally(() => {
          queued--;
        });
    },
    drain: () => queue,
    dropped: () => dropped,
  };
}

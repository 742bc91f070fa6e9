import type { Clock } from '../model/clock.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { sleep } from './sleep.ts';

/** What a lease needs. */
export type LeaseOptions = {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly name: string;
  /** Unique to this process: the Pod's name and a random part. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Taken, or taken back with nobody else having held it meanwhile. */
  onHeld(): void;
  /**
   * `expired`: it could not be renewed in time; trying goes on. `taken`: another identity holds or has held it; trying
   * has ended, and what we know may be stale: the process should end.
   */
  onLost(why: 'expired' | 'taken'): void;
  readonly log?: (level: 'info' | 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;
};

/** The right to act, one process at a time. Not a fence: a process that was paused may believe in it a little too long. */
export type Lease = {
  start(): void;
  /** Stops renewing and, if it is held, releases it so that the next one need not wait. All guarded work must have ended. */
  stop(): Promise<void>;
  held(): boolean;
  /** Who holds it, as last seen. */
  holder(): string | undefined;
};

/** client-go's leader election: 15 s lease, 10 s to renew, a try every 2 s, spread by up to 2.2 times while waiting. */
const leaseSeconds = 15;
const renewDeadlineMs = 10_000;
const retryMs = 2_000;
const waitingJitter = 1.2;
/** One hung request must not use up the renew deadline. */
const requestDeadlineMs = renewDeadlineMs / 2;

type LeaseSpec = {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
};
type LeaseBody = {
  readonly metadata: { readonly resourceVersion?: string; readonly [field: string]: unknown };
  readonly spec?: LeaseSpec;
};

/** A lease by the rules of client-go (tools/leaderelection): only the local clock is trusted, never the times in the object. */
export function createLease(options: LeaseOptions): Lease {
  const { client, identity, clock, random } = options;
  const collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(options.namespace)}/leases`;
  const path = `${collection}/${encodeURIComponent(options.name)}`;
  const stopping = new AbortController();
  const { signal } = stopping;

  /** The object as last read or written, and when it was last seen to change. */
  let seen: { readonly body: LeaseBody; readonly changedAt: number } | undefined;
  let held = false;
  let ended = false;
  /** `leaseTransitions` of our own holding: if it has grown, somebody else held the lease. */
  let ownTransitions: number | undefined;
  let cancelExpiry = (): void => undefined;
  let running: Promise<void> | undefined;

  function log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown> = {}): void {
    options.log?.(level, message, { lease: `${options.namespace}/${options.name}`, ...fields });
  }

  /** Notes what the server has. Compared as a whole: any renewal by the holder counts as a change. */
  function observe(body: LeaseBody): void {
    if (seen === undefined || JSON.stringify(seen.body.spec) !== JSON.stringify(body.spec))
      seen = { body, changedAt: clock.now() };
    else seen = { body, changedAt: seen.changedAt };
  }

  function won(body: LeaseBody, startedAt: number): void {
    observe(body);
    ownTransitions = body.spec?.leaseTransitions ?? 0;
    cancelExpiry();
    // From before the request: the server may have written it at any time since.
    cancelExpiry = clock.after(startedAt + renewDeadlineMs - clock.now(), expire);
    if (held) return;
    held = true;
    log('info', 'the lease is held', { identity });
    options.onHeld();
  }

  function expire(): void {
    if (!held) return;
    held = false;
    log('warn', 'the lease could not be renewed for 10 s', {});
    options.onLost('expired');
  }

  function taken(by: string): void {
    held = false;
    ended = true;
    cancelExpiry();
    log('error', 'another identity has taken the lease', { by });
    options.onLost('taken');
  }

  function specNow(transitions: number, acquireTime: string): LeaseSpec {
    return {
      holderIdentity: identity,
      leaseDurationSeconds: leaseSeconds,
      acquireTime,
      renewTime: microTime(clock.now()),
      leaseTransitions: transitions,
    };
  }

  function put(body: LeaseBody, spec: LeaseSpec): Promise<LeaseBody> {
    // The whole object with its version: the write fails when anybody else was quicker.
    return client.json<LeaseBody>({
      method: 'PUT',
      path,
      body: { ...body, spec },
      deadlineMs: requestDeadlineMs,
      attempts: 1,
    });
  }

  async function attempt(): Promise<void> {
    const startedAt = clock.now();
    if (held && seen !== undefined) {
      try {
        won(await put(seen.body, renewed(seen.body.spec ?? {})), startedAt);
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) throw error;
      }
    }
    const current = await read();
    if (current === undefined) {
      const spec = specNow(ownTransitions ?? 0, microTime(startedAt));
      const body = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: options.name, namespace: options.namespace },
        spec,
      };
      won(
        await client.json<LeaseBody>({
          method: 'POST',
          path: collection,
          body,
          deadlineMs: requestDeadlineMs,
          attempts: 1,
        }),
        startedAt,
      );
      return;
    }
    observe(current);
    const spec = current.spec ?? {};
    const holder = spec.holderIdentity ?? '';
    const transitions = spec.leaseTransitions ?? 0;
    if (ownTransitions !== undefined && (transitions > ownTransitions || (holder !== '' && holder !== identity))) {
      taken(holder === '' ? 'someone, released since' : holder);
      return;
    }
    if (holder === identity) {
      won(await put(current, renewed(spec)), startedAt);
      return;
    }
    const validMs = (spec.leaseDurationSeconds ?? leaseSeconds) * 1000;
    if (holder !== '' && seen !== undefined && clock.now() < seen.changedAt + validMs) return;
    won(await put(current, specNow(transitions + 1, microTime(startedAt))), startedAt);
  }

  function renewed(spec: LeaseSpec): LeaseSpec {
    return specNow(spec.leaseTransitions ?? 0, spec.acquireTime ?? microTime(clock.now()));
  }

  async function read(): Promise<LeaseBody | undefined> {
    try {
      return await client.json<LeaseBody>({ path, deadlineMs: requestDeadlineMs, attempts: 1 });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted && !ended) {
      try {
        await attempt();
      } catch (error) {
        // A lost race is what the version is for; the next try reads who won.
        const conflict = error instanceof ApiError && error.status === 409;
        if (!conflict) log('warn', 'the lease could not be read or written; trying again', { error });
      }
      if (!ended) await sleep(clock, held ? retryMs : retryMs * (1 + waitingJitter * random()), signal).catch(() => {});
    }
  }

  async function release(): Promise<void> {
    if (!held || seen === undefined) return;
    held = false;
    const spec = { ...renewed(seen.body.spec ?? {}), holderIdentity: '', leaseDurationSeconds: 1 };
    await put(seen.body, spec).then(
      () => log('info', 'the lease is released'),
      (error: unknown) => log('warn', 'the lease could not be released; the next holder waits 15 s', { error }),
    );
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      cancelExpiry();
      await release();
    },
    held: () => held,
    holder: () => seen?.body.spec?.holderIdentity || undefined,
  };
}

/** metav1.MicroTime is read with exactly six decimals. */
function microTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '000Z');
}

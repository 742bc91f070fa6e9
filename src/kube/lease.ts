import { ApiError } from './api-client.ts';
import type { LeaseHolder, LeaseOptions } from './lease-options.ts';
import { decideOn, type Holding, type LeaseBody, type LeaseSpec, leaseSeconds } from './lease-rules.ts';
import { sleep } from './sleep.ts';

/** client-go's leader election: 10 s to renew, a try every 2 s, spread by up to 2.2 times while waiting. */
const renewDeadlineMs = 10_000;
const retryMs = 2_000;
const waitingJitter = 1.2;
/** That the API server has not answered is known of the last try, which is no older than this: one that hangs, and a pause. */
const unansweredFreshMs = 15_000;
/** One hung request must not use up the renew deadline. */
const requestDeadlineMs = renewDeadlineMs / 2;

/**
 * The right to act, one process at a time, by the rules of client-go. All durations are measured by a clock that never steps:
 * setting the host's time neither takes the lease from its holder nor keeps it from the next.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #collection: string;
  readonly #stopping = new AbortController();
  /** The object as last read or written, and when (monotonic) it was last seen to change. */
  #seen: { readonly body: LeaseBody; readonly changedAt: number } | undefined;
  #other: LeaseHolder | undefined;
  /** The other holder as `onWaiting` was told last. */
  #toldOf: LeaseHolder | undefined;
  #holding: Holding | undefined;
  #held = false;
  /** Monotonic: until when it is ours, counted from before the request that renewed it. */
  #heldUntil = 0;
  #ended = false;
  /** Monotonic: when the last try began, if the API server did not answer it. */
  #unansweredAt: number | undefined;
  #cancelExpiry = (): void => undefined;
  #running: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(options.namespace)}/leases`;
  }

  /** Begins to try for it, and to renew it. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Stops renewing and, if it is held, releases it so that the next one need not wait. All guarded work must have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#cancelExpiry();
    await this.#release();
  }

  /**
   * Whether it is held at this very moment. A process that was suspended beyond the deadline gets `false` before its timers have
   * run, until it has renewed.
   */
  held(): boolean {
    return this.#held && this.#options.clock.monotonic() < this.#heldUntil;
  }

  /**
   * Whether it was ours, could not be renewed since because the API server did not answer, and that began at most `graceMs` ago.
   * Any answer ends it, also one that says no; so does having been suspended, until the next try. It is no lock: somebody else who
   * reaches the server may hold it by now.
   */
  isUnanswered(graceMs: number): boolean {
    const now = this.#options.clock.monotonic();
    const at = this.#unansweredAt;
    if (this.#ended || this.#holding === undefined || at === undefined) return false;
    return now - at < unansweredFreshMs && now >= this.#heldUntil && now - this.#heldUntil < graceMs;
  }

  /** The other identity that holds it, as last seen. */
  otherHolder(): LeaseHolder | undefined {
    return this.#other;
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted && !this.#ended) {
      const startedAt = clock.monotonic();
      await this.#attempt().then(
        () => {
          this.#unansweredAt = undefined;
        },
        (error: unknown) => {
          this.#unansweredAt = isSilence(error) ? startedAt : undefined;
          // A lost race is what the version is for; the next try reads who won.
          const conflict = error instanceof ApiError && error.status === 409;
          if (!conflict) this.#log('warn', 'the lease could not be read or written; trying again', { error });
        },
      );
      const waitMs = this.#held ? retryMs : retryMs * (1 + waitingJitter * random());
      if (!this.#ended) await sleep(clock, waitMs, signal).catch(() => undefined);
    }
  }

  async #attempt(): Promise<void> {
    if (this.#held && this.#seen !== undefined && (await this.#renewedUnseen(this.#seen.body))) return;
    const current = await this.#read();
    this.#observe(current);
    const { clock, identity } = this.#options;
    const startedAt = clock.monotonic();
    const unchangedMs = this.#seen === undefined ? 0 : startedAt - this.#seen.changedAt;
    const decision = decideOn(current, { identity, holding: this.#holding }, unchangedMs);
    if (decision.is === 'lost') this.#lose(decision.to);
    else if (decision.is === 'create') this.#win(await this.#create(), startedAt);
    else if (decision.is === 'wait') this.#wait();
    else if (current !== undefined) {
      const next = decision.is === 'renew' ? this.#renewed(current.spec) : this.#acquired(current.spec);
      this.#win(await this.#put(current, next), startedAt);
    }
  }

  /** Renews by what was last seen, with one request. False when the Lease is another by now. */
  async #renewedUnseen(body: LeaseBody): Promise<boolean> {
    const startedAt = this.#options.clock.monotonic();
    try {
      this.#win(await this.#put(body, this.#renewed(body.spec)), startedAt);
      return true;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 409)) return false;
      throw error;
    }
  }

  /** Notes what the server has. The spec is compared as a whole: any renewal by the holder counts as a change. */
  #observe(body: LeaseBody | undefined): void {
    if (body === undefined) return;
    const before = this.#seen;
    const same = before !== undefined && JSON.stringify(before.body.spec) === JSON.stringify(body.spec);
    this.#seen = { body, changedAt: same ? before.changedAt : this.#options.clock.monotonic() };
    const { holderIdentity = '', acquireTime } = body.spec ?? {};
    const isOther = holderIdentity !== '' && holderIdentity !== this.#options.identity;
    const known = this.#other?.identity === holderIdentity ? this.#other : undefined;
    const renews = known !== undefined && (known.renews || !same);
    this.#other = isOther ? { identity: holderIdentity, since: acquireTime, renews } : undefined;
  }

  #wait(): void {
    const [other, told] = [this.#other, this.#toldOf];
    if (other === undefined || (other.identity === told?.identity && other.renews === told.renews)) return;
    this.#toldOf = other;
    this.#options.onWaiting?.(other);
  }

  #win(body: LeaseBody, startedAt: number): void {
    const { clock, identity, onHeld } = this.#options;
    // The deadline passed unnoticed while the process was suspended: whoever asked was told so, and waits to hear the rest.
    if (this.#held && !this.held()) this.#expire();
    this.#observe(body);
    this.#holding = { uid: body.metadata.uid, transitions: body.spec?.leaseTransitions ?? 0 };
    // From before the request: the server may have written it at any time since.
    this.#heldUntil = startedAt + renewDeadlineMs;
    this.#cancelExpiry();
    this.#cancelExpiry = clock.after(Math.max(0, this.#heldUntil - clock.monotonic()), () => this.#expire());
    if (this.#held) return;
    this.#held = true;
    this.#log('info', 'the lease is held', { identity });
    onHeld();
  }

  #expire(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#log('warn', 'the lease could not be renewed for 10 s', {});
    this.#options.onExpired();
  }

  #lose(to: string): void {
    this.#held = false;
    this.#ended = true;
    this.#cancelExpiry();
    this.#log('error', 'another identity has taken the lease', { by: to });
    this.#options.onTaken(to);
  }

  async #release(): Promise<void> {
    if (!this.#held || this.#seen === undefined) return;
    this.#held = false;
    const { body } = this.#seen;
    const spec = { ...this.#renewed(body.spec), holderIdentity: '', leaseDurationSeconds: 1 };
    await this.#put(body, spec).then(
      () => this.#log('info', 'the lease is released', {}),
      (error: unknown) => this.#log('warn', 'the lease could not be released; the next holder waits 15 s', { error }),
    );
  }

  async #read(): Promise<LeaseBody | undefined> {
    const { client, name } = this.#options;
    const path = `${this.#collection}/${encodeURIComponent(name)}`;
    try {
      return await client.json<LeaseBody>({ path, deadlineMs: requestDeadlineMs, attempts: 1 });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  #create(): Promise<LeaseBody> {
    const { client, namespace, name } = this.#options;
    return client.json<LeaseBody>({
      method: 'POST',
      path: this.#collection,
      body: {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace },
        spec: this.#specNow(this.#holding?.transitions ?? 0, this.#microTime()),
      },
      deadlineMs: requestDeadlineMs,
      attempts: 1,
    });
  }

  /** The whole object with its version: the write fails when anybody else was quicker. */
  #put(body: LeaseBody, spec: LeaseSpec): Promise<LeaseBody> {
    const { client, name } = this.#options;
    return client.json<LeaseBody>({
      method: 'PUT',
      path: `${this.#collection}/${encodeURIComponent(name)}`,
      body: { ...body, spec },
      deadlineMs: requestDeadlineMs,
      attempts: 1,
    });
  }

  #acquired(spec: LeaseSpec = {}): LeaseSpec {
    return this.#specNow((spec.leaseTransitions ?? 0) + 1, this.#microTime());
  }

  #renewed(spec: LeaseSpec = {}): LeaseSpec {
    return this.#specNow(spec.leaseTransitions ?? 0, spec.acquireTime ?? this.#microTime());
  }

  #specNow(leaseTransitions: number, acquireTime: string): LeaseSpec {
    return {
      holderIdentity: this.#options.identity,
      leaseDurationSeconds: leaseSeconds,
      acquireTime,
      renewTime: this.#microTime(),
      leaseTransitions,
    };
  }

  /** metav1.MicroTime is read with exactly six decimals. For people and for other implementations; never compared here. */
  #microTime(): string {
    return new Date(this.#options.clock.now()).toISOString().replace('Z', '000Z');
  }

  #log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    const { namespace, name, log } = this.#options;
    log?.(level, message, { lease: `${namespace}/${name}`, ...fields });
  }
}

/** The server gave no answer, or one that says nothing but that it cannot: nobody knows who holds the lease. */
function isSilence(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

import { isDeepStrictEqual } from 'node:util';
import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import { type FailingCheck, readFailingChecks, readServerVersion } from '../../kube/api-server-health.ts';
import type { Clock } from '../../model/clock.ts';
import type { Coverage } from '../../model/coverage.ts';
import { includes } from '../../model/edition.ts';
import type { RawObject } from '../../model/raw-object.ts';
import type { Settings } from '../../model/settings.ts';
import type { Input } from '../../model/turn.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** The name of what the API server says of itself in coverage, and as a source of objects. */
const source = 'apiservers';
/** It is asked this often whether it is ready, and for its version (ms). */
const everyMs = 30_000;
const versionMs = 600_000;
/** Answers in a row are counted as far as anybody asks. */
const maxAnswers = 3;

/** What asking the API server needs. */
export type ApiServerChecksOptions = {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: () => Settings;
  readonly see: (coverage: Coverage) => void;
  readonly push: (input: Input) => void;
};

/** What fails since when (epoch milliseconds), and how many answers in a row have said so. */
type Failing = { readonly checks: readonly FailingCheck[]; readonly since: number; readonly answers: number };

/**
 * Asks the API server for its version and, with a licence, which of its own checks fail, and hands that on as an object where it
 * is something else than before. What is no answer of its own (nobody there, refused, throttled) changes nothing.
 */
export class ApiServerChecks {
  readonly #options: ApiServerChecksOptions;
  readonly #stopping = new AbortController();
  #cancel: () => void = () => undefined;
  #underWay: Promise<void> = Promise.resolve();
  #version: string | undefined;
  #versionDueAt = 0;
  #failing: Failing | undefined;
  #told: RawObject | undefined;
  #row: Coverage | undefined;

  constructor(options: ApiServerChecksOptions) {
    this.#options = options;
  }

  /** Begins; goes on by itself. */
  start(): void {
    this.#underWay = this.#round();
  }

  /** Resolves when no request is under way any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#underWay;
  }

  async #round(): Promise<void> {
    const { clock, log } = this.#options;
    try {
      await this.#ask();
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#fail(error);
      log.debug({ err: error }, 'the API server did not say how it is');
    }
    if (this.#stopping.signal.aborted) return;
    this.#cancel = clock.after(everyMs, () => this.start());
  }

  async #ask(): Promise<void> {
    const { client, clock, settings } = this.#options;
    const { signal } = this.#stopping;
    if (clock.now() >= this.#versionDueAt) {
      this.#version = (await readServerVersion(client, signal)) ?? this.#version;
      this.#versionDueAt = clock.now() + versionMs;
    }
    this.#take(includes(settings().edition, 'proDetectors') ? await readFailingChecks(client, signal) : []);
    this.#say('Watching', 'Synced');
    this.#tell();
  }

  #take(checks: readonly FailingCheck[]): void {
    const { since = this.#options.clock.now(), answers = 0 } = this.#failing ?? {};
    this.#failing = checks.length === 0 ? undefined : { checks, since, answers: Math.min(answers + 1, maxAnswers) };
  }

  /** Only where it may not be asked is nothing known any more; what else fails is our own trouble, and what was said stands. */
  #fail(error: unknown): void {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401 || error.status === 403) this.#say('Denied', 'Forbidden');
    if (error.status === 404) this.#say('NotServed', 'NotServed');
  }

  #say(state: Coverage['state'], reason: Coverage['reason']): void {
    if (this.#row?.state === state) return;
    this.#row = { source, kind: 'APIServer', state, reason, since: this.#options.clock.now(), required: false };
    this.#options.see(this.#row);
    this.#options.push({ kind: 'source', coverage: this.#row });
    // What was out of sight is told anew.
    this.#told = undefined;
  }

  /** Hands on what is to be judged, where it is something else than the last time. */
  #tell(): void {
    const raw: RawObject = {
      apiVersion: 'v1',
      kind: 'APIServer',
      metadata: { name: 'kube-apiserver', uid: 'kube-apiserver' },
      ...(this.#version !== undefined && { version: this.#version }),
      ...(this.#failing && { failing: { ...this.#failing, since: new Date(this.#failing.since).toISOString() } }),
    };
    if (isDeepStrictEqual(raw, this.#told)) return;
    this.#told = raw;
    this.#options.push({ kind: 'objects', source, events: [{ is: 'put', raw }] });
  }
}

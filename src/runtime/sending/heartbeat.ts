import { backoffMs, jittered } from '../../model/backoff.ts';
import type { Clock } from '../../model/clock.ts';
import type { HeartbeatView, Hindrance } from '../../model/heartbeat.ts';
import { type OpenedSecrets, type UnopenedSecrets, whyUnopened } from '../../model/secret-source.ts';
import { type Send, TransportError } from '../../providers/provider.ts';

/** While it is withheld, what hinders it is looked at this often; milliseconds. */
const lookMs = 5_000;
/** After a failure it is tried again after this, doubling up to the interval; milliseconds. */
const firstRetryMs = 10_000;
/** Share of the interval that is left to chance, always for the earlier: many clusters may have one switch. */
const jitterShare = 0.1;

/** Something came in between while its Secret was read. */
const hindered = Symbol('hindered');

/** The field of the AlertConfig that holds the address. */
const urlField = 'url';

/** What a heartbeat works with. */
export type HeartbeatOptions = {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly send: Send;
  /** Opens the address; `fresh`: read again. Rejects when the API server cannot be asked and nothing is known. */
  readonly open: (fresh: boolean) => Promise<OpenedSecrets | UnopenedSecrets>;
  /** What hinders it at this very moment. */
  readonly hindrances: () => readonly Hindrance[];
  /** Told of each request that was sent, and how it ended. */
  readonly count: (outcome: 'accepted' | 'failed') => void;
  /** It is another than before. */
  readonly changed: (view: HeartbeatView) => void;
};

/** Requests an address every interval while everything works, so that somebody outside notices when it does not. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #intervalMs: number | undefined;
  /** What `configure` was told last, as a text. */
  #settings = '';
  #view: HeartbeatView = { is: 'off' };
  #failures = 0;
  /** Monotonic milliseconds. */
  #notBefore = 0;
  #cancel: (() => void) | undefined;
  /** Which beat is the newest: the end of an older one says nothing. */
  #beats = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  view(): HeartbeatView {
    return this.#view;
  }

  /** Follows the settings; `undefined` ends it. The first request follows at once when nothing hinders it. */
  configure(heartbeat: { readonly intervalSeconds: number; readonly url: unknown } | undefined): void {
    const text = JSON.stringify(heartbeat ?? null);
    if (text === this.#settings) return;
    this.#settings = text;
    this.#stopBeating();
    this.#failures = 0;
    this.#intervalMs = heartbeat && heartbeat.intervalSeconds * 1000;
    this.#notBefore = this.#options.clock.monotonic();
    this.#become(heartbeat ? { is: 'pending' } : { is: 'off' });
    if (heartbeat) this.#look();
  }

  /** None is requested any more. */
  stop(): void {
    this.#stopBeating();
    this.#intervalMs = undefined;
  }

  #stopBeating(): void {
    this.#cancel?.();
    this.#beats += 1;
  }

  /** Requests it if it is due and nothing hinders it; otherwise waits. */
  #look(): void {
    const { clock, hindrances } = this.#options;
    const because = hindrances();
    const waitMs = this.#notBefore - clock.monotonic();
    if (because.length > 0) {
      this.#become({ is: 'withheld', because });
      this.#lookAfter(lookMs);
    } else if (waitMs > 0) this.#lookAfter(waitMs);
    else void this.#beat();
  }

  #lookAfter(milliseconds: number): void {
    this.#cancel = this.#options.clock.after(milliseconds, () => this.#look());
  }

  async #beat(): Promise<void> {
    const { clock, count, random } = this.#options;
    this.#beats += 1;
    const beat = this.#beats;
    const begunAt = clock.monotonic();
    const why = await this.#request();
    if (beat !== this.#beats || this.#intervalMs === undefined) return;
    // Nothing was sent: it is withheld from now on.
    if (why === hindered) return this.#look();
    count(why === undefined ? 'accepted' : 'failed');
    this.#failures = why === undefined ? 0 : this.#failures + 1;
    this.#become(why === undefined ? { is: 'sent' } : { is: 'failing', why });
    const intervalMs = jittered(this.#intervalMs, jitterShare, random());
    const retryMs = backoffMs({ firstMs: Math.min(firstRetryMs, intervalMs), longestMs: intervalMs }, this.#failures);
    this.#notBefore = begunAt + (this.#failures > 0 ? retryMs : intervalMs);
    this.#look();
  }

  /** Why it was not accepted, if it was not; or `hindered`. */
  async #request(): Promise<string | typeof hindered | undefined> {
    try {
      const opened = await this.#options.open(this.#failures > 0);
      if ('missing' in opened) return whyUnopened(opened);
      const url = opened.values.get(urlField);
      if (url === undefined) return 'the AlertConfig holds no address';
      // Reading the Secret took its time.
      if (this.#options.hindrances().length > 0) return hindered;
      const { status } = await this.#options.send({ method: 'GET', url });
      if (status >= 200 && status < 300) return undefined;
      return status >= 300 && status < 400
        ? `it answered ${status}, a redirect, which is not followed: give the address that it leads to`
        : `it answered ${status}`;
    } catch (error) {
      return error instanceof TransportError ? error.message : 'the API server does not give out its Secret';
    }
  }

  #become(view: HeartbeatView): void {
    const isNews = JSON.stringify(view) !== JSON.stringify(this.#view);
    this.#view = view;
    if (isNews) this.#options.changed(view);
  }
}

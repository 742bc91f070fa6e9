import type { ReadSecret } from '../kube/secret-reader.ts';
import type { Clock } from '../model/clock.ts';
import { errorMessage } from '../model/error-message.ts';
import { type UnopenedSecrets, whyUnopened } from '../model/secret-source.ts';
import type { ServingCertificateView } from '../model/serving-certificate.ts';
import { type ServingPair, servingPair } from '../server/serving-pair.ts';

/** A renewed certificate is served after so long at most; milliseconds. */
const rereadMs = 60_000;

/** What it works with. */
export type ServingCertificateOptions = {
  readonly clock: Clock;
  /** The host's own clock: what a certificate says of time is compared with it. */
  readonly hostClock: Pick<Clock, 'now'>;
  /** Reads a Secret of the operator's namespace. Rejects when the API server cannot be asked and nothing is known. */
  readonly read: (name: string) => Promise<ReadSecret | UnopenedSecrets>;
  /** Serves with this from now on; `undefined`: no longer. Rejects when that cannot be done. */
  readonly serve: (pair: ServingPair | undefined) => Promise<void>;
  /** It is another than before. */
  readonly changed: (view: ServingCertificateView) => void;
};

/** Follows the Secret that the endpoints are served with over TLS: read at once, and every minute, as certificates are renewed. */
export class ServingCertificate {
  readonly #options: ServingCertificateOptions;
  #secretName: string | undefined;
  #view: ServingCertificateView = { is: 'off' };
  /** What is served with now. */
  #served: (ServingPair & { readonly version: string }) | undefined;
  #cancel: (() => void) | undefined;
  /** Which reading is the newest: the end of an older one says nothing. */
  #readings = 0;

  constructor(options: ServingCertificateOptions) {
    this.#options = options;
  }

  /** How it is now. */
  view(): ServingCertificateView {
    return this.#view;
  }

  /** Follows the setting: a Secret of type kubernetes.io/tls by its name; `undefined` ends TLS. */
  configure(secretName: string | undefined): void {
    if (secretName === this.#secretName) return;
    this.#secretName = secretName;
    this.stop();
    this.#become(secretName === undefined ? { is: 'off' } : { is: 'pending' });
    if (secretName === undefined) void this.#end();
    else void this.#look(secretName);
  }

  /** Nothing is read any more. */
  stop(): void {
    this.#cancel?.();
    this.#readings += 1;
  }

  async #end(): Promise<void> {
    this.#served = undefined;
    // Whoever closes connections has nothing to say of it.
    await this.#options.serve(undefined).catch(() => undefined);
  }

  async #look(secretName: string): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const why = await this.#take(secretName, () => reading === this.#readings);
    if (reading !== this.#readings) return;
    const served = this.#served;
    if (why !== undefined) this.#become({ is: 'failing', why, kept: served !== undefined });
    else if (served) this.#become({ is: 'serving', notAfter: served.notAfter });
    this.#cancel = this.#options.clock.after(rereadMs, () => void this.#look(secretName));
  }

  /** Why it cannot be served with what the Secret holds, if it cannot. */
  async #take(secretName: string, isNewest: () => boolean): Promise<string | undefined> {
    try {
      const opened = await this.#options.read(secretName);
      if ('missing' in opened) return whyUnopened(opened);
      const pair = servingPair(opened.data);
      if ('unusable' in pair) return `the Secret ${secretName} ${pair.unusable}`;
      if (!isNewest()) return undefined;
      const { version } = opened;
      if (version !== this.#served?.version) {
        await this.#options.serve(pair);
        this.#served = { ...pair, version };
      }
      const until = new Date(pair.notAfter).toISOString();
      return pair.notAfter > this.#options.hostClock.now() ? undefined : `its certificate ended on ${until}: renew it`;
    } catch (error) {
      return errorMessage(error);
    }
  }

  #become(view: ServingCertificateView): void {
    const isNews = JSON.stringify(view) !== JSON.stringify(this.#view);
    this.#view = view;
    if (isNews) this.#options.changed(view);
  }
}

import type { ApiClient } from '../../../src/kube/api-client.ts';
import type { KnownObject } from '../../../src/kube/census.ts';
import { systemClock } from '../../../src/kube/system-clock.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { qualifiedKind } from '../../../src/model/ref.ts';
import type { Input } from '../../../src/model/turn.ts';
import { CoverageTracker } from '../../../src/runtime/watching/coverage-tracker.ts';
import { Sources } from '../../../src/runtime/watching/sources.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';

/** What the operator would have heard, and when (epoch milliseconds). */
export type Heard = { readonly now: number; readonly input: Input };

/** How long custom sources may take to be found, looked at and listed (ms). */
const customMs = 60_000;

/** Everything that the operator's own sources hear, written down. */
export class Recording {
  readonly heard: Heard[] = [];
  readonly #known = new Map<string, Map<string, KnownObject>>();
  readonly #sources: Sources;
  readonly #coverage: CoverageTracker;
  readonly #baseline = Promise.withResolvers<void>();

  constructor(client: ApiClient) {
    const coverage = new CoverageTracker(systemClock, () => {
      this.#push({ kind: 'baseline' });
      this.#baseline.resolve();
    });
    this.#coverage = coverage;
    this.#sources = new Sources({
      ...{ client, coverage, clock: systemClock, random: () => 0.5 },
      log: createLogger({ level: 'error' }),
      push: (input) => this.#push(input),
      known: (kind) => this.#known.get(kind)?.values() ?? [],
    });
    coverage.configured();
  }

  /** Begins to listen; resolves when everything that is served has been listed, and these custom sources, too. */
  async start(custom: readonly string[] = []): Promise<void> {
    this.#sources.start();
    this.#sources.license(true);
    await this.#baseline.promise;
    for (const deadline = Date.now() + customMs; custom.some((source) => !this.#isWatched(source)); ) {
      if (Date.now() > deadline) throw new Error(`still not all are watched: ${custom.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  #isWatched(source: string): boolean {
    return this.#coverage.row(source)?.state === 'Watching';
  }

  stop(): Promise<void> {
    return this.#sources.stop();
  }

  #push(input: Input): void {
    this.heard.push({ now: Date.now(), input });
    if (input.kind !== 'objects') return;
    for (const { is, raw } of input.events) this.#note(is === 'put', raw);
  }

  #note(isThere: boolean, { apiVersion = '', kind = '', metadata }: RawObject): void {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    const ofKind = this.#known.get(qualifiedKind(group, kind)) ?? new Map<string, KnownObject>();
    this.#known.set(qualifiedKind(group, kind), ofKind);
    const { name, namespace, uid = '' } = metadata;
    const key = `${namespace ?? ''}/${name}`;
    if (isThere) ofKind.set(key, { name, uid, ...(namespace !== undefined && { namespace }) });
    else ofKind.delete(key);
  }
}

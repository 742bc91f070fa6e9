import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../model/clock.ts';
import type { Coverage } from '../../model/coverage.ts';
import type { RawObject } from '../../model/raw-object.ts';
import type { Input } from '../../model/turn.ts';

/** The name of what Tocsin says of itself, as a source of objects. */
const source = 'tocsins';
/** How often it looks at its own watches (ms). */
const everyMs = 10_000;

/** What looking at our own watches needs. */
export type OwnSightOptions = {
  readonly clock: Clock;
  /** How each source is watched now. */
  readonly rows: () => readonly Coverage[];
  /** Whether a source has been watched since the start. */
  readonly hasSynced: (source: string) => boolean;
  readonly push: (input: Input) => void;
};

type Unseen = { readonly since: number; readonly isAway: boolean; readonly reason: Coverage['reason'] };

/**
 * Tells the core what Tocsin cannot see, as an object like any other: people hear of it through their providers, since nobody who
 * hears nothing looks at `/health`. A source counts as unseen until it is watched, whatever it says in between.
 */
export class OwnSight {
  readonly #options: OwnSightOptions;
  /** Source → since when (epoch milliseconds), whether that is only because the API server does not answer, and why it failed last. */
  readonly #unseen = new Map<string, Unseen>();
  #told: RawObject | undefined;
  #cancel = (): void => undefined;

  constructor(options: OwnSightOptions) {
    this.#options = options;
  }

  /** Begins; goes on by itself. */
  start(): void {
    const { clock, push } = this.#options;
    const row = {
      source,
      kind: 'Tocsin',
      state: 'Watching',
      reason: 'Synced',
      since: clock.now(),
      required: false,
    } as const;
    push({ kind: 'source', coverage: row });
    this.#round();
  }

  stop(): void {
    this.#cancel();
  }

  #round(): void {
    const { clock, rows } = this.#options;
    this.#tell(rows().flatMap((row) => this.#judge(row)));
    this.#cancel = clock.after(everyMs, () => this.#round());
  }

  #judge(row: Coverage): readonly Record<string, unknown>[] {
    const { source: which, state, reason, required } = row;
    const hasSynced = this.#options.hasSynced(which);
    const isMissed = (state === 'Failing' && (required || hasSynced)) || (state === 'Denied' && hasSynced);
    const isAway = reason === 'ConnectionLost';
    const known = this.#unseen.get(which);
    // The server is back: what it takes to list everything anew is counted from then on, once.
    const isBack = known?.isAway === true && !isAway;
    if (isMissed && (known === undefined || isBack))
      this.#unseen.set(which, { since: isBack ? this.#options.clock.now() : row.since, isAway, reason });
    else if (isMissed && known) this.#unseen.set(which, { ...known, reason });
    // While it is listed again it is still as unseen as it was, and for the same reason.
    else if (state !== 'Syncing') this.#unseen.delete(which);
    const unseen = this.#unseen.get(which);
    if (unseen === undefined) return [];
    return [{ source: which, since: new Date(unseen.since).toISOString(), reason: unseen.reason, required }];
  }

  /** Hands on what is to be judged, where it is something else than the last time. */
  #tell(unseen: readonly Record<string, unknown>[]): void {
    const raw: RawObject = {
      apiVersion: 'v1',
      kind: 'Tocsin',
      metadata: { name: 'tocsin', uid: 'tocsin' },
      unseen,
    };
    if (isDeepStrictEqual(raw, this.#told)) return;
    this.#told = raw;
    this.#options.push({ kind: 'objects', source, events: [{ is: 'put', raw }] });
  }
}

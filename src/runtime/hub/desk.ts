import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../model/clock.ts';
import type { ClusterRow, HubVerdict, MemberReport } from '../../model/hub.ts';
import type { Secret } from '../../model/secret.ts';
import type { SecretSource } from '../../model/secret-source.ts';
import type { Settings } from '../../model/settings.ts';
import type { Input } from '../../model/turn.ts';
import type { HubReply } from '../../server/hub.ts';
import { isLongEnough, leastKeyChars, seal, unseal } from './envelope.ts';
import { type HubAnswer, readSummary, type Summary } from './summary.ts';

/** Clusters of one hub. */
const mostClusters = 200;
/** What a cluster said last holds for so long, and is told to the core anew after so long (ms). */
const [holdsMs, renewMs] = [10 * 60_000, 60_000];
/** Clocks of members may differ from ours by so much (ms). */
const skewMs = 60_000;
/** A key that is not there, or not that of who posts, is read again this often: it may have been replaced (ms). */
const rereadMs = 10_000;
/** Of a cluster that is not heard of the row is shown for so long (ms). */
const shownMs = 24 * 60 * 60_000;

/** What a hub works with. */
export type HubDeskOptions = {
  readonly clock: Clock;
  /** The host's own: summaries are dated by clocks of other machines. */
  readonly hostNow: () => number;
  readonly settings: () => Pick<Settings, 'app' | 'hub'>;
  /** Opens the key: the value `key`. `fresh`: read again. */
  readonly open: (fresh: boolean) => ReturnType<SecretSource['open']>;
  readonly push: (input: Input) => void;
  /** Takes in what was pushed. */
  readonly drain: () => void;
  readonly verdictsOn: (report: MemberReport) => Readonly<Record<string, HubVerdict>>;
  readonly count: (outcome: 'taken' | 'refused' | 'stale') => void;
};

/** What is held of a cluster. */
type Held = {
  readonly row: ClusterRow;
  /** When its last summary was made, by its own clock. */
  readonly at: number;
  readonly report: MemberReport;
};

const refusal = (status: number, error: string, message: string): HubReply => ({
  status,
  body: JSON.stringify({ error, message }),
});

const noKey = refusal(
  503,
  'Unavailable',
  `The key of the hub cannot be read, or has fewer than ${leastKeyChars} characters.`,
);
const notSigned = refusal(
  401,
  'Unauthorized',
  'The signature is not that of the key `hub.key`: the hub and its members share one.',
);

/**
 * Takes the signed summaries of members, hands what they say of the causes outside to the core, and answers what its own people have certainly
 * been told of that.
 */
export class HubDesk {
  readonly #options: HubDeskOptions;
  readonly #clusters = new Map<string, Held>();
  /** By the host's clock: what was made before may be a copy of what was taken, and of which nothing is known any more. */
  #since: number;
  #rereadAt = 0;
  #key: Secret | undefined;

  constructor(options: HubDeskOptions) {
    this.#options = options;
    this.#since = options.hostNow();
  }

  /** Follows the setting: who is no hub any more knows of no members. */
  configure(): void {
    if (this.#options.settings().hub.enabled) return;
    for (const { report } of this.#clusters.values())
      if (report.causes.length > 0) this.#options.push({ kind: 'member', report: { ...report, causes: [] } });
    this.#clusters.clear();
    this.#since = this.#options.hostNow();
  }

  /** What is known of the members, by name. */
  rows(): readonly ClusterRow[] {
    const now = this.#options.clock.now();
    return [...this.#clusters.values()]
      .map(({ row }) => row)
      .filter(({ heardAt }) => heardAt > now - shownMs)
      .sort((a, b) => (a.name === b.name ? (a.cluster < b.cluster ? -1 : 1) : a.name < b.name ? -1 : 1));
  }

  /** Takes what somebody has posted. */
  async take(body: string): Promise<HubReply> {
    const opened = await this.#unsealed(body);
    const { count } = this.#options;
    if (opened === undefined) {
      count('refused');
      return this.#key === undefined ? noKey : notSigned;
    }
    const { key, text } = opened;
    const summary = readSummary(text);
    if (summary === undefined) {
      count('refused');
      return refusal(400, 'BadRequest', 'That is no summary of a member.');
    }
    const stale = this.#whyStale(summary);
    if (stale !== undefined) {
      count('stale');
      return refusal(409, 'Stale', stale);
    }
    if (!this.#hasRoomFor(summary.cluster)) {
      count('refused');
      return refusal(429, 'TooManyClusters', `A hub has ${mostClusters} members at most.`);
    }
    count('taken');
    return { status: 200, body: seal(key, 'answer', JSON.stringify(this.#answer(summary))) };
  }

  /** What was posted, and the key that it was signed with; `undefined`: it was signed with none that we have. */
  async #unsealed(body: string): Promise<{ readonly key: Secret; readonly text: string } | undefined> {
    const now = this.#options.clock.monotonic();
    const mayRead = now >= this.#rereadAt;
    if (this.#key !== undefined || mayRead) await this.#open(false);
    const known = this.#with(body);
    if (known !== undefined || !mayRead) return known;
    this.#rereadAt = now + rereadMs;
    await this.#open(true);
    return this.#with(body);
  }

  #with(body: string): { readonly key: Secret; readonly text: string } | undefined {
    const key = this.#key;
    const text = key && unseal(key, 'summary', body);
    return key && text !== undefined ? { key, text } : undefined;
  }

  async #open(fresh: boolean): Promise<void> {
    const opened = await this.#options.open(fresh).catch(() => undefined);
    const key = opened && 'values' in opened ? opened.values.get('key') : undefined;
    this.#key = key && isLongEnough(key) ? key : undefined;
  }

  /** Why a summary may be a copy of one that was sent before. */
  #whyStale({ cluster, at }: Summary): string | undefined {
    const offMs = at - this.#options.hostNow();
    if (Math.abs(offMs) > skewMs)
      return `The clock of the member is ${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? 'ahead of' : 'behind'} that of the hub; ${skewMs / 1000} s are taken.`;
    if (at <= this.#since) return 'The summary is from before the hub started.';
    if (at <= (this.#clusters.get(cluster)?.at ?? 0)) return 'The hub has taken this summary, or a newer one.';
    return undefined;
  }

  #hasRoomFor(cluster: string): boolean {
    if (this.#clusters.has(cluster) || this.#clusters.size < mostClusters) return true;
    const now = this.#options.clock.now();
    for (const [id, { report }] of this.#clusters) if (report.until <= now) this.#clusters.delete(id);
    return this.#clusters.size < mostClusters;
  }

  #answer({ nonce, at, causes, ...summary }: Summary): HubAnswer {
    const { clock, push, drain, verdictsOn, settings } = this.#options;
    const now = clock.now();
    const { cluster, name } = summary;
    const known = this.#clusters.get(cluster)?.report;
    const isSame =
      known?.name === name && isDeepStrictEqual(known.causes, causes) && known.until > now + holdsMs - renewMs;
    const report = known && isSame ? known : { cluster, name, causes, until: now + holdsMs };
    // Who was well before and is well now is no news.
    if (report !== known && (causes.length > 0 || (known?.causes.length ?? 0) > 0)) push({ kind: 'member', report });
    this.#clusters.set(cluster, { row: { ...summary, heardAt: now }, at, report });
    drain();
    return { to: nonce, name: settings().app.clusterName, verdicts: verdictsOn(report) };
  }
}

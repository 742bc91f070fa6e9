import { isDeepStrictEqual } from 'node:util';
import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import { isKubeletAway, mayReadSummaries, readSummary } from '../../kube/node-summary.ts';
import type { Clock } from '../../model/clock.ts';
import type { Coverage } from '../../model/coverage.ts';
import { includes } from '../../model/edition.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { nameOf } from '../../model/ref.ts';
import type { Settings } from '../../model/settings.ts';
import type { Input } from '../../model/turn.ts';
import { UsageTrend } from '../../model/usage-trend.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import { toldOf, type Usage } from '../../world/reading/usage.ts';
import type { World } from '../../world/view/world.ts';
import { usagesOf } from './usages.ts';

/** The name of what kubelets say in coverage, and as a source of objects. */
const source = 'nodestats';
/** One kubelet is asked this often (ms), give or take a tenth. */
const everyMs = 300_000;
const jitter = 0.1;
/** How many are asked at once. */
const atOnce = 5;
/** How often it is looked who is due, and, while nobody may be asked, whether that has changed (ms). */
const tickMs = 5_000;
const idleMs = 60_000;
/** How often it is asked whether kubelets may be asked (ms). */
const permissionMs = 600_000;
/** A kubelet is away once it has not answered this often in a row. */
const failuresUntilAway = 3;
/** Where no kubelet at all has answered for this long (ms), the way to all of them is at fault. */
const wayMs = 15 * 60_000;

/** What asking kubelets needs. */
export type NodeStatsOptions = {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly world: World;
  readonly settings: () => Settings;
  readonly see: (coverage: Coverage) => void;
  readonly push: (input: Input) => void;
};

/** What is known of one Node. */
type Known = { uid: string; dueAt: number; failures: number; told: RawObject | undefined; usages: readonly Usage[] };

/**
 * Asks the kubelets of ready Nodes, one after the other and a few at once, how full they and their volumes are, and hands on what
 * is to be judged as objects. Off without a licence, and unless the cluster allows it.
 */
export class NodeStats {
  readonly #options: NodeStatsOptions;
  readonly #nodes = new Map<string, Known>();
  readonly #trend = new UsageTrend();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #cancel: () => void = () => undefined;
  #allowed: { readonly is: boolean; readonly until: number } | undefined;
  #answeredAt: number;
  #row: Coverage | undefined;

  constructor(options: NodeStatsOptions) {
    this.#options = options;
    this.#answeredAt = options.clock.now();
  }

  /** Begins; goes on by itself. */
  start(): void {
    void this.#tick();
  }

  /** Resolves when no request is under way any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await Promise.allSettled(this.#underWay.values());
  }

  async #tick(): Promise<void> {
    const isOn = await this.#mayAsk();
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    if (isOn) this.#ask();
    this.#cancel = this.#options.clock.after(isOn ? tickMs : idleMs, () => void this.#tick());
  }

  async #mayAsk(): Promise<boolean> {
    const { client, clock, settings } = this.#options;
    if (!includes(settings().edition, 'proDetectors')) return this.#off('NotLicensed');
    const now = clock.now();
    if (this.#allowed === undefined || now >= this.#allowed.until) {
      try {
        const is = await mayReadSummaries(client, this.#stopping.signal);
        this.#allowed = { is, until: now + permissionMs };
      } catch {
        // What was known goes on; where nothing was, it is asked again in a minute.
        if (this.#allowed === undefined) return this.#off('OptIn');
      }
    }
    if (this.#allowed?.is !== true) return this.#off('OptIn');
    const isLost = this.#nodes.size > 2 && now - this.#answeredAt > wayMs;
    if (isLost) this.#say('Failing', 'ConnectionLost');
    else this.#say('Watching', 'Synced');
    return true;
  }

  #off(reason: 'NotLicensed' | 'OptIn'): false {
    this.#say('Disabled', reason);
    return false;
  }

  #say(state: Coverage['state'], reason: Coverage['reason']): void {
    if (this.#row?.state === state && this.#row.reason === reason) return;
    const since = this.#options.clock.now();
    // Nobody has answered while nobody was asked.
    if (this.#row?.state === 'Disabled') this.#answeredAt = since;
    this.#row = { source, kind: 'NodeStats', state, reason, since, required: false };
    this.#options.see(this.#row);
    this.#options.push({ kind: 'source', coverage: this.#row });
  }

  #ask(): void {
    const { world, clock, random } = this.#options;
    const now = clock.now();
    const seen = new Set<string>();
    for (const node of world.all('Node')) {
      if (node.kind !== 'Node') continue;
      const name = nameOf(node.ref);
      seen.add(name);
      const known = this.#known(name, node, now + random() * everyMs);
      if (this.#underWay.size >= atOnce || known.dueAt > now || this.#underWay.has(name) || !isReady(node)) continue;
      known.dueAt = now + everyMs * (1 + jitter * (2 * random() - 1));
      const asked = this.#askOne(name, known).finally(() => this.#underWay.delete(name));
      this.#underWay.set(name, asked);
    }
    for (const [name, known] of this.#nodes) if (!seen.has(name)) this.#forget(name, known);
  }

  #known(name: string, { uid }: NodeView, dueAt: number): Known {
    const known = this.#nodes.get(name);
    if (known?.uid === uid) return known;
    if (known) this.#forget(name, known);
    const fresh = { uid, dueAt, failures: 0, told: undefined, usages: [] };
    this.#nodes.set(name, fresh);
    return fresh;
  }

  #forget(name: string, { told }: Known): void {
    this.#nodes.delete(name);
    if (told) this.#options.push({ kind: 'objects', source, events: [{ is: 'gone', raw: told }] });
  }

  async #askOne(name: string, known: Known): Promise<void> {
    const { client, clock, world, settings, log } = this.#options;
    try {
      const summary = await readSummary(client, name, this.#stopping.signal);
      const now = clock.now();
      this.#answeredAt = now;
      known.failures = 0;
      const { volumeUsagePercent } = settings().detection;
      known.usages = toldOf(usagesOf(summary, world, this.#trend, now), known.usages, volumeUsagePercent);
      this.#tell(name, known, {});
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log.debug({ err: error, node: name }, 'no summary of a kubelet');
      if (error instanceof ApiError && error.status === 403) this.#allowed = undefined;
      if (!isKubeletAway(error)) return;
      known.failures += 1;
      const message = error instanceof Error ? error.message : '';
      const isKnownToBeIt = this.#nodes.size <= 2 || clock.now() - this.#answeredAt <= wayMs;
      if (known.failures >= failuresUntilAway && isKnownToBeIt)
        this.#tell(name, known, { unreachable: { failures: known.failures, message } });
    }
  }

  /** Hands on what is to be judged, where it is something else than the last time. */
  #tell(name: string, known: Known, more: object): void {
    if (this.#nodes.get(name) !== known) return;
    const metadata = { name, uid: known.uid };
    const raw: RawObject = { apiVersion: 'v1', kind: 'NodeStats', metadata, usages: known.usages, ...more };
    if (isDeepStrictEqual(raw, known.told)) return;
    known.told = raw;
    this.#options.push({ kind: 'objects', source, events: [{ is: 'put', raw }] });
  }
}

/** Only a kubelet that says of itself that it is ready is asked. */
function isReady({ conditions, deletionAt }: NodeView): boolean {
  return deletionAt === undefined && conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

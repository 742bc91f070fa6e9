import { type ApiClient, ApiError } from '../kube/api-client.ts';
import { readLog } from '../kube/logs.ts';
import { AnchoredClock } from '../model/anchored-clock.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import { refOf } from '../model/ref.ts';
import { defaultSettings } from '../model/settings.ts';
import type { Effects, Input } from '../model/turn.ts';
import { EvidenceFetcher } from '../runtime/loop/evidence.ts';
import { Loop } from '../runtime/loop/loop.ts';
import { CoverageTracker } from '../runtime/watching/coverage-tracker.ts';
import { Sources } from '../runtime/watching/sources.ts';
import type { Logger } from '../telemetry/logger.ts';
import { Core } from '../turn/core.ts';
import type { Looked } from './answer.ts';
import type { Seen } from './diagnosis.ts';
import { clusterLimits } from './limits.ts';
import { isAskedFor, type Question } from './question.ts';
import { CannotLook, refusal } from './refusal.ts';
import { type Scope, scopeOf } from './scope.ts';
import { unseenResource } from './unseen.ts';

/** How far a look has come: for people who wait. */
export type Progress = {
  readonly listed: number;
  readonly kinds: number;
  readonly objects: number;
  /** Not sure yet, and logs that are being read. */
  readonly settling: number;
  readonly reading: number;
};

/** What looking at a cluster needs. */
export type LookOptions = {
  readonly client: ApiClient;
  /** For people: `context kind-a of ~/.kube/config`. */
  readonly name: string;
  /** Where one may see one namespace alone: this one. */
  readonly namespace: string;
  readonly version: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** Watched for exactly so long (ms); absent: until what is seen is certain. */
  readonly watchMs?: number;
  /** Without `watchMs`: nobody waits longer for what is not certain yet (ms); a minute unless said. */
  readonly longestMs?: number;
  /** What is asked for: nobody waits for anything else to be certain. */
  readonly question?: Question;
  readonly progress?: (progress: Progress) => void;
  readonly signal: AbortSignal;
};

/** Without `watchMs` nobody waits longer for what is not certain yet (ms). */
const longestWatchMs = 60_000;
/** How often it is looked whether everything is certain (ms). */
const everyMs = 200;

/** A cluster while it is looked at. */
export type ClusterLook = {
  /** What is seen at this moment. */
  seen(): Seen;
  stop(): Promise<void>;
};

/**
 * Lists and watches what there is by the same core as the operator, and resolves once what is seen is certain. Writes nothing. Rejects with
 * `CannotLook` where no Pod can be seen.
 */
export async function lookAtCluster(options: LookOptions): Promise<ClusterLook> {
  const looked = await reached(options);
  const look = new Look(options, await scopeOf(options.client, options.namespace), looked);
  try {
    await look.untilCertain();
    return look;
  } catch (error) {
    await look.stop();
    throw error;
  }
}

/** Asks for its version: what cannot be asked is said at once, in words. */
async function reached({ client, name, signal }: LookOptions): Promise<Looked> {
  try {
    const { gitVersion } = await client.json<{ readonly gitVersion?: string }>({
      path: '/version',
      attempts: 1,
      signal,
    });
    return { is: 'cluster', name, ...(gitVersion !== undefined && { serverVersion: gitVersion }) };
  } catch (error) {
    // Whoever may not ask for the version may see Pods all the same.
    if (error instanceof ApiError && error.status === 403) return { is: 'cluster', name };
    throw refusal(error, name);
  }
}

class Look implements ClusterLook {
  readonly #options: LookOptions;
  readonly #scope: Scope;
  readonly #looked: Looked;
  readonly #clock: AnchoredClock;
  readonly #core: Core;
  readonly #loop: Loop;
  readonly #coverage: CoverageTracker;
  readonly #sources: Sources;
  readonly #evidence: EvidenceFetcher;
  readonly #startedAt: number;
  #isJudged = false;
  #reading = 0;
  #areLogsRefused = false;
  #crash: unknown;

  constructor(options: LookOptions, scope: Scope, looked: Looked) {
    const { client, version, random, log } = options;
    this.#options = options;
    this.#scope = scope;
    this.#looked = looked;
    const clock = new AnchoredClock(options.clock, () => undefined);
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#core = new Core({ clusterId: looked.name, version, traits: new Map(), setsAside: true, isAsked: true });
    this.#loop = new Loop({
      ...{ turn: this.#core.turn, clock, carry: (effects) => this.#carry(effects) },
      crashed: (error) => {
        this.#crash = error;
      },
    });
    this.#coverage = new CoverageTracker(clock, () => this.#judge());
    this.#evidence = new EvidenceFetcher({
      ...{ clock, readLog: (request) => readLog(client, request) },
      found: (evidence) => {
        this.#reading -= 1;
        this.#loop.push({ kind: 'evidence', evidence });
      },
      failed: (_, error) => {
        // Of a container that never ran there is no log: that lacks nothing.
        if (error instanceof ApiError && error.status === 403) this.#areLogsRefused = true;
      },
    });
    this.#sources = new Sources({
      ...{ client, clock, random, log, coverage: this.#coverage, resources: scope.resources },
      push: (input) => this.#loop.push(this.#scoped(input)),
      known: (kind) => {
        this.#loop.drain();
        return this.#core.view.world.keys(kind);
      },
    });
    this.#loop.push({
      kind: 'settings',
      settings: { ...defaultSettings, app: { ...defaultSettings.app, clusterName: '' } },
    });
    this.#coverage.configured();
    this.#sources.start();
  }

  /** Resolves when nothing that is seen waits for anything, or when there is no more time. */
  async untilCertain(): Promise<void> {
    const { watchMs, longestMs = longestWatchMs, signal, progress } = this.#options;
    const until = this.#startedAt + (watchMs ?? longestMs);
    for (;;) {
      signal.throwIfAborted();
      if (this.#crash !== undefined) throw this.#crash;
      progress?.(this.#progress());
      const isOver = this.#clock.monotonic() >= until;
      if (isOver && !this.#isJudged) this.#judge();
      if (this.#isJudged) this.#loop.drain();
      if (isOver || (watchMs === undefined && this.#isCertain())) break;
      await new Promise<void>((resolve) => void setTimeout(resolve, everyMs));
    }
    const pods = this.#coverage.row('pods');
    if (pods?.state !== 'Watching') throw cannotSeePods(pods, this.#scope.namespace);
    const asked = this.#options.question?.namespace;
    if (asked !== undefined && this.#core.view.world.get(refOf('Namespace', '', asked)) === 'absent')
      throw new CannotLook(`there is no namespace "${asked}" in ${this.#looked.name}`);
  }

  seen(): Seen {
    const { namespace } = this.#scope;
    this.#loop.drain();
    const logs = this.#areLogsRefused ? [unseenResource('pods/log', 'you may not read them')] : [];
    return {
      ...{ view: this.#core.view, now: this.#clock.now(), looked: this.#looked, coverage: this.#coverage.rows() },
      watchedMs: Math.round(this.#clock.monotonic() - this.#startedAt),
      unseen: logs,
      limits: clusterLimits(namespace),
    };
  }

  async stop(): Promise<void> {
    this.#coverage.stop();
    this.#evidence.stop();
    await this.#sources.stop();
    this.#loop.stop();
  }

  #judge(): void {
    this.#isJudged = true;
    this.#coverage.stop();
    this.#loop.push({ kind: 'baseline' });
  }

  #carry({ fetch }: Effects): void {
    for (const request of fetch) {
      this.#reading += 1;
      this.#evidence.request(request);
    }
  }

  #isCertain(): boolean {
    return this.#isJudged && this.#reading === 0 && this.#settling() === 0;
  }

  #settling(): number {
    const { question = {} } = this.#options;
    const now = this.#clock.now();
    return Iterator.from(this.#core.view.incidents()).reduce((settling, incident) => {
      const { state, foldedInto } = incident;
      const waits = state === 'Settling' && foldedInto === undefined && isAskedFor(incident, question, now);
      return waits ? settling + 1 : settling;
    }, 0);
  }

  #progress(): Progress {
    const rows = this.#coverage.rows();
    let objects = 0;
    for (const { objects: seen } of this.#sources.stats().values()) objects += seen;
    return {
      listed: rows.filter(({ state }) => state !== 'Syncing').length,
      kinds: this.#scope.resources.length,
      objects,
      settling: this.#settling(),
      reading: this.#reading,
    };
  }

  /** From one namespace nothing is known of the others. */
  #scoped(input: Input): Input {
    const { namespace, resources } = this.#scope;
    if (namespace === undefined || input.kind !== 'source') return input;
    const row = resources.find(({ kind }) => kind === input.coverage.kind);
    return row?.namespaced ? { ...input, coverage: { ...input.coverage, within: [namespace] } } : input;
  }
}

function cannotSeePods(row: Coverage | undefined, namespace: string | undefined): CannotLook {
  const where = namespace === undefined ? '-A' : `-n ${namespace}`;
  if (row?.state === 'Denied')
    return new CannotLook(
      `you may not list and watch Pods, neither in the whole cluster nor in the namespace ${namespace ?? ''}. ` +
        `See: kubectl auth can-i watch pods ${where}. The role "view" is enough; -n names another namespace.`,
    );
  return new CannotLook(
    `the Pods could not be listed (${row?.reason ?? 'no answer'}). Try again, or give it longer: --watch 2m`,
  );
}

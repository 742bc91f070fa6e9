import type { Container } from '../shapes.ts';
import type { ContainerStage } from './container-stage.ts';
import type { ContainerScript } from './pod-script.ts';

const probePeriodSeconds = 10;
const livenessFailures = 3;

/** How a run ended: the kubelet ended it for its liveness probe, or it ended as its script says. */
export type RunEnd = { readonly isKilled: boolean; readonly exit: ContainerScript['exit'] };

/** What the container is told of its run. */
export type RunListener = {
  /** It became ready, or is no longer; resolves when the API has it. */
  ready(isReady: boolean): Promise<void>;
  /** It prints more. */
  print(lines: readonly string[] | undefined): void;
};

/** One run of a container, from its start to its end. */
export class ContainerRun {
  readonly #stage: ContainerStage;
  readonly #container: Container;
  readonly #isInit: boolean;
  readonly #listener: RunListener;
  #isReady = false;
  #reread = Promise.withResolvers<typeof again>();

  constructor(stage: ContainerStage, container: Container, isInit: boolean, listener: RunListener) {
    this.#stage = stage;
    this.#container = container;
    this.#isInit = isInit;
    this.#listener = listener;
  }

  /** From now on it does what the script says now, as if it had just started. */
  reread(): void {
    this.#reread.resolve(again);
  }

  /** Resolves with its end; stays until stopped when the script has none. `ends`: how many runs ended before it. */
  async end(script: ContainerScript, ends: number): Promise<RunEnd> {
    for (let now = script; ; now = this.#stage.script()) {
      if (now !== script) this.#listener.print(now.log);
      const { exit, exits = Number.POSITIVE_INFINITY } = now;
      const end = ends < exits ? exit : undefined;
      const isKilled = await this.#live(now, end?.afterSeconds ?? Number.POSITIVE_INFINITY);
      if (isKilled !== again) return { isKilled, exit };
      this.#reread = Promise.withResolvers();
    }
  }

  /** Whether it was told to read its script again before so long had passed. */
  async #wait(seconds: number): Promise<typeof again | undefined> {
    return Promise.race([this.#stage.wait(seconds).then(() => undefined), this.#reread.promise]);
  }

  /** Lives to its end; resolves with whether the kubelet ended it for its liveness probe. */
  async #live(script: ContainerScript, lifeSeconds: number): Promise<boolean | typeof again> {
    const { event, pod } = this.#stage;
    const { livenessFails } = script;
    const failsAfter = livenessFails?.afterSeconds ?? Number.POSITIVE_INFINITY;
    const left = await this.#probe(script, Math.min(lifeSeconds, failsAfter));
    if (left === again || (await this.#wait(left)) === again) return again;
    if (livenessFails === undefined || lifeSeconds <= failsAfter) return false;
    for (let failures = 0; failures < livenessFailures; failures++) {
      event('Warning', 'Unhealthy', `Liveness probe failed: ${livenessFails.says}`);
      if ((await this.#wait(probePeriodSeconds)) === again) return again;
    }
    const { name } = this.#container;
    if (pod().metadata.deletionTimestamp === undefined)
      event('Normal', 'Killing', `Container ${name} failed liveness probe, will be restarted`);
    return true;
  }

  /** Gets ready, if it does in its life; resolves with the seconds that are left of that. */
  async #probe(script: ContainerScript, lifeSeconds: number): Promise<number | typeof again> {
    const { readinessSays = 'HTTP probe failed with statuscode: 503', readyAfterSeconds = 0.5 } = script;
    const { restartPolicy, readinessProbe } = this.#container;
    const readySeconds = readyAfterSeconds === 'never' ? Number.POSITIVE_INFINITY : readyAfterSeconds;
    let left = lifeSeconds;
    // What was ready and is to be so is ready.
    if (this.#isReady && readySeconds < lifeSeconds) return left;
    // An init container has no readiness; a sidecar does.
    if (readySeconds < lifeSeconds && (!this.#isInit || restartPolicy === 'Always')) {
      if ((await this.#wait(readySeconds)) === again) return again;
      left -= readySeconds;
      await this.#becomes(true);
    }
    // Three failures in a row make what was ready unready; nobody probes what is ready here.
    const wasReady = this.#isReady && readySeconds >= lifeSeconds;
    const unhealthy = (): void => this.#stage.event('Warning', 'Unhealthy', `Readiness probe failed: ${readinessSays}`);
    for (let failures = 0; (wasReady || !this.#isReady) && readinessProbe && left > probePeriodSeconds; failures += 1) {
      if ((await this.#wait(probePeriodSeconds)) === again) return again;
      left -= probePeriodSeconds;
      unhealthy();
      if (this.#isReady && failures === 2) await this.#becomes(false);
    }
    return left;
  }

  async #becomes(isReady: boolean): Promise<void> {
    this.#isReady = isReady;
    await this.#listener.ready(isReady);
  }
}

const again = Symbol('read the script again');

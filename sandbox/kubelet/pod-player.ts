import { ApiError } from '../../src/kube/api-client.ts';
import { sleep } from '../../src/kube/sleep.ts';
import { timestamp } from '../object.ts';
import type { Container, Pod } from '../shapes.ts';
import { ContainerPlayer } from './container-player.ts';
import type { ContainerStage } from './container-stage.ts';
import { type ContainerLog, waitingWords } from './log-server.ts';
import type { PodStage } from './pod-stage.ts';
import { statusPatch, type Transitions, transitionsOf } from './pod-status.ts';
import { mountProblem } from './references.ts';
import { containerScript } from './script-of.ts';

/** Mounts that fail are tried again after half a second, doubling to two minutes (volume manager). */
const firstMountRetrySeconds = 0.5;
const maxMountRetrySeconds = 122;
/** How long a container takes to end when asked. */
const terminationSeconds = 1;

class Stopped extends Error {}

/** One Pod as its kubelet plays it. */
export class PodPlayer {
  readonly #stage: PodStage;
  /** The Pod as it was first seen: what its kubelet was started with. */
  readonly #first: Pod;
  readonly #path: string;
  readonly #startTime: string;
  readonly #init: readonly ContainerPlayer[];
  readonly #main: readonly ContainerPlayer[];
  /** Ends the playing of containers; `#life` ends everything. */
  readonly #playing = new AbortController();
  readonly #life = new AbortController();
  #pod: Pod;
  #podIP: string | undefined;
  #transitions: Transitions;
  /** Several containers may change at once: one request at a time, each with the newest state. */
  #sending: Promise<void> | undefined;
  #pending: Promise<void> | undefined;
  #leaving = false;
  #ended: { readonly reason: string; readonly message: string } | undefined;

  /** Begins to play. A Pod found on its way out is not begun again. */
  constructor(stage: PodStage, pod: Pod) {
    const { namespace, name, deletionTimestamp } = pod.metadata;
    this.#stage = stage;
    this.#first = pod;
    this.#pod = pod;
    this.#path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    this.#startTime = pod.status.startTime ?? timestamp(stage.clock.now());
    this.#transitions = transitionsOf(pod, this.#startTime);
    this.#init = this.#players(pod.spec.initContainers, true);
    this.#main = this.#players(pod.spec.containers, false);
    this.#settle(deletionTimestamp ? this.#leave() : this.#play());
  }

  /** The Pod was seen again: edited, or being deleted. */
  update(pod: Pod): void {
    this.#pod = pod;
    if (pod.metadata.deletionTimestamp && !this.#leaving && !this.#life.signal.aborted) this.#settle(this.#leave());
  }

  /** What the kubelet answers to whoever asks for a container's log. */
  log(container: string, previous: boolean): ContainerLog | undefined {
    const player = this.#all().find((candidate) => candidate.name === container);
    if (!player) return undefined;
    const logs = player.logs();
    const { name } = this.#pod.metadata;
    if (previous && !logs.previous)
      return { refusal: `previous terminated container "${container}" in pod "${name}" not found` };
    if (logs.current) return { lines: (previous ? logs.previous : logs.current) ?? [] };
    const reason = player.status().state.waiting?.reason ?? 'ContainerCreating';
    const why = waitingWords(reason);
    return { refusal: `container "${container}" in pod "${name}" is waiting to start: ${why}` };
  }

  /** Its running containers do what their script says now. */
  reread(): void {
    for (const player of this.#all()) player.reread();
  }

  /** Its kubelet evicts it, unless it has ended or is on its way out; whether it did. */
  evict(message: string): boolean {
    if (this.#ended || this.#leaving || this.#podIP === undefined) return false;
    this.#settle(this.#evict(message));
    return true;
  }

  /** Freezes the Pod: nothing is played or written any more. */
  stop(): void {
    this.#playing.abort(new Stopped());
    this.#life.abort(new Stopped());
  }

  #all(): readonly ContainerPlayer[] {
    return [...this.#init, ...this.#main];
  }

  #players(containers: readonly Container[] | undefined, isInit: boolean): ContainerPlayer[] {
    const { initContainerStatuses, containerStatuses } = this.#first.status;
    const statuses = isInit ? initContainerStatuses : containerStatuses;
    return (containers ?? []).map((container) => {
      const earlier = statuses?.find((status) => status.name === container.name);
      return new ContainerPlayer(this.#containerStage(container.name, isInit), container, isInit, earlier);
    });
  }

  #containerStage(name: string, isInit: boolean): ContainerStage {
    const { api, clock, record, script } = this.#stage;
    const fieldPath = `spec.${isInit ? 'initContainers' : 'containers'}{${name}}`;
    return {
      api,
      clock,
      pod: () => this.#pod,
      script: () => containerScript(script(this.#pod), name),
      wait: (seconds) => this.#wait(seconds, this.#playing.signal),
      post: () => this.#post(),
      event: (type, reason, message) => record(this.#pod, type, reason, message, fieldPath),
    };
  }

  #wait(seconds: number, signal: AbortSignal): Promise<void> {
    const { clock, speed } = this.#stage;
    if (Number.isFinite(seconds)) return sleep(clock, (Math.max(0, seconds) * 1000) / speed, signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  #post(): Promise<void> {
    this.#pending ??= (this.#sending ?? Promise.resolve()).then(() => {
      this.#sending = this.#pending;
      this.#pending = undefined;
      return this.#send();
    });
    return this.#pending;
  }

  async #send(): Promise<void> {
    const { api, clock, hostIP, onError } = this.#stage;
    const { signal } = this.#life;
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const containers = { init: this.#init.map((p) => p.status()), main: this.#main.map((p) => p.status()) };
      const facts = { startTime: this.#startTime, hostIP, podIP: this.#podIP, ended: this.#ended };
      const next = statusPatch(this.#pod, containers, facts, this.#transitions, timestamp(clock.now()));
      try {
        const contentType = 'application/strategic-merge-patch+json';
        await api.json({ method: 'PATCH', path: `${this.#path}/status`, body: next.patch, contentType });
        this.#transitions = next.transitions;
        return;
      } catch (error) {
        if (isGone(error)) this.stop();
        else onError(error);
        await sleep(clock, 1000, signal);
      }
    }
  }

  async #mount(): Promise<void> {
    const { api, record, script } = this.#stage;
    for (let delay = firstMountRetrySeconds; ; delay = Math.min(maxMountRetrySeconds, delay * 2)) {
      const { heldUp } = script(this.#pod);
      const message = heldUp?.message ?? (await mountProblem(api, this.#pod));
      if (message === undefined) return;
      record(this.#pod, 'Warning', heldUp?.reason ?? 'FailedMount', message);
      await this.#wait(delay, this.#playing.signal);
    }
  }

  async #play(): Promise<void> {
    const { record, script } = this.#stage;
    const { rejected, evicted } = script(this.#pod);
    if (rejected) {
      record(this.#pod, 'Warning', rejected.reason, rejected.message);
      this.#ended = { reason: rejected.reason, message: `Pod was rejected: ${rejected.message}` };
      return this.#post();
    }
    await this.#post();
    await this.#mount();
    this.#podIP = this.#stage.podIP;
    await this.#post();
    for (const [i, player] of this.#init.entries()) {
      const sidecar = this.#first.spec.initContainers?.[i]?.restartPolicy === 'Always';
      if (sidecar) await Promise.race([player.ready, player.play()]);
      else if (!(await player.play())) return;
    }
    const playing = Promise.all(this.#main.map((player) => player.play()));
    if (!evicted) return void (await playing);
    playing.catch(() => undefined);
    await this.#wait(evicted.afterSeconds, this.#playing.signal);
    await this.#evict(evicted.message);
  }

  async #evict(message: string): Promise<void> {
    this.#stage.record(this.#pod, 'Warning', 'Evicted', message);
    this.#playing.abort(new Stopped());
    for (const player of this.#all()) player.terminate();
    this.#ended = { reason: 'Evicted', message };
    await this.#post();
  }

  async #leave(): Promise<void> {
    this.#leaving = true;
    this.#playing.abort(new Stopped());
    for (const { name } of this.#all().filter((player) => player.status().state.running))
      this.#stage.record(this.#pod, 'Normal', 'Killing', `Stopping container ${name}`);
    const grace = this.#pod.metadata.deletionGracePeriodSeconds ?? 30;
    await this.#wait(Math.min(grace, terminationSeconds), this.#life.signal);
    for (const player of this.#all()) player.terminate();
    await this.#post();
    await this.#remove();
  }

  async #remove(): Promise<void> {
    const { api, clock, onError } = this.#stage;
    for (;;) {
      const body = { gracePeriodSeconds: 0, preconditions: { uid: this.#pod.metadata.uid } };
      try {
        await api.json({ method: 'DELETE', path: this.#path, body });
        return;
      } catch (error) {
        if (isGone(error)) return;
        onError(error);
        await sleep(clock, 1000, this.#life.signal);
      }
    }
  }

  /** A Pod that is stopped is no error; anything else that ends its play is told. */
  #settle(play: Promise<void>): void {
    play.catch((error: unknown) => {
      if (!(error instanceof Stopped)) this.#stage.onError(error);
    });
  }
}

/** The Pod is no longer there, or another one has its name. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}

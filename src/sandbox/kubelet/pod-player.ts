import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import { sleep } from '../../kube/sleep.ts';
import type { Clock } from '../../model/clock.ts';
import { timestamp } from '../object.ts';
import type { Container, Pod } from '../shapes.ts';
import { type ContainerPlayer, createContainerPlayer } from './container-player.ts';
import type { ContainerLog } from './log-server.ts';
import type { PodScript } from './pod-script.ts';
import { statusPatch } from './pod-status.ts';
import type { Recorder } from './recorder.ts';
import { mountProblem } from './references.ts';
import { containerScript } from './script-of.ts';

/** What a Pod needs of its node. */
export type PodStage = {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly record: Recorder;
  readonly script: (pod: Pod) => PodScript;
  readonly speed: number;
  readonly hostIP: string;
  readonly podIP: string;
  readonly onError: (error: unknown) => void;
};

/** One Pod as its kubelet plays it. */
export type PodPlayer = {
  /** The Pod was seen again: edited, or being deleted. */
  update(pod: Pod): void;
  log(container: string, previous: boolean): ContainerLog | undefined;
  /** Freezes the Pod: nothing is played or written any more. */
  stop(): void;
};

/** Mounts that fail are tried again after half a second, doubling to two minutes (volume manager). */
const firstMountRetrySeconds = 0.5;
const maxMountRetrySeconds = 122;
/** How long a container takes to end when asked. */
const terminationSeconds = 1;

class Stopped extends Error {}

/** Begins to play a Pod. */
export function playPod(stage: PodStage, first: Pod): PodPlayer {
  const { api, clock, record } = stage;
  const path = `/api/v1/namespaces/${first.metadata.namespace}/pods/${first.metadata.name}`;
  const startTime = first.status.startTime ?? timestamp(clock.now());
  let pod = first;
  let podIP: string | undefined;
  let transitions: ReadonlyMap<string, { readonly status: string; readonly since: string }> = new Map(
    (first.status.conditions ?? []).map(({ type, status, lastTransitionTime = startTime }) => [
      type,
      { status, since: lastTransitionTime },
    ]),
  );
  /** Ends the playing of containers; `life` ends everything. */
  const playing = new AbortController();
  const life = new AbortController();
  let leaving = false;

  const waitFor =
    (signal: AbortSignal) =>
    (seconds: number): Promise<void> =>
      Number.isFinite(seconds)
        ? sleep(clock, (Math.max(0, seconds) * 1000) / stage.speed, signal)
        : new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          });
  const wait = waitFor(playing.signal);

  const players = (containers: readonly Container[] | undefined, isInit: boolean): ContainerPlayer[] =>
    (containers ?? []).map((container) => {
      const statuses = isInit ? first.status.initContainerStatuses : first.status.containerStatuses;
      const fieldPath = `spec.${isInit ? 'initContainers' : 'containers'}{${container.name}}`;
      const containerStage = {
        api,
        clock,
        pod: () => pod,
        script: () => containerScript(stage.script(pod), container.name),
        wait,
        post,
        event: (type: 'Normal' | 'Warning', reason: string, message: string) =>
          record(pod, type, reason, message, fieldPath),
      };
      const earlier = statuses?.find((status) => status.name === container.name);
      return createContainerPlayer(containerStage, container, isInit, earlier);
    });
  const init = players(first.spec.initContainers, true);
  const main = players(first.spec.containers, false);

  // Several containers may change at once: one request at a time, each with the newest state.
  let sending: Promise<void> | undefined;
  let pending: Promise<void> | undefined;
  function post(): Promise<void> {
    pending ??= (sending ?? Promise.resolve()).then(() => {
      sending = pending;
      pending = undefined;
      return send();
    });
    return pending;
  }
  async function send(): Promise<void> {
    for (;;) {
      if (life.signal.aborted) throw life.signal.reason;
      const containers = { init: init.map((p) => p.status()), main: main.map((p) => p.status()) };
      const facts = { startTime, hostIP: stage.hostIP, podIP };
      const next = statusPatch(pod, containers, facts, transitions, timestamp(clock.now()));
      try {
        const contentType = 'application/strategic-merge-patch+json';
        await api.json({ method: 'PATCH', path: `${path}/status`, body: next.patch, contentType });
        transitions = next.transitions;
        return;
      } catch (error) {
        if (isGone(error)) stop();
        else stage.onError(error);
        await sleep(clock, 1000, life.signal);
      }
    }
  }

  async function mount(): Promise<void> {
    for (let delay = firstMountRetrySeconds; ; delay = Math.min(maxMountRetrySeconds, delay * 2)) {
      const problem = await mountProblem(api, pod);
      if (problem === undefined) return;
      record(pod, 'Warning', 'FailedMount', problem);
      await wait(delay);
    }
  }

  async function play(): Promise<void> {
    await post();
    await mount();
    podIP = stage.podIP;
    await post();
    for (const [i, player] of init.entries()) {
      const sidecar = first.spec.initContainers?.[i]?.restartPolicy === 'Always';
      if (sidecar) await Promise.race([player.ready, player.play()]);
      else if (!(await player.play())) return;
    }
    await Promise.all(main.map((player) => player.play()));
  }

  async function leave(): Promise<void> {
    leaving = true;
    playing.abort(new Stopped());
    for (const player of [...init, ...main])
      if (player.status().state.running) record(pod, 'Normal', 'Killing', `Stopping container ${player.name}`);
    const grace = pod.metadata.deletionGracePeriodSeconds ?? 30;
    await waitFor(life.signal)(Math.min(grace, terminationSeconds));
    for (const player of [...init, ...main]) player.terminate();
    await post();
    for (;;) {
      const body = { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } };
      try {
        await api.json({ method: 'DELETE', path, body });
        return;
      } catch (error) {
        if (isGone(error)) return;
        stage.onError(error);
        await sleep(clock, 1000, life.signal);
      }
    }
  }

  const stop = (): void => {
    playing.abort(new Stopped());
    life.abort(new Stopped());
  };
  /** A Pod that is stopped is no error; anything else that ends its play is told. */
  const settle = (play: Promise<void>): void =>
    void play.catch((error: unknown) => {
      if (!(error instanceof Stopped)) stage.onError(error);
    });
  // A Pod found on its way out is not begun again.
  if (first.metadata.deletionTimestamp) settle(leave());
  else settle(play());

  return {
    update(next) {
      pod = next;
      if (next.metadata.deletionTimestamp && !leaving && !life.signal.aborted) settle(leave());
    },
    log(container, previous) {
      const player = [...init, ...main].find((candidate) => candidate.name === container);
      if (!player) return undefined;
      const logs = player.logs();
      const { name } = pod.metadata;
      if (previous && !logs.previous)
        return { refusal: `previous terminated container "${container}" in pod "${name}" not found` };
      if (logs.current) return { lines: (previous ? logs.previous : logs.current) ?? [] };
      const reason = player.status().state.waiting?.reason ?? 'ContainerCreating';
      const why = pullWords[reason] ?? reason;
      return { refusal: `container "${container}" in pod "${name}" is waiting to start: ${why}` };
    },
    stop,
  };
}

/** How the kubelet's log handler words two of the waiting reasons. */
const pullWords: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

/** The Pod is no longer there, or another one has its name. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}

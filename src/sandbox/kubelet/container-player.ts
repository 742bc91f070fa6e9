import type { ApiClient } from '../../kube/api-client.ts';
import type { Clock } from '../../model/clock.ts';
import { shortHash } from '../../model/hash.ts';
import { timestamp } from '../object.ts';
import type { Container, ContainerStatus, Pod, Terminated } from '../shapes.ts';
import { afterReboot, fallbackMessage, imageIdOf, restarts } from './container-rules.ts';
import { createCrashBackoff } from './crash-backoff.ts';
import { pullFailure } from './images.ts';
import type { LogLine } from './log-server.ts';
import type { ContainerScript } from './pod-script.ts';
import { configurationProblem } from './references.ts';

/** What a container needs of its Pod. */
export type ContainerStage = {
  readonly api: ApiClient;
  readonly clock: Clock;
  /** The Pod as last seen. */
  pod(): Pod;
  /** Read again before every pull and every start, so that an edited annotation takes effect. */
  script(): ContainerScript;
  /** Simulated seconds; rejects when the Pod is being stopped. */
  wait(seconds: number): Promise<void>;
  /** Sends the Pod's status as it is now; resolves when the API has it. */
  post(): Promise<void>;
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
};

/** One container of a Pod. */
export type ContainerPlayer = {
  readonly name: string;
  readonly status: () => ContainerStatus;
  /** Output of the present (or last) run and of the one before. */
  readonly logs: () => {
    readonly current: readonly LogLine[] | undefined;
    readonly previous: readonly LogLine[] | undefined;
  };
  /** Plays until the container has ended for good; resolves with whether it succeeded. Rejects when the Pod is stopped. */
  play(): Promise<boolean>;
  /** Resolves when the container runs and is ready: what a sidecar's successors wait for. */
  readonly ready: Promise<void>;
  /** Ends a running container because its Pod goes. */
  terminate(): void;
};

/** The kubelet looks at a Pod that cannot start again after this long (backOffPeriod). */
const retrySeconds = 10;
/** How long an ended container is seen as terminated before the next sync does something about it. */
const syncSeconds = 1;
const probePeriodSeconds = 10;
/** 20 MB: the event text wants a size. */
const imageBytes = 20_971_520;

/** A container that has not begun. `earlier`: what the API knows of it from before this kubelet started. */
export function createContainerPlayer(
  stage: ContainerStage,
  container: Container,
  isInit: boolean,
  earlier: ContainerStatus | undefined,
): ContainerPlayer {
  const { name, image } = container;
  const { api, clock } = stage;
  const ran = earlier?.state.running ?? earlier?.state.terminated ?? earlier?.lastState.terminated;
  let restartCount = ran ? (earlier?.restartCount ?? 0) + 1 : 0;
  let last: Terminated | undefined = afterReboot(earlier, clock.now());
  let state: ContainerStatus['state'] = { waiting: { reason: isInit ? 'PodInitializing' : 'ContainerCreating' } };
  let ready = false;
  let started = false;
  let imageID = '';
  let failedPulls = 0;
  let ends = 0;
  let current: LogLine[] | undefined;
  let previous: LogLine[] | undefined;
  const backoff = createCrashBackoff();
  let becameReady = (): void => {};
  const readyPromise = new Promise<void>((resolve) => {
    becameReady = resolve;
  });
  const containerID = (): string => `containerd://${shortHash([stage.pod().metadata.uid, name, restartCount], 64)}`;

  /** Shows a new state; none begins ready. */
  async function show(next: ContainerStatus['state'], isStarted = false): Promise<void> {
    state = next;
    ready = false;
    started = isStarted;
    await stage.post();
  }
  const waitingFor = (reason: string, message?: string): Promise<void> =>
    show({ waiting: { reason, ...(message ? { message } : {}) } });

  async function pull(): Promise<void> {
    if (imageID && container.imagePullPolicy !== 'Always') {
      const text = `Container image "${image}" already present on machine and can be accessed by the pod`;
      stage.event('Normal', 'Pulled', text);
      return;
    }
    for (let delaySeconds = retrySeconds; ; delaySeconds = Math.min(300, delaySeconds * 2)) {
      const script = stage.script();
      stage.event('Normal', 'Pulling', `Pulling image "${image}"`);
      const seconds = script.pullSeconds ?? 0.3;
      await stage.wait(seconds);
      const { pullError } = script;
      if (pullError === undefined || failedPulls >= (script.failedPulls ?? Number.POSITIVE_INFINITY)) {
        const took = `${Math.round(seconds * 1000)}ms`;
        const text = `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${imageBytes} bytes.`;
        stage.event('Normal', 'Pulled', text);
        imageID = imageIdOf(image);
        return;
      }
      failedPulls += 1;
      const failure = pullFailure(image, pullError);
      stage.event('Warning', 'Failed', `Failed to pull image "${image}": ${failure}`);
      stage.event('Warning', 'Failed', 'Error: ErrImagePull');
      await waitingFor('ErrImagePull', failure);
      await stage.wait(syncSeconds);
      stage.event('Normal', 'BackOff', `Back-off pulling image "${image}"`);
      stage.event('Warning', 'Failed', 'Error: ImagePullBackOff');
      await waitingFor('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${failure}`);
      await stage.wait(delaySeconds - syncSeconds);
    }
  }

  async function configure(): Promise<void> {
    for (;;) {
      const problem = await configurationProblem(api, stage.pod(), container);
      if (problem === undefined) return;
      stage.event('Warning', 'Failed', `Error: ${problem}`);
      await waitingFor('CreateContainerConfigError', problem);
      await stage.wait(retrySeconds);
    }
  }

  function startLog(script: ContainerScript): void {
    previous = current;
    const lines = script.log ?? [];
    current = lines.map((text) => ({ at: clock.now(), text: text.replaceAll('{run}', String(restartCount + 1)) }));
  }

  /** Resolves with the end of the run, as the runtime reports it; stays until stopped when the script has no end. */
  async function run(): Promise<Terminated> {
    const script = stage.script();
    stage.event('Normal', 'Created', 'Container created');
    stage.event('Normal', 'Started', 'Container started');
    startLog(script);
    const startedAt = timestamp(clock.now());
    const { exit } = script;
    const endsNow = exit !== undefined && ends < (script.exits ?? Number.POSITIVE_INFINITY);
    const lifeSeconds = endsNow ? exit.afterSeconds : Number.POSITIVE_INFINITY;
    const readySeconds =
      script.readyAfterSeconds === 'never' ? Number.POSITIVE_INFINITY : (script.readyAfterSeconds ?? 0.5);
    await show({ running: { startedAt } }, container.startupProbe === undefined);
    let left = lifeSeconds;
    // An init container has no readiness; a sidecar does.
    if (readySeconds < lifeSeconds && (!isInit || container.restartPolicy === 'Always')) {
      await stage.wait(readySeconds);
      left -= readySeconds;
      ready = true;
      started = true;
      becameReady();
      await stage.post();
    }
    // A probe that fails says so each time; nobody probes what is ready here.
    while (!ready && container.readinessProbe && left > probePeriodSeconds) {
      await stage.wait(probePeriodSeconds);
      left -= probePeriodSeconds;
      stage.event('Warning', 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503');
    }
    await stage.wait(left);
    ends += 1;
    const code = exit?.code ?? 0;
    const message = exit?.message ?? fallbackMessage(container, code, current ?? []);
    return {
      exitCode: code,
      reason: exit?.oom ? 'OOMKilled' : code === 0 ? 'Completed' : 'Error',
      ...(message ? { message } : {}),
      startedAt,
      finishedAt: timestamp(clock.now()),
      containerID: containerID(),
    };
  }

  async function backOff(end: Terminated, endedAt: number): Promise<void> {
    await stage.wait(syncSeconds);
    last = end;
    const remaining = backoff.remaining(endedAt, clock.now());
    if (remaining > 0) {
      const { name: podName, namespace, uid } = stage.pod().metadata;
      const pod = `${podName}_${namespace}(${uid})`;
      stage.event('Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${pod}`);
      await waitingFor(
        'CrashLoopBackOff',
        `back-off ${backoff.length()} restarting failed container=${name} pod=${pod}`,
      );
      await stage.wait(remaining / 1000);
    }
    backoff.next(endedAt, clock.now());
  }

  return {
    name,
    ready: readyPromise,
    status: () => ({
      name,
      state,
      lastState: last ? { terminated: last } : {},
      ready: ready || (isInit && state.terminated?.exitCode === 0),
      started,
      restartCount,
      image,
      imageID,
      ...(current ? { containerID: containerID() } : {}),
    }),
    logs: () => ({ current, previous }),
    async play() {
      for (;;) {
        await pull();
        await configure();
        const end = await run();
        await show({ terminated: end });
        if (!restarts(container, stage.pod(), isInit, end.exitCode)) return end.exitCode === 0;
        await backOff(end, clock.now());
        restartCount += 1;
      }
    },
    terminate() {
      if (!state.running) return;
      const { startedAt } = state.running;
      const ended = {
        exitCode: 0,
        reason: 'Completed',
        startedAt,
        finishedAt: timestamp(clock.now()),
        containerID: containerID(),
      };
      state = { terminated: ended };
      ready = false;
      started = false;
    },
  };
}

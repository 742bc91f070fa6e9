import { shortHash } from '../../src/model/hash.ts';
import { timestamp } from '../object.ts';
import type { Container, ContainerStatus, Terminated } from '../shapes.ts';
import { afterReboot, fallbackMessage, imageIdOf, pulledText, restarts } from './container-rules.ts';
import { ContainerRun } from './container-run.ts';
import type { ContainerLogs, ContainerStage } from './container-stage.ts';
import { createCrashBackoff } from './crash-backoff.ts';
import { pullFailure } from './images.ts';
import { configurationProblem } from './references.ts';

/** The kubelet looks at a Pod that cannot start again after this long (backOffPeriod). */
const retrySeconds = 10;
/** How long an ended container is seen as terminated before the next sync does something about it. */
const syncSeconds = 1;

/** One container of a Pod. */
export class ContainerPlayer {
  readonly name: string;
  /** Resolves when the container runs and is ready: what a sidecar's successors wait for. */
  readonly ready: Promise<void>;
  readonly #stage: ContainerStage;
  readonly #container: Container;
  readonly #isInit: boolean;
  readonly #becameReady: () => void;
  readonly #backoff = createCrashBackoff();
  #state: ContainerStatus['state'];
  #last: Terminated | undefined;
  #isReady = false;
  #started = false;
  #restartCount: number;
  #imageID = '';
  #failedPulls = 0;
  #ends = 0;
  #running: ContainerRun | undefined;
  #logs: ContainerLogs = { current: undefined, previous: undefined };

  /** A container that has not begun. `earlier`: what the API knows of it from before this kubelet started. */
  constructor(stage: ContainerStage, container: Container, isInit: boolean, earlier: ContainerStatus | undefined) {
    const ran = earlier?.state.running ?? earlier?.state.terminated ?? earlier?.lastState.terminated;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.name = container.name;
    this.ready = promise;
    this.#becameReady = resolve;
    this.#stage = stage;
    this.#container = container;
    this.#isInit = isInit;
    const waitsForInit = (stage.pod().spec.initContainers ?? []).length > 0;
    this.#state = { waiting: { reason: waitsForInit ? 'PodInitializing' : 'ContainerCreating' } };
    this.#last = afterReboot(earlier, stage.clock.now());
    this.#restartCount = ran ? (earlier?.restartCount ?? 0) + 1 : 0;
  }

  /** As the API has it in the Pod's status. */
  status(): ContainerStatus {
    return {
      name: this.name,
      state: this.#state,
      lastState: this.#last ? { terminated: this.#last } : {},
      ready: this.#isReady || (this.#isInit && this.#state.terminated?.exitCode === 0),
      started: this.#started,
      restartCount: this.#restartCount,
      image: this.#container.image,
      imageID: this.#imageID,
      ...(this.#logs.current && { containerID: this.#containerID() }),
    };
  }

  logs(): ContainerLogs {
    return this.#logs;
  }

  /** Plays until the container has ended for good; resolves with whether it succeeded. Rejects when the Pod is stopped. */
  async play(): Promise<boolean> {
    for (;;) {
      await this.#pull();
      await this.#configure();
      const end = await this.#run();
      await this.#show({ terminated: end });
      if (!restarts(this.#container, this.#stage.pod(), this.#isInit, end.exitCode)) return end.exitCode === 0;
      await this.#backOff(end, this.#stage.clock.now());
      this.#restartCount += 1;
    }
  }

  /** If it runs, it does what its script says now. */
  reread(): void {
    this.#running?.reread();
  }

  /** Ends a running container because its Pod goes. */
  terminate(): void {
    if (this.#state.running) this.#setState({ terminated: this.#ended(this.#state.running.startedAt, 0, 'Completed') });
  }

  /** No state begins ready. */
  #setState(next: ContainerStatus['state'], isStarted = false): void {
    this.#state = next;
    this.#isReady = false;
    this.#started = isStarted;
  }

  async #show(next: ContainerStatus['state'], isStarted = false): Promise<void> {
    this.#setState(next, isStarted);
    await this.#stage.post();
  }

  #waitFor(reason: string, message?: string): Promise<void> {
    return this.#show({ waiting: { reason, ...(message && { message }) } });
  }

  #containerID(): string {
    const { uid } = this.#stage.pod().metadata;
    return `containerd://${shortHash([uid, this.name, this.#restartCount], 64)}`;
  }

  async #pull(): Promise<void> {
    const { event } = this.#stage;
    const { image, imagePullPolicy } = this.#container;
    if (this.#imageID && imagePullPolicy !== 'Always') {
      const text = `Container image "${image}" already present on machine and can be accessed by the pod`;
      event('Normal', 'Pulled', text);
      return;
    }
    for (let delaySeconds = retrySeconds; ; delaySeconds = Math.min(300, delaySeconds * 2)) {
      const failure = await this.#tryPull(image);
      if (failure === undefined) return;
      event('Warning', 'Failed', `Failed to pull image "${image}": ${failure}`);
      event('Warning', 'Failed', 'Error: ErrImagePull');
      await this.#waitFor('ErrImagePull', failure);
      await this.#stage.wait(syncSeconds);
      event('Normal', 'BackOff', `Back-off pulling image "${image}"`);
      event('Warning', 'Failed', 'Error: ImagePullBackOff');
      await this.#waitFor('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${failure}`);
      await this.#stage.wait(delaySeconds - syncSeconds);
    }
  }

  /** Pulls once; why it failed, if it did. */
  async #tryPull(image: string): Promise<string | undefined> {
    const { event, wait, script } = this.#stage;
    const { pullSeconds: seconds = 0.3, pullError, failedPulls = Number.POSITIVE_INFINITY } = script();
    event('Normal', 'Pulling', `Pulling image "${image}"`);
    await wait(seconds);
    if (pullError !== undefined && this.#failedPulls < failedPulls) {
      this.#failedPulls += 1;
      return pullFailure(image, pullError);
    }
    event('Normal', 'Pulled', pulledText(image, seconds));
    this.#imageID = imageIdOf(image);
    return undefined;
  }

  async #configure(): Promise<void> {
    const { api, pod, event, wait } = this.#stage;
    for (;;) {
      const problem = await configurationProblem(api, pod(), this.#container);
      if (problem === undefined) return;
      event('Warning', 'Failed', `Error: ${problem}`);
      await this.#waitFor('CreateContainerConfigError', problem);
      await wait(retrySeconds);
    }
  }

  #startLog(lines: readonly string[] = []): void {
    this.#logs = { current: [], previous: this.#logs.current };
    this.#print(lines);
  }

  #print(lines: readonly string[] = []): void {
    const at = this.#stage.clock.now();
    const run = String(this.#restartCount + 1);
    const printed = lines.map((text) => ({ at, text: text.replaceAll('{run}', run) }));
    this.#logs = { ...this.#logs, current: [...(this.#logs.current ?? []), ...printed] };
  }

  /** Resolves with the end of the run, as the runtime reports it; stays until stopped when the script has no end. */
  async #run(): Promise<Terminated> {
    const { event, clock, script } = this.#stage;
    const scripted = script();
    event('Normal', 'Created', 'Container created');
    event('Normal', 'Started', 'Container started');
    this.#startLog(scripted.log);
    const startedAt = timestamp(clock.now());
    await this.#show({ running: { startedAt } }, this.#container.startupProbe === undefined);
    const listener = { ready: (isReady: boolean) => this.#showReady(isReady), print: this.#print.bind(this) };
    this.#running = new ContainerRun(this.#stage, this.#container, this.#isInit, listener);
    const { isKilled, exit } = await this.#running.end(scripted, this.#ends);
    this.#running = undefined;
    this.#ends += 1;
    if (isKilled) return this.#ended(startedAt, 137, 'Error');
    const code = exit?.code ?? 0;
    const reason = exit?.oom ? 'OOMKilled' : code === 0 ? 'Completed' : 'Error';
    const message = exit?.message ?? fallbackMessage(this.#container, code, this.#logs.current ?? []);
    return this.#ended(startedAt, code, reason, message);
  }

  async #showReady(isReady: boolean): Promise<void> {
    this.#isReady = isReady;
    this.#started = true;
    if (isReady) this.#becameReady();
    await this.#stage.post();
  }

  #ended(startedAt: string, exitCode: number, reason: string, message?: string): Terminated {
    const finishedAt = timestamp(this.#stage.clock.now());
    return {
      exitCode,
      reason,
      ...(message && { message }),
      startedAt,
      finishedAt,
      containerID: this.#containerID(),
    };
  }

  async #backOff(end: Terminated, endedAt: number): Promise<void> {
    const { event, wait, clock } = this.#stage;
    await wait(syncSeconds);
    this.#last = end;
    const remaining = this.#backoff.remaining(endedAt, clock.now());
    if (remaining > 0) {
      const { name: podName, namespace, uid } = this.#stage.pod().metadata;
      const pod = `${podName}_${namespace}(${uid})`;
      const length = this.#backoff.length();
      event('Warning', 'BackOff', `Back-off restarting failed container ${this.name} in pod ${pod}`);
      await this.#waitFor('CrashLoopBackOff', `back-off ${length} restarting failed container=${this.name} pod=${pod}`);
      await wait(remaining / 1000);
    }
    this.#backoff.next(endedAt, clock.now());
  }
}

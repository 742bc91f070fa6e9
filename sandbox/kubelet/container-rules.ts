import { shortHash } from '../../src/model/hash.ts';
import { timestamp } from '../object.ts';
import type { Container, ContainerStatus, Pod, Terminated } from '../shapes.ts';
import type { LogLine } from './log-server.ts';

/** What the runtime calls an image it has pulled: the same digest for the same image. */
export const imageIdOf = (image: string): string =>
  `${image.replace(/[:@][^/]*$/, '')}@sha256:${shortHash([image], 64)}`;

/** 20 MB: the event text wants a size. */
const imageBytes = 20_971_520;

/** What the kubelet tells of an image that came. */
export function pulledText(image: string, seconds: number): string {
  const took = `${Math.round(seconds * 1000)}ms`;
  return `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${imageBytes} bytes.`;
}

/** Whether a container that ended so is started again. */
export function restarts(container: Container, pod: Pod, isInit: boolean, exitCode: number): boolean {
  const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  const sidecar = isInit && container.restartPolicy === 'Always';
  if (isInit && !sidecar) return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** What a container that ran before its machine was lost looks like afterwards. */
export function afterReboot(earlier: ContainerStatus | undefined, now: number): Terminated | undefined {
  const running = earlier?.state.running;
  if (!running) return earlier?.state.terminated ?? earlier?.lastState.terminated;
  return { exitCode: 255, reason: 'Unknown', startedAt: running.startedAt, finishedAt: timestamp(now) };
}

/** `terminationMessagePolicy: FallbackToLogsOnError`: the end of the log, 80 lines and 2048 bytes at most. */
export function fallbackMessage(container: Container, exitCode: number, log: readonly LogLine[]): string {
  if (container.terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0) return '';
  const text = log
    .slice(-80)
    .map((line) => `${line.text}\n`)
    .join('');
  return text.slice(-2048);
}

import { type Fields, fieldsOf, given, listOf, messageOf, numberOf, tailOf, textOf, timeOf } from '../fields.ts';
import type { ContainerState, PodView, Termination } from '../projection.ts';
import { conditionsOf, metaOf, mirrorAnnotation } from './meta.ts';
import { podTemplate } from './pod-template.ts';

function terminationOf(value: unknown): Termination | undefined {
  if (value === undefined || value === null) return undefined;
  const state = fieldsOf(value);
  const signal = numberOf(state.signal);
  return {
    exitCode: numberOf(state.exitCode) ?? 0,
    reason: textOf(state.reason) ?? '',
    ...given({
      signal: signal === 0 ? undefined : signal,
      message: tailOf(state.message),
      startedAt: runtimeTime(state.startedAt),
      finishedAt: runtimeTime(state.finishedAt),
    }),
  };
}

/** A container that never ran has the epoch as its times. */
function runtimeTime(value: unknown): number | undefined {
  const time = timeOf(value);
  return time === undefined || time <= 0 ? undefined : time;
}

function containerState(status: Fields): ContainerState {
  const state = fieldsOf(status.state);
  const waiting = state.waiting;
  const running = state.running;
  const started = status.started;
  return {
    name: textOf(status.name) ?? '',
    ready: status.ready === true,
    restarts: numberOf(status.restartCount) ?? 0,
    image: textOf(status.image) ?? '',
    ...given({
      started: typeof started === 'boolean' ? started : undefined,
      waiting:
        waiting === undefined || waiting === null
          ? undefined
          : {
              reason: textOf(fieldsOf(waiting).reason) ?? '',
              message: messageOf(fieldsOf(waiting).message),
            },
      running:
        running === undefined || running === null
          ? undefined
          : { startedAt: runtimeTime(fieldsOf(running).startedAt) ?? 0 },
      terminated: terminationOf(state.terminated),
      last: terminationOf(fieldsOf(status.lastState).terminated),
    }),
  };
}

const phases = ['Pending', 'Running', 'Succeeded', 'Failed'] as const;

/** core/v1 Pod, as its view; what siblings share is found when it is stored (`pods.ts`). */
export function projectPod(raw: Fields): PodView {
  const meta = metaOf('Pod', raw);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  return {
    ...meta,
    kind: 'Pod',
    template: podTemplate(spec, textOf(fieldsOf(raw.metadata).name)),
    phase: phases.find((phase) => phase === status.phase) ?? (status.phase === 'Unknown' ? 'Unknown' : 'Pending'),
    conditions: conditionsOf(raw, meta.createdAt),
    containers: [...listOf(status.initContainerStatuses), ...listOf(status.containerStatuses)].map(containerState),
    mirror: meta.annotations?.[mirrorAnnotation] !== undefined,
    ...given({
      node: textOf(spec.nodeName),
      reason: textOf(status.reason),
      message: messageOf(status.message) || undefined,
      startedAt: timeOf(status.startTime),
    }),
  };
}

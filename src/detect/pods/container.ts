import { describeRef, namespaceOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import {
  type Container,
  containerFacts,
  eachContainer,
  facet,
  isInit,
  judgesPods,
  podExemptions,
  runLengthMs,
} from '../kit/containers.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { missingForContainer } from '../kit/missing.ts';
import { missingSeconds } from '../starts/mount-problem.ts';

const createContainerConfigError = detector({
  ...judgesPods,
  id: 'P8',
  reasons: [{ reason: 'CreateContainerConfigError', family: 'config', sure: 'high' }],
  severity: 'high',
  forSeconds: missingSeconds,
  settle: 'conclusive',
  source: 'core/v1 ContainerStateWaiting.reason CreateContainerConfigError; the missing object or key from its message',
  predicate:
    'a container cannot be made from its configuration for 30 s, mostly because a Secret, ConfigMap or key is missing',
  clears: 'the container leaves the state',
  symptom: 'start',
  patience: '30 s: people apply the Secret just after the Pod',
  isNot: 'a Secret or ConfigMap that comes a moment later; a reference that is optional',
  judge: (pod, world) =>
    eachContainer(pod, (container) => {
      const { waiting, name } = container.state;
      if (waiting?.reason !== 'CreateContainerConfigError') return false;
      return {
        scope: name,
        since: world.since(pod.ref, facet(container, 'waiting/CreateContainerConfigError')),
        detail: waiting.message,
        ...configProblem(pod, container, waiting.message),
      };
    }),
});

function configProblem(pod: PodView, container: Container, text: string): Omit<Problem, 'since'> {
  const missing = missingForContainer(text, namespaceOf(pod.ref));
  const facts = containerFacts(pod, container);
  if (!missing) {
    // The kubelet's caches were not filled in time: it tries again.
    const passes = /failed to sync (?:secret|configmap) cache|not registered/.test(text);
    return { settle: passes ? 'waits' : 'conclusive', facts };
  }
  const { ref, key } = missing;
  return {
    facts: { ...facts, missing: describeRef(ref), ...given({ missingKey: key }) },
    names: [ref],
  };
}

const createContainerError = detector({
  ...judgesPods,
  id: 'P9',
  reasons: [{ reason: 'CreateContainerError', family: 'config', sure: 'likely' }],
  severity: 'high',
  // After a restart of the runtime names are in use for a moment.
  forSeconds: 60,
  source: 'core/v1 ContainerStateWaiting.reason CreateContainerError',
  predicate: 'the runtime cannot create a container for 60 s',
  clears: 'the container leaves the state',
  symptom: 'start',
  patience: '60 s: after a restart of the runtime names are in use for a moment',
  isNot: 'a runtime that restarts',
  judge: (pod, world) =>
    eachContainer(pod, (container) => {
      const { waiting, name } = container.state;
      if (waiting?.reason !== 'CreateContainerError') return false;
      return {
        scope: name,
        since: world.since(pod.ref, facet(container, 'waiting/CreateContainerError')),
        facts: containerFacts(pod, container),
        detail: waiting.message,
      };
    }),
});

const initContainerWaiting = detector({
  ...judgesPods,
  id: 'P14',
  reasons: [{ reason: 'InitContainerWaiting', family: 'start', sure: 'unknown' }],
  severity: 'medium',
  forSeconds: 900,
  source: 'core/v1 PodStatus.initContainerStatuses[].state.running.startedAt',
  predicate: 'an init container runs for 15 min',
  clears: 'it ends',
  symptom: 'start',
  patience:
    '15 min: migrations and downloads take their time, also those of Jobs, of which nothing else shows while they wait',
  isNot: 'a sidecar, which is meant to run on',
  judge: (pod) =>
    eachContainer(pod, (container) => {
      const { running, name } = container.state;
      if (!isInit(container) || !running) return false;
      return {
        scope: name,
        since: running.startedAt,
        facts: containerFacts(pod, container),
      };
    }),
});

const startupProbeFailed = detector({
  ...judgesPods,
  id: 'P21',
  reasons: [{ reason: 'StartupProbeFailed', family: 'run', sure: 'likely' }],
  severity: 'high',
  exemptions: [...podExemptions, 'job'],
  source:
    'core/v1 ContainerStatus.started; Container.startupProbe initialDelaySeconds, periodSeconds, failureThreshold',
  predicate: 'a container has not started by the end of its startup probe, or was killed for that and starts again',
  clears: 'it has started',
  symptom: 'restart',
  patience: 'as long as the startup probe itself allows',
  isNot: 'a container that starts slowly within the time it asked for',
  judge: (pod, world) =>
    eachContainer(pod, (container) => {
      const { running, last, name, started } = container.state;
      const budgetSeconds = container.template?.startupBudgetSeconds;
      if (!running || started !== false || budgetSeconds === undefined) return false;
      const ranMs = last && runLengthMs(last);
      // The kubelet kills at the end of the budget; the process may take its grace period to go.
      const killed = ranMs !== undefined && ranMs >= budgetSeconds * 1000 && ranMs <= (budgetSeconds + 45) * 1000;
      return {
        scope: name,
        since: killed ? world.since(pod.ref, facet(container, 'crashing')) : running.startedAt,
        forSeconds: killed ? 0 : budgetSeconds,
        facts: { ...containerFacts(pod, container), startupBudgetSeconds: budgetSeconds },
      };
    }),
});

/** Containers that do not get to run, in the order of the catalogue. */
export const containerDetectors: readonly Detector[] = [
  createContainerConfigError,
  createContainerError,
  initContainerWaiting,
  startupProbeFailed,
];

import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Severity } from './transcript.ts';

/** How the one container of a Pod fails. */
export type Failure = 'CrashLoopBackOff' | 'ImagePullBackOff' | 'CreateContainerConfigError';

/** How bad each of these failures of a Pod by itself is taken to be, where no override says otherwise. */
export const usualSeverity: Severity = 'high';

/** A Pod (`namespace/name`) that fails. `since`: epoch milliseconds. */
export type Trouble = {
  readonly name: `${string}/${string}`;
  readonly failure: Failure;
  readonly severity: Severity;
  readonly since: number;
};

const messages: Readonly<Record<Failure, string>> = {
  CrashLoopBackOff: 'back-off 2m40s restarting failed container',
  ImagePullBackOff: 'Back-off pulling image "r/api:1"',
  CreateContainerConfigError: 'container has runAsNonRoot and image will run as root',
};

const iso = (instant: number): string => new Date(instant).toISOString();

/** The Pod of a trouble as the API server shows it: by itself, so that it is the root of its own incident. */
export function podOf({ name, failure, since }: Trouble): RawObject {
  const [namespace = '', pod = ''] = name.split('/');
  const app = { name: 'app', image: 'r/api:1', imageID: '', ready: false };
  const crashed = failure === 'CrashLoopBackOff';
  const times = { startedAt: iso(since - 3_000), finishedAt: iso(since - 1_000) };
  const last = crashed ? { lastState: { terminated: { exitCode: 1, reason: 'Error', ...times } } } : {};
  const state = { waiting: { reason: failure, message: messages[failure] } };
  const created = crashed ? since - 600_000 : since - 5_000;
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: pod, namespace, uid: `${name} ${since}`, creationTimestamp: iso(created) },
    spec: { nodeName: `node-of-${pod}`, containers: [{ name: 'app', image: 'r/api:1' }] },
    status: {
      phase: crashed ? 'Running' : 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: iso(created) },
        { type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: iso(since) },
      ],
      containerStatuses: [{ ...app, restartCount: crashed ? 5 : 0, ...last, state }],
    },
  };
}

import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, condition, cronJob, ended, job, pod, stamp, status } from '../../world/objects.ts';
import { long, lostNode, type Proof, type Story, twoNodes } from '../proof.ts';

const taken = condition('DisruptionTarget', 'True', at(6), 'DeletionByTaintManager');
const gaveUp = condition(
  'Failed',
  'True',
  at(6),
  'BackoffLimitExceeded',
  'Job has reached the specified backoff limit',
);

/** The run of a CronJob that began at 0 and has no second attempt. */
const run = (parts: object = {}): RawObject =>
  job('backup-1', {
    ...{ owner: { kind: 'CronJob', name: 'backup', apiVersion: 'batch/v1' }, createdAt: at(0) },
    ...{ status: { startTime: stamp(at(0)), active: 1 }, ...parts },
  });
const podOfRun = (parts: object = {}): RawObject =>
  pod('backup-1-x', {
    ...{ owner: { kind: 'Job', name: 'backup-1', apiVersion: 'batch/v1' }, createdAt: at(0), node: 'n1' },
    ...{ statuses: [status('api', { state: { running: { startedAt: stamp(at(0)) } } })], ...parts },
  });

/** The node n1 is lost at 1; the Pod of the run ends as it is said, and the run has failed. */
const story =
  (end: object): Story['tell'] =>
  (k8s) => {
    const due = cronJob('backup', {
      createdAt: long,
      status: { lastScheduleTime: stamp(at(0)), active: [{ name: 'backup-1' }] },
    });
    k8s.put(long, ...twoNodes, cronJob('backup', { createdAt: long }));
    k8s.wait(at(0));
    k8s.put(at(0), due, run(), podOfRun());
    k8s.put(at(1), lostNode(at(1)));
    k8s.put(at(6), podOfRun(end), run({ conditions: [gaveUp], status: { startTime: stamp(at(0)), failed: 1 } }));
    k8s.put(at(6), cronJob('backup', { createdAt: long, status: { lastScheduleTime: stamp(at(0)) } }));
    k8s.wait(at(8));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'the Pod of a run is lost with its Node, and the run has no second attempt',
    tell: story({ conditions: [taken], deletionAt: at(6, 30) }),
    told: ['Node//n1 NodeUnreachable 2'],
  },
  not: {
    what: 'the Pod of a run failed by itself while its Node is lost',
    tell: story({ phase: 'Failed', statuses: [status('api', { ready: false, state: ended(at(0), at(5), 3) })] }),
    told: ['CronJob/shop/backup CronJobFailing 1', 'Node//n1 NodeUnreachable 1'],
  },
};

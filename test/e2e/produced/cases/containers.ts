import { type ProducedCase, produced } from '../case.ts';
import type { Hands } from '../hands.ts';
import { turned, waitingFor, writeStatus } from '../kubelet-status.ts';
import { type PodPart, pod, workload } from '../manifests.ts';

const waiting = 'status.containerStatuses.app.state.waiting.reason';

/** A Pod bound to a Node of its own whose machine is stopped, so that its status can be written. */
async function onStoppedNode(
  { addNode, apply, onOwnNodes, some }: Hands,
  until: Hands['until'],
  part: PodPart = {},
): Promise<void> {
  const node = await addNode('n1');
  node.stop();
  await apply(pod('api', { ...part, pod: { ...onOwnNodes, ...part.pod } }));
  await until('the Pod is placed', () => some('Pod', 'status.conditions.PodScheduled.status', 'True'));
}

/** A state of a container that only a kubelet with a real runtime comes to. */
function stateCase(
  id: string,
  reason: ProducedCase['reason'],
  message: string,
  rest: Partial<ProducedCase> = {},
): ProducedCase {
  return produced({
    ...{ id, reason },
    subject: (ns) => `Pod/${ns}/api`,
    async produce(hands) {
      await onStoppedNode(hands, hands.until);
      await writeStatus(hands, 'Pod', 'api', waitingFor(reason, message));
    },
    settled: ({ some }) => some('Pod', waiting, reason),
    withinSeconds: 90,
    ...rest,
  });
}

/** Containers that cannot be made, pulled, started or kept running. */
export const cases = [
  produced({
    id: 'P5',
    reason: 'StartError',
    subject: (ns) => `Pod/${ns}/api-*`,
    produce: ({ apply }) =>
      apply(
        workload('Deployment', 'api', {
          script: { exit: { afterSeconds: 0, code: 127, message: 'exec: "serve": not found' } },
        }),
      ),
    settled: ({ some }) => some('Pod', 'status.containerStatuses.app.lastState.terminated.exitCode', 127),
    withinSeconds: 30,
  }),
  produced({
    id: 'P6',
    reason: 'ImagePullDenied',
    subject: (ns) => `Pod/${ns}/api`,
    produce: ({ apply }) =>
      apply(
        pod('api', {
          script: {
            pullError:
              'unexpected status from HEAD request to https://registry.example/v2/app/manifests/1.0: 401 Unauthorized',
          },
        }),
      ),
    settled: ({ some }) => some('Pod', waiting, 'ImagePullBackOff'),
    withinSeconds: 60,
  }),
  produced({
    id: 'P6',
    reason: 'RegistryUnreachable',
    what: 'two workloads cannot pull',
    subject: () => 'Registry//registry.example',
    async produce({ apply }) {
      for (const name of ['api', 'web'])
        await apply(workload('Deployment', name, { script: { pullError: 'RegistryUnreachable' } }));
    },
    settled: async ({ list }) => {
      const waits = (await list('Pod')).filter((each) => JSON.stringify(each).includes('ImagePullBackOff'));
      return waits.length === 2;
    },
    also: ['ImagePullBackOff', 'DeploymentUnavailable'],
    withinSeconds: 80,
  }),
  stateCase(
    'P7',
    'InvalidImageName',
    'Failed to apply default image tag "a b": couldn’t parse image name "a b": invalid reference format',
  ),
  stateCase(
    'P7',
    'ErrImageNeverPull',
    'Container image "registry.example/app:1.0" is not present with pull policy of Never',
  ),
  stateCase('P9', 'CreateContainerError', 'context deadline exceeded'),
  produced({
    id: 'P8',
    reason: 'SecretMissing',
    subject: (ns) => `Secret/${ns}/token`,
    async produce({ apply }) {
      const env = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } }];
      await apply(workload('Deployment', 'api', { container: { env } }));
    },
    settled: ({ some }) => some('Pod', waiting, 'CreateContainerConfigError'),
    also: ['CreateContainerConfigError', 'DeploymentUnavailable'],
    withinSeconds: 60,
  }),
  produced({
    id: 'P13',
    reason: 'InitContainerError',
    subject: (ns) => `Pod/${ns}/api`,
    async produce({ apply }) {
      const initContainers = [{ name: 'migrate', image: 'registry.example/migrate:1.0' }];
      const script = { containers: { migrate: { exit: { afterSeconds: 1, code: 3 } } } };
      await apply(pod('api', { script, pod: { initContainers, restartPolicy: 'Never' } }));
    },
    settled: ({ some }) => some('Pod', 'status.phase', 'Failed'),
    withinSeconds: 30,
  }),
  produced({
    id: 'P14',
    reason: 'InitContainerWaiting',
    subject: (ns) => `Pod/${ns}/api`,
    produce: ({ apply }) =>
      apply(pod('api', { pod: { initContainers: [{ name: 'wait', image: 'registry.example/wait:1.0' }] } })),
    settled: async ({ read }) => Boolean(await read('Pod', 'api', 'status.initContainerStatuses.wait.state.running')),
    withinSeconds: 1_000,
    quietBeforeSeconds: 900,
  }),
  produced({
    id: 'P23',
    reason: 'PodFailed',
    subject: (ns) => `Pod/${ns}/once`,
    produce: ({ apply }) =>
      apply(pod('once', { script: { exit: { afterSeconds: 1, code: 2 } }, pod: { restartPolicy: 'Never' } })),
    settled: ({ some }) => some('Pod', 'status.phase', 'Failed'),
    withinSeconds: 60,
  }),
  produced({
    id: 'P27',
    reason: 'PodStuckTerminating',
    what: 'a finalizer that nobody takes off',
    subject: (ns) => `Pod/${ns}/api`,
    async produce({ apply, some, until, remove, patch, afterwards }) {
      const api = pod('api', { pod: { terminationGracePeriodSeconds: 1 } });
      await apply({ ...api, metadata: { ...api.metadata, finalizers: ['example.com/hold'] } });
      await until('it runs', () => some('Pod', 'status.phase', 'Running'));
      await remove('Pod', 'api');
      afterwards(() => patch('Pod', 'api', { metadata: { finalizers: null } }));
    },
    settled: async ({ read }) => Boolean(await read('Pod', 'api', 'metadata.deletionTimestamp')),
    withinSeconds: 400,
    quietBeforeSeconds: 290,
  }),
  produced({
    id: 'P28',
    reason: 'PodStatusUnknown',
    subject: (ns) => `Pod/${ns}/api`,
    async produce(hands) {
      await onStoppedNode(hands, hands.until);
      await writeStatus(hands, 'Pod', 'api', {
        phase: 'Unknown',
        conditions: [turned('Ready', 'False', 'ContainerStatusUnknown')],
      });
    },
    settled: ({ some }) => some('Pod', 'status.phase', 'Unknown'),
    withinSeconds: 400,
  }),
];

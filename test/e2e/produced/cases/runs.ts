import { type ProducedCase, produced } from '../case.ts';
import { eventOn } from '../event-on.ts';
import type { Hands } from '../hands.ts';
import { turned, waitingFor, writeStatus } from '../kubelet-status.ts';
import { type PodPart, pod, workload } from '../manifests.ts';

const onPod = (ns: string): string => `Pod/${ns}/api`;
const waiting = 'status.containerStatuses.app.state.waiting.reason';

/** A Pod on a Node of its own whose machine is stopped, so that its status can be written as its kubelet would. */
async function placed({ addNode, apply, onOwnNodes, some, until }: Hands, part: PodPart = {}): Promise<void> {
  const node = await addNode('n1');
  node.stop();
  await apply(pod('api', { ...part, pod: { ...onOwnNodes, ...part.pod } }));
  await until('the Pod is placed', () => some('Pod', 'status.conditions.PodScheduled.status', 'True'));
}

/** How runs of containers begin and end: probes of their start, hooks, deadlines, and the Secrets they are pulled with. */
export const cases: readonly ProducedCase[] = [
  produced({
    id: 'P21',
    reason: 'StartupProbeFailed',
    subject: onPod,
    async produce({ apply }) {
      const startupProbe = { httpGet: { path: '/started', port: 8080 }, periodSeconds: 5, failureThreshold: 6 };
      await apply(pod('api', { container: { startupProbe }, script: { readyAfterSeconds: 'never' } }));
    },
    settled: ({ some }) => some('Pod', 'status.containerStatuses.app.started', false),
    quietBeforeSeconds: 29,
  }),
  produced({
    id: 'P29',
    reason: 'DeadlineExceeded',
    subject: onPod,
    async produce(hands) {
      await placed(hands, { pod: { activeDeadlineSeconds: 30, restartPolicy: 'Never' } });
      // pkg/kubelet/active_deadline.go
      const [reason, message] = ['DeadlineExceeded', 'Pod was active on the node longer than the specified deadline'];
      const conditions = [turned('Ready', 'False', 'PodFailed')];
      await writeStatus(hands, 'Pod', 'api', { phase: 'Failed', reason, message, conditions });
    },
    settled: ({ some }) => some('Pod', 'status.reason', 'DeadlineExceeded'),
    withinSeconds: 60,
  }),
  produced({
    id: 'P31',
    reason: 'PostStartHookError',
    subject: onPod,
    async produce(hands) {
      const lifecycle = { postStart: { exec: { command: ['/bin/register'] } } };
      await placed(hands, { container: { lifecycle } });
      await writeStatus(
        hands,
        'Pod',
        'api',
        waitingFor('PostStartHookError', 'Exec lifecycle hook ([/bin/register]) failed'),
      );
    },
    settled: ({ some }) => some('Pod', waiting, 'PostStartHookError'),
    quietBeforeSeconds: 59,
  }),
  produced({
    id: 'P8',
    reason: 'SecretMissing',
    what: 'a pull secret, and the registry refuses',
    subject: (ns) => `Secret/${ns}/regcred`,
    async produce({ apply, list, ns, until }) {
      const pullError =
        'unexpected status from HEAD request to https://registry.example/v2/app/manifests/1.0: 401 Unauthorized';
      const imagePullSecrets = [{ name: 'regcred' }];
      await apply(workload('Deployment', 'api', { script: { pullError }, pod: { imagePullSecrets } }));
      await until('it has a Pod', async () => (await list('Pod')).length === 1);
      // pkg/kubelet/kubelet_pods.go, getPullSecretsForPod
      const says =
        'Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.';
      for (const { metadata } of await list('Pod'))
        await apply(
          eventOn(`Pod/${ns}/${metadata.name}`, metadata.uid, 'FailedToRetrieveImagePullSecret', says, 'kubelet'),
        );
    },
    settled: ({ some }) => some('Pod', waiting, 'ImagePullBackOff'),
    also: ['ImagePullDenied', 'DeploymentUnavailable'],
    withinSeconds: 60,
  }),
  produced({
    id: 'P25',
    reason: 'Preempted',
    what: 'two Pods make room for one with priority',
    subject: (ns) => `Deployment/${ns}/batch`,
    async produce({ addNode, apply, onOwnNodes, read, ns, until, remove, afterwards }) {
      await addNode('n1');
      const asks = (cpu: string) => ({ resources: { requests: { cpu } } });
      await apply(
        {
          ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' },
          metadata: { name: `${ns}-high` },
          value: 1000,
        },
        workload('Deployment', 'batch', { container: asks('1500m'), pod: onOwnNodes, spec: { replicas: 2 } }),
      );
      afterwards(() => remove('PriorityClass', `${ns}-high`));
      await until('both are ready', async () => (await read('Deployment', 'batch', 'status.readyReplicas')) === 2);
      await apply(pod('urgent', { container: asks('3500m'), pod: { ...onOwnNodes, priorityClassName: `${ns}-high` } }));
    },
    settled: async ({ read, list }) =>
      (await read('Pod', 'urgent', 'status.phase')) === 'Running' && (await list('Pod')).length === 3,
    also: ['Unschedulable', 'DeploymentUnavailable'],
    withinSeconds: 90,
  }),
  produced({
    id: 'P32',
    reason: 'ExceededGracePeriod',
    subject: (ns) => `Deployment/${ns}/api`,
    async produce(hands) {
      const { addNode, apply, onOwnNodes, read, list, remove, get, until } = hands;
      const node = await addNode('n1');
      const spec = { replicas: 3 };
      await apply(workload('Deployment', 'api', { pod: { ...onOwnNodes, terminationGracePeriodSeconds: 1 }, spec }));
      await until('all are ready', async () => (await read('Deployment', 'api', 'status.readyReplicas')) === 3);
      node.stop();
      for (const { metadata } of await list('Pod')) {
        await remove('Pod', metadata.name);
        // As the kubelet tells of a container that it had to kill: at the end of the grace period.
        const finishedAt = String((await get('Pod', metadata.name))?.metadata.deletionTimestamp);
        const terminated = { exitCode: 137, reason: 'Error', startedAt: finishedAt, finishedAt };
        const container = {
          name: 'app',
          image: 'registry.example/app:1.0',
          imageID: '',
          ready: false,
          restartCount: 0,
        };
        const containerStatuses = [{ ...container, started: false, state: { running: null, terminated } }];
        await writeStatus(hands, 'Pod', metadata.name, { containerStatuses });
      }
    },
    settled: async ({ list }) =>
      (await list('Pod')).filter(({ status }) => JSON.stringify(status).includes('"exitCode":137')).length === 3,
    also: ['DeploymentUnavailable'],
    withinSeconds: 60,
  }),
];

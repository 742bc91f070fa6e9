import { produced } from '../case.ts';
import { eventOn } from '../event-on.ts';
import type { Hands, Manifest } from '../hands.ts';
import { job, template, workload } from '../manifests.ts';

const broken = { container: { image: 'registry.example/app:2.0' }, script: { readyAfterSeconds: 'never' } } as const;
const neverReady = { script: { readyAfterSeconds: 'never' } } as const;

function quota(hard: Readonly<Record<string, string>>): Manifest {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute' }, spec: { hard } };
}

function secret(name: string): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { password: 'guess' } };
}

/** Applied once the quota counts. */
async function applyWithin(hands: Hands, hard: Readonly<Record<string, string>>, ...objects: Manifest[]) {
  await hands.apply(quota(hard));
  await hands.until('the quota counts', () => hands.some('ResourceQuota', 'status.hard', /object/));
  await hands.apply(...objects);
}

const isRunning = ({ some }: Pick<Hands, 'some'>): Promise<boolean> => some('Pod', 'status.phase', 'Running');

const firstCount = { withinSeconds: 1_000, quietBeforeSeconds: 900 };

/** How workloads and quotas stand, as their own controllers write it. */
export const cases = [
  produced({
    ...{ id: 'E2', reason: 'UnusualEvent' },
    what: 'as a controller that is not here writes it',
    subject: (ns) => `Deployment/${ns}/api`,
    async produce({ apply, ns, until, some, get }) {
      await apply(workload('Deployment', 'api'));
      await until('it serves', () => some('Deployment', 'status.readyReplicas', 1));
      const uid = (await get('Deployment', 'api'))?.metadata.uid;
      const event = eventOn(`Deployment/${ns}/api`, uid, 'PortTaken', 'port 8080 is leased to others', 'exposer');
      const about = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: ns, name: 'api', uid };
      await apply({ ...event, involvedObject: about, count: 6 });
    },
    settled: ({ some }) => some('Event', 'reason', 'PortTaken'),
    ...{ withinSeconds: 700, quietBeforeSeconds: 600 },
  }),
  produced({
    ...{ id: 'W4', reason: 'ReplicaSetCreateError' },
    what: 'a quota lets its controller make no ReplicaSet of a release, while the last one serves',
    subject: (ns) => `Deployment/${ns}/api`,
    names: (ns) => `ResourceQuota/${ns}/compute`,
    async produce(hands) {
      await hands.apply(workload('Deployment', 'api'));
      await hands.until('it serves', () => hands.some('Deployment', 'status.readyReplicas', 1));
      await applyWithin(hands, { 'count/replicasets.apps': '1' });
      await hands.apply(workload('Deployment', 'api', { container: { image: 'registry.example/app:2.0' } }));
    },
    settled: ({ some }) => some('Deployment', 'status.conditions.Progressing.reason', 'ReplicaSetCreateError'),
    // So long that nothing else may come of it: its generation is not observed all that time.
    ...{ withinSeconds: 1_200, quietBeforeSeconds: 15 },
    also: ['QuotaExceeded', 'QuotaFullyUsed'],
  }),
  produced({
    ...{ id: 'W4', reason: 'ReplicaSetCreateError' },
    what: 'without a progress deadline, so that an Event alone tells it',
    subject: (ns) => `Deployment/${ns}/api`,
    async produce(hands) {
      const spec = { progressDeadlineSeconds: 2_147_483_647 };
      await applyWithin(hands, { 'count/replicasets.apps': '0' }, workload('Deployment', 'api', { spec }));
    },
    settled: ({ some }) => some('Event', 'reason', 'ReplicaSetCreateError'),
    withinSeconds: 60,
    also: ['QuotaExceeded'],
  }),
  produced({
    ...{ id: 'W5', reason: 'GenerationMismatch' },
    what: 'a quota lets the controller of a StatefulSet write no revision',
    subject: (ns) => `StatefulSet/${ns}/db`,
    async produce(hands) {
      await hands.apply(workload('StatefulSet', 'db'));
      await hands.until('it serves', () => hands.some('StatefulSet', 'status.readyReplicas', 1));
      await applyWithin(hands, { 'count/controllerrevisions.apps': '1' });
      await hands.apply(workload('StatefulSet', 'db', { container: { image: 'registry.example/app:2.0' } }));
    },
    settled: async ({ read }) => (await read('StatefulSet', 'db', 'metadata.generation')) === 2,
    ...firstCount,
    also: ['QuotaFullyUsed'],
  }),
  produced({
    ...{ id: 'W5', reason: 'GenerationMismatch' },
    what: 'a quota lets the controller of a DaemonSet write no revision',
    subject: (ns) => `DaemonSet/${ns}/agent`,
    async produce(hands) {
      const { addNode, apply, until, some, onOwnNodes: pod } = hands;
      await addNode('n1');
      await apply(workload('DaemonSet', 'agent', { pod }));
      await until('it serves', () => some('DaemonSet', 'status.numberReady', 1));
      await applyWithin(hands, { 'count/controllerrevisions.apps': '1' });
      await apply(workload('DaemonSet', 'agent', { pod, container: { image: 'registry.example/app:2.0' } }));
    },
    settled: async ({ read }) => (await read('DaemonSet', 'agent', 'metadata.generation')) === 2,
    ...firstCount,
    also: ['QuotaFullyUsed'],
  }),
  produced({
    ...{ id: 'W8', reason: 'StatefulSetRolloutStuck' },
    what: 'the new revision is never ready',
    subject: (ns) => `StatefulSet/${ns}/db`,
    async produce({ apply, until, some }) {
      await apply(workload('StatefulSet', 'db', { spec: { replicas: 2 } }));
      await until('it serves', () => some('StatefulSet', 'status.readyReplicas', 2));
      await apply(workload('StatefulSet', 'db', { spec: { replicas: 2 }, ...broken }));
    },
    settled: async ({ read }) =>
      (await read('StatefulSet', 'db', 'status.updatedReplicas')) === 1 &&
      (await read('Pod', 'db-1', 'status.containerStatuses.app.state.running')) !== undefined,
    withinSeconds: 700,
    also: ['StatefulSetUnavailable', 'PodNotReady'],
  }),
  produced({
    ...{ id: 'W8', reason: 'StatefulSetRolloutStuck' },
    what: 'it waits in vain for a Pod of a revision that was taken back',
    subject: (ns) => `StatefulSet/${ns}/db`,
    async produce({ apply, until, some }) {
      await apply(workload('StatefulSet', 'db'));
      await until('it serves', () => some('StatefulSet', 'status.readyReplicas', 1));
      await apply(workload('StatefulSet', 'db', broken));
      await until(
        'the bad revision runs',
        async () => (await some('Pod', 'spec.containers.app.image', broken.container.image)) && isRunning({ some }),
      );
      await apply(workload('StatefulSet', 'db', { container: { image: 'registry.example/app:3.0' } }));
    },
    settled: async ({ read }) => (await read('StatefulSet', 'db', 'status.observedGeneration')) === 3,
    withinSeconds: 90,
    quietBeforeSeconds: 60,
    also: ['StatefulSetUnavailable'],
  }),
  produced({
    ...{ id: 'W11', reason: 'DaemonSetRolloutStuck' },
    subject: (ns) => `DaemonSet/${ns}/agent`,
    async produce({ addNode, apply, until, some, onOwnNodes: pod }) {
      await Promise.all([addNode('n1'), addNode('n2')]);
      await apply(workload('DaemonSet', 'agent', { pod }));
      await until('it serves', () => some('DaemonSet', 'status.numberReady', 2));
      await apply(workload('DaemonSet', 'agent', { pod, ...broken }));
    },
    settled: async ({ read, some }) =>
      (await read('DaemonSet', 'agent', 'status.updatedNumberScheduled')) === 1 &&
      some('Pod', 'status.conditions.Ready.status', 'False'),
    withinSeconds: 1_300,
    also: ['DaemonSetUnavailable', 'PodNotReady'],
  }),
  produced({
    ...{ id: 'W12', reason: 'DaemonSetNotScheduled' },
    what: 'a quota lets it make no Pod',
    subject: (ns) => `DaemonSet/${ns}/agent`,
    async produce(hands) {
      await hands.addNode('n1');
      await applyWithin(hands, { pods: '0' }, workload('DaemonSet', 'agent', { pod: hands.onOwnNodes }));
    },
    settled: async ({ read }) => (await read('DaemonSet', 'agent', 'status.desiredNumberScheduled')) === 1,
    ...{ withinSeconds: 700, quietBeforeSeconds: 600 },
    also: ['ReplicaFailure', 'QuotaExceeded', 'DaemonSetUnavailable'],
  }),
  produced({
    ...{ id: 'W13', reason: 'DaemonSetMisScheduled' },
    what: 'its Node is tainted later',
    subject: (ns) => `DaemonSet/${ns}/agent`,
    async produce(hands) {
      const { addNode, apply, until, get, patch, onOwnNodes: pod, ns } = hands;
      await addNode('n1');
      await apply(workload('DaemonSet', 'agent', { pod }));
      await until('its Pod runs', () => isRunning(hands));
      const { taints = [] } = ((await get('Node', `${ns}-n1`))?.spec ?? {}) as { taints?: object[] };
      await patch('Node', `${ns}-n1`, {
        spec: { taints: [...taints, { key: 'team', value: 'db', effect: 'NoSchedule' }] },
      });
      // Its controller counts again when something of the DaemonSet changes.
      await patch('DaemonSet', 'agent', { metadata: { annotations: { team: 'infra' } } });
    },
    settled: ({ some }) => some('DaemonSet', 'status.numberMisscheduled', 1),
    ...{ withinSeconds: 4_000, quietBeforeSeconds: 3_600 },
  }),
  produced({
    ...{ id: 'W14', reason: 'JobFailed' },
    what: 'its policy ends it, and a Pod of it does not go',
    subject: (ns) => `Job/${ns}/import`,
    async produce({ addNode, apply, onOwnNodes, afterwards, list, patch }) {
      await addNode('n1', { pods: 1 });
      const onExitCodes = { operator: 'In', values: [42] };
      const { metadata, ...rest } = template('import', {
        script: { exit: { afterSeconds: 2, code: 42 } },
        pod: { ...onOwnNodes, restartPolicy: 'Never' },
      }) as { metadata: object };
      const held = { ...rest, metadata: { ...metadata, finalizers: ['produced.tocsin.dev/held'] } };
      const podFailurePolicy = { rules: [{ action: 'FailJob', onExitCodes }] };
      await apply(job('import', { spec: { parallelism: 2, podFailurePolicy, template: held } }));
      afterwards(async () => {
        for (const {
          metadata: { name },
        } of await list('Pod'))
          await patch('Pod', name, { metadata: { finalizers: null } });
      });
    },
    settled: async ({ read }) => (await read('Job', 'import', 'status.conditions.FailureTarget.status')) === 'True',
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'W15', reason: 'JobRunningLong' },
    subject: (ns) => `Job/${ns}/import`,
    produce: ({ apply }) => apply(job('import')),
    settled: ({ some }) => some('Job', 'status.ready', 1),
    withinSeconds: 13 * 3_600,
  }),
  produced({
    ...{ id: 'W20', reason: 'CronJobBlocked' },
    subject: (ns) => `CronJob/${ns}/backup`,
    async produce({ apply }) {
      const spec = { schedule: '* * * * *', concurrencyPolicy: 'Forbid' };
      const jobTemplate = { spec: { template: template('backup', { pod: { restartPolicy: 'Never' } }) } };
      await apply({
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'backup' },
        spec: { ...spec, jobTemplate },
      });
    },
    settled: isRunning,
    settleSeconds: 90,
    withinSeconds: 1_200,
  }),
  ...(['Deployment', 'StatefulSet', 'DaemonSet'] as const).map((kind) =>
    produced({
      ...{ id: 'W23', reason: 'WorkloadNeverReady' },
      what: `a ${kind}`,
      subject: (ns) => `${kind}/${ns}/api`,
      produce: async ({ addNode, onOwnNodes, apply }) => {
        await addNode('n1');
        await apply(workload(kind, 'api', { ...neverReady, pod: onOwnNodes }));
      },
      settled: isRunning,
      ...firstCount,
      also: ['PodNotReady', `${kind}Unavailable`],
    }),
  ),
  produced({
    ...{ id: 'G10', reason: 'QuotaFullyUsed' },
    subject: (ns) => `ResourceQuota/${ns}/compute`,
    produce: (hands) => applyWithin(hands, { 'count/secrets': '1' }, secret('a')),
    settled: ({ some }) => some('ResourceQuota', 'status.used.count/secrets', '1'),
    ...firstCount,
  }),
  produced({
    ...{ id: 'G10', reason: 'QuotaOverused' },
    what: 'the quota was lowered',
    subject: (ns) => `ResourceQuota/${ns}/compute`,
    produce: ({ apply }) => apply(secret('a'), secret('b'), quota({ 'count/secrets': '1' })),
    settled: ({ some }) => some('ResourceQuota', 'status.used.count/secrets', '2'),
    ...firstCount,
  }),
  produced({
    ...{ id: 'G10', reason: 'QuotaAlmostFull' },
    subject: (ns) => `ResourceQuota/${ns}/compute`,
    async produce(hands) {
      const resources = { requests: { memory: '95Mi' } };
      await applyWithin(
        hands,
        { 'requests.memory': '100Mi' },
        workload('Deployment', 'api', { container: { resources } }),
      );
    },
    settled: async (hands) =>
      (await hands.some('ResourceQuota', 'status.used', /object/)) &&
      (await hands.read('ResourceQuota', 'compute', 'status.used')) !== undefined &&
      isRunning(hands),
    ...firstCount,
  }),
];

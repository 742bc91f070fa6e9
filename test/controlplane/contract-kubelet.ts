import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PodScript } from '../../sandbox/kubelet/pod-script.ts';
import { type Fields, fieldAt } from '../../sandbox/object.ts';
import type { Pod } from '../../sandbox/shapes.ts';
import type { Chapter } from './contract.ts';
import { eventually } from './environment.ts';
import { conditionOf } from './workbench.ts';
import { deploy, podWith, waitingReason } from './workload-bench.ts';

/** The simulated kubelet's stories, logs through the API server, and the loss of a node. */
export const kubeletContract: Chapter = (bench) => {
  describe('simulated nodes', () => {
    test('a crash is told as a kubelet tells it, and both runs can be read in the log', async () => {
      const script: PodScript = {
        exit: { afterSeconds: 2, code: 3, message: 'lost the database' },
        log: ['run {run}', 'fatal: {run}'],
      };
      const { namespace } = await deploy(bench(), { name: 'crash', script });
      const pod = await podWith(bench(), namespace, 'CrashLoopBackOff', (p) => waitingReason(p) === 'CrashLoopBackOff');
      const status = pod.status.containerStatuses?.[0];
      const where = `pod=${pod.metadata.name}_${namespace}(${pod.metadata.uid})`;
      assert.equal(status?.state.waiting?.message, `back-off 10s restarting failed container=main ${where}`);
      assert.deepEqual([status?.restartCount, status?.ready, pod.status.phase], [1, false, 'Running']);
      const { exitCode, reason, message } = status?.lastState.terminated ?? {};
      assert.deepEqual([exitCode, reason, message], [3, 'Error', 'lost the database']);
      const ready = pod.status.conditions?.find(({ type }) => type === 'Ready');
      assert.deepEqual(
        [ready?.status, ready?.reason, ready?.message],
        ['False', 'ContainersNotReady', 'containers with unready status: [main]'],
      );
      const log = async (query: string): Promise<unknown> =>
        (
          await bench().ask(
            'GET',
            `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/log?container=main${query}`,
          )
        ).body;
      assert.equal(await log('&previous=true'), 'run 1\nfatal: 1\n');
      assert.equal(await log('&tailLines=1'), 'fatal: 2\n');
    });

    test('a missing Secret holds the container until it is there', async () => {
      const env = [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'credentials', key: 'token' } } }];
      const { namespace } = await deploy(bench(), { name: 'config', container: { env } });
      const message = (pod: Pod): string | undefined => pod.status.containerStatuses?.[0]?.state.waiting?.message;
      const held = await podWith(
        bench(),
        namespace,
        'CreateContainerConfigError',
        (p) => waitingReason(p) === 'CreateContainerConfigError',
      );
      assert.deepEqual([message(held), held.status.phase], ['secret "credentials" not found', 'Pending']);
      const secret = `/api/v1/namespaces/${namespace}/secrets`;
      await bench().create(secret, { metadata: { name: 'credentials' }, stringData: { other: 'x' } });
      const text = `couldn't find key token in Secret ${namespace}/credentials`;
      await podWith(bench(), namespace, text, (p) => message(p) === text);
      await bench().patch(`${secret}/credentials`, 'merge', { stringData: { token: 'x' } });
      await podWith(bench(), namespace, 'ready', (p) => p.status.containerStatuses?.[0]?.ready === true);
    });

    test('the log of a container that has not run is refused with 400 and the reason', async () => {
      const { namespace } = await deploy(bench(), { name: 'nolog', script: { pullError: 'Unauthorized' } });
      const pod = await podWith(bench(), namespace, 'ImagePullBackOff', (p) => waitingReason(p) === 'ImagePullBackOff');
      const path = `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/log`;
      const answer = await bench().ask('GET', path);
      const why = `container "main" in pod "${pod.metadata.name}" is waiting to start: trying and failing to pull image`;
      assert.deepEqual(
        [answer.status, fieldAt(answer.body, 'reason'), fieldAt(answer.body, 'message')],
        [400, 'BadRequest', why],
      );
      const previous = await bench().ask('GET', `${path}?previous=true`);
      assert.equal(
        fieldAt(previous.body, 'message'),
        `previous terminated container "main" in pod "${pod.metadata.name}" not found`,
      );
      const other = await bench().ask('GET', `${path}?container=nope`);
      assert.deepEqual(
        [other.status, fieldAt(other.body, 'message')],
        [400, `container nope is not valid for pod ${pod.metadata.name}`],
      );
    });

    test('a lost node turns Unknown, is tainted, and its Pods are not ready; it recovers when it is back', async () => {
      const spec = { nodeSelector: { 'kubernetes.io/hostname': 'n2' } };
      const { namespace } = await deploy(bench(), { name: 'lost', spec });
      const isReady = (pod: Pod): string | undefined =>
        pod.status.conditions?.find(({ type }) => type === 'Ready')?.status;
      await podWith(bench(), namespace, 'ready', (p) => isReady(p) === 'True');
      const node = bench().kubelet.nodes.get('n2');
      node?.stop();
      const lost = await eventually(
        'the node is Unknown and tainted',
        async () => {
          const live = await bench().get('/api/v1/nodes/n2');
          const taints = (fieldAt(live, 'spec', 'taints') ?? []) as Fields[];
          return conditionOf(live, 'Ready')?.status === 'Unknown' && taints.length === 2 ? live : undefined;
        },
        120_000,
      );
      const { reason, message } = conditionOf(lost, 'Ready') ?? {};
      assert.deepEqual([reason, message], ['NodeStatusUnknown', 'Kubelet stopped posting node status.']);
      const taints = (fieldAt(lost, 'spec', 'taints') as Fields[]).map(({ key, effect }) => `${key}:${effect}`);
      assert.deepEqual(taints.sort(), [
        'node.kubernetes.io/unreachable:NoExecute',
        'node.kubernetes.io/unreachable:NoSchedule',
      ]);
      const pod = await podWith(bench(), namespace, 'not ready', (p) => isReady(p) === 'False');
      const condition = pod.status.conditions?.find(({ type }) => type === 'Ready');
      assert.deepEqual([condition?.reason, condition?.message], [undefined, undefined]);
      await node?.start();
      await eventually('the node is back', async () => {
        const live = await bench().get('/api/v1/nodes/n2');
        return conditionOf(live, 'Ready')?.status === 'True' && fieldAt(live, 'spec', 'taints') === undefined
          ? true
          : undefined;
      });
      const again = await podWith(bench(), namespace, 'ready again', (p) => isReady(p) === 'True');
      assert.equal(again.status.containerStatuses?.[0]?.restartCount, 1);
    });
  });
};

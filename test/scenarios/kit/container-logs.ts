import { fieldAt } from '../../../sandbox/object.ts';
import type { ApiClient } from '../../../src/kube/api-client.ts';
import { readLog } from '../../../src/kube/logs.ts';
import type { ContainerLog } from '../../../src/runtime/recording/container-logs.ts';
import { allPods } from './hands.ts';

/** What evidence is read of one container. */
const limits = { tailLines: 30, limitBytes: 16_384, deadlineMs: 5_000 };

/** Logs of every container that has ended or is not ready: what evidence could be asked for. `namespace`: of its Pods alone. */
export async function logsOf(api: ApiClient, namespace?: string): Promise<ContainerLog[]> {
  const logs: ContainerLog[] = [];
  for (const { metadata, status } of await allPods({ api })) {
    const { name = '', namespace: own = '' } = metadata;
    if (namespace !== undefined && own !== namespace) continue;
    for (const { name: container, state, lastState, ready } of [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
    ])
      for (const previous of [true, false]) {
        const ended = fieldAt(lastState, 'terminated') ?? fieldAt(state, 'terminated');
        if (ended === undefined && (ready || previous)) continue;
        const asked = { namespace: own, pod: name, container, previous, ...limits };
        const text = await readLog(api, asked).catch(() => '');
        const lines = text.split('\n').filter((line) => line !== '');
        if (lines.length > 0) logs.push({ pod: `Pod/${own}/${name}`, container, previous, lines });
      }
  }
  return logs;
}

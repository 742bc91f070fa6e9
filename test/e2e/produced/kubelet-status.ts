import type { Hands } from './hands.ts';
import { valueAt } from './value-at.ts';

/** The time as the API writes it. */
const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/**
 * Writes the status of a Pod or a Node as its kubelet would, where the simulated one does not know the condition. Its machine must
 * have been stopped, or it puts that right.
 */
export async function writeStatus(
  { api, ns }: Hands,
  kind: 'Pod' | 'Node',
  name: string,
  status: object,
): Promise<void> {
  await api.json({
    method: 'PATCH',
    path: kind === 'Pod' ? `/api/v1/namespaces/${ns}/pods/${name}/status` : `/api/v1/nodes/${name}/status`,
    body: { status },
    contentType: 'application/strategic-merge-patch+json',
  });
}

/** A condition that has just turned. */
export function turned(type: string, status: 'True' | 'False' | 'Unknown', reason: string, message = ''): object {
  return { type, status, reason, message, lastTransitionTime: now() };
}

/** The same, of a Node: with its heartbeat. */
export function nodeTurned(type: string, status: 'True' | 'False', reason: string, message: string): object {
  return { ...turned(type, status, reason, message), lastHeartbeatTime: now() };
}

/** The status of the container `app` that waits and has never run. */
export function waitingFor(reason: string, message: string): object {
  const container = { name: 'app', image: 'registry.example/app:1.0', imageID: '', ready: false, started: false };
  return {
    phase: 'Pending',
    containerStatuses: [{ ...container, restartCount: 0, state: { waiting: { reason, message } } }],
  };
}

const startedAt = 'status.containerStatuses.app.state.running.startedAt';

/**
 * Lets all Pods of the case be ready, or none of them though all containers run on: in a later second than that of their start, as
 * the API's times are whole seconds.
 */
export async function writeReadiness(hands: Hands, ready: boolean): Promise<void> {
  await hands.until('all containers have run for a moment', async () =>
    (await hands.list('Pod')).every((each) => String(valueAt(each, startedAt)) < now()),
  );
  const conditions = ['Ready', 'ContainersReady'].map((type) =>
    ready
      ? turned(type, 'True', '')
      : turned(type, 'False', 'ContainersNotReady', 'containers with unready status: [app]'),
  );
  for (const each of await hands.list('Pod')) {
    const { containerStatuses = [] } = each.status as { containerStatuses?: readonly object[] };
    const statuses = containerStatuses.map((status) => ({ ...status, ready }));
    await writeStatus(hands, 'Pod', each.metadata.name, { conditions, containerStatuses: statuses });
  }
}

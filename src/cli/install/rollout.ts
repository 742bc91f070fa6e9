import type { ApiClient } from '../../kube/api-client.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { untilAnswered } from '../cluster/until.ts';
import { read } from './apply.ts';
import { definitions } from './objects.ts';
import { pathOf } from './places.ts';

type Condition = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
};

const conditionsOf = ({ status }: RawObject): readonly Condition[] => Object(status).conditions ?? [];

/** Resolves when the API server serves the four kinds; whether it does in time. */
export async function served(client: ApiClient, seconds: number): Promise<boolean> {
  const all = await untilAnswered(async () => {
    const found = await Promise.all(definitions().map((object) => read(client, object)));
    const are = found.every(
      (object) =>
        object && conditionsOf(object).some(({ type, status }) => type === 'Established' && status === 'True'),
    );
    return are || undefined;
  }, seconds);
  return all === true;
}

/** Resolves when the Pod of the Deployment is ready: `undefined`, or why it is not, in time or for good. */
export async function rolledOut(
  client: ApiClient,
  deployment: RawObject,
  seconds: number,
): Promise<string | undefined> {
  const path = pathOf(deployment);
  const pods = { path: path.replace(/\/apis\/apps\/v1(.*)\/deployments\/.*/, '/api/v1$1/pods') };
  let why = 'nothing is known of its Pod yet';
  const end = await untilAnswered(async () => {
    const now = await client.json<RawObject>({ path });
    const { observedGeneration, updatedReplicas = 0, readyReplicas = 0, replicas = 0 } = Object(now.status);
    if (observedGeneration === now.metadata.generation && readyReplicas >= 1 && updatedReplicas === replicas)
      return { ready: true };
    const failure = conditionsOf(now).find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
    const { items } = await client.json<{ readonly items: readonly RawObject[] }>({
      ...pods,
      query: { labelSelector: 'app.kubernetes.io/name=tocsin' },
    });
    why = failure?.message ?? items.map(whyNotReady).find((each) => each !== undefined) ?? why;
    return undefined;
  }, seconds);
  return end ? undefined : why;
}

type ContainerStatus = {
  readonly restartCount?: number;
  readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
};

/** What a Pod says of why it is not ready. */
function whyNotReady(pod: RawObject): string | undefined {
  const { containerStatuses = [] } = Object(pod.status) as { readonly containerStatuses?: readonly ContainerStatus[] };
  for (const { state, restartCount = 0 } of containerStatuses) {
    const { reason, message } = state?.waiting ?? {};
    if (reason !== undefined && reason !== 'ContainerCreating')
      return [reason, message].filter((part) => part !== undefined).join(': ');
    if (restartCount > 0) return `its container has been restarted ${restartCount} times`;
  }
  const failing = conditionsOf(pod).find(({ type, status }) => type !== 'Ready' && status === 'False');
  return failing && `${failing.type} is False: ${failing.message ?? failing.reason ?? ''}`;
}

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import type { Clock } from '../../src/model/clock.ts';

const minuteMs = 60_000;
/** What was made was made so long ago (ms). */
const ageMs = 10 * minuteMs;

/** A past in which a cluster was made, and stands still since. */
const past: Clock = { ...systemClock, now: () => Date.now() - ageMs };

const time = (agoMs: number): string => new Date(Date.now() - agoMs).toISOString().replace(/\.\d+Z$/, 'Z');

/** A Pod of one container in a state. */
export function pod(name: string, namespace: string, state: object, ready: boolean): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: name } },
    spec: { nodeName: 'n1', containers: [{ name: 'app', image: `registry.example/${name}:1.0` }] },
    status: {
      phase: 'Running',
      startTime: time(ageMs),
      conditions: ['Ready', 'ContainersReady'].map((type) => ({
        ...{ type, status: ready ? 'True' : 'False', lastTransitionTime: time(ageMs) },
      })),
      containerStatuses: [
        {
          ...{ name: 'app', image: `registry.example/${name}:1.0`, ready, started: ready, restartCount: ready ? 0 : 6 },
          ...{ state, imageID: '', containerID: 'containerd://1' },
          ...(!ready && {
            lastState: {
              terminated: { exitCode: 1, reason: 'Error', startedAt: time(2 * minuteMs), finishedAt: time(minuteMs) },
            },
          }),
        },
      ],
    },
  };
}

/** The state of a container that crashes. */
export const crashing = {
  waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container' },
};
const running = { running: { startedAt: time(ageMs) } };

/** A namespace. */
export const namespace = (name: string): object => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** A Node that is well. */
export const node: object = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1' },
  status: {
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time(ageMs), lastHeartbeatTime: time(0) }],
  },
};

/** Creates an object and writes its status, which an API server takes from nobody at the creation. */
async function createWhole(sandbox: Sandbox, object: object): Promise<void> {
  const { kind, metadata } = sandbox.objects.create(object);
  if (!('status' in object)) return;
  const { name, namespace: within } = metadata;
  const place = within === undefined ? '' : `/namespaces/${within}`;
  const answer = await fetch(`${sandbox.url}/api/v1${place}/${String(kind).toLowerCase()}s/${name}/status`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status: object.status }),
  });
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
}

/** A cluster that stands still: in `shop` one Pod crashes, one is well, and in `lab` another is well. */
export async function startTown(
  objects: readonly object[] = [
    ...[namespace('shop'), namespace('lab'), node],
    pod('api', 'shop', crashing, false),
    pod('web', 'shop', running, true),
    pod('test', 'lab', running, true),
  ],
  crds: readonly object[] = [],
): Promise<Sandbox & { readonly kubeconfigFile: string }> {
  const sandbox = await startSandbox({ clock: past, controllers: false, crds });
  for (const object of objects) await createWhole(sandbox, object);
  const kubeconfigFile = join(tmpdir(), `tocsin-town-${process.pid}-${new URL(sandbox.url).port}.json`);
  writeFileSync(kubeconfigFile, JSON.stringify(sandbox.kubeconfig), { mode: 0o600 });
  return { ...sandbox, kubeconfigFile };
}

import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { createVirtualClock } from '../../../sandbox/clock.ts';
import type { ContainerScript, PodScript } from '../../../sandbox/kubelet/pod-script.ts';
import { startKubelet } from '../../../sandbox/kubelet.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import type { Pod } from '../../../sandbox/shapes.ts';
import { createApiClient } from '../../../src/kube/client.ts';
import { fixedClusterConfig } from '../../../src/kube/config.ts';
import { systemClock } from '../../../src/kube/system-clock.ts';
import { Secret } from '../../../src/model/secret.ts';
import { startControlPlane } from '../../controlplane/cluster.ts';
import type { Hands } from './hands.ts';
import type { Scenario } from './scenario.ts';

/** A cluster for one story, with simulated machines. */
export type Stage = Omit<Hands, 'restartTocsin'> & { stop(): Promise<void> };

/** Steps of the sandbox's clock: fine enough for a run of one second to be seen; stories of days need no such detail. */
const usualStepMs = 250;
const longStory = { fromMs: 3 * 3_600_000, stepMs: 5_000 };
/** How often requests on loopback may go to and fro within one step; many machines have many Pods to tell of. */
const turnsPerStep = 30;
const manyMachines = { from: 4, turnsPerStep: 250, stepMs: 500 };

/** Each container does what the story says of its image. */
function scriptOf(story: Scenario): (pod: Pod) => PodScript {
  return (pod) => {
    const containers: Record<string, ContainerScript> = {};
    let whole: PodScript = {};
    for (const { name, image } of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
      const behaviour = story.behaviours.get(image) ?? {};
      const script = typeof behaviour === 'function' ? behaviour(pod) : behaviour;
      containers[name] = script;
      const { rejected, heldUp, evicted } = script;
      whole = { ...whole, ...(rejected && { rejected }), ...(heldUp && { heldUp }), ...(evicted && { evicted }) };
      // An init container ends; nobody has to say so.
      const isInit = pod.spec.initContainers?.some((container) => container.name === name) ?? false;
      if (isInit) containers[name] = { exit: { afterSeconds: 1, code: 0 }, ...containers[name] };
    }
    return { ...whole, containers };
  };
}

/** Starts the cluster a story is recorded from. */
export async function startStage(story: Scenario): Promise<Stage> {
  return story.recordedFrom === 'controlplane' ? onControlPlane(story) : onSandbox(story);
}

const complain = (error: unknown): void => console.error('simulated kubelet:', error);

async function onControlPlane(story: Scenario): Promise<Stage> {
  const plane = await startControlPlane();
  const { ca, certificate: cert, key } = plane.admin;
  const config = fixedClusterConfig({ server: plane.url, tls: { ca, cert, key: new Secret(key) } });
  const api = createApiClient(config, { clock: systemClock, version: '0.0.0' });
  const kubelet = await startKubelet({ api, nodes: story.nodes, script: scriptOf(story), onError: complain });
  return {
    api,
    kubelet,
    clock: systemClock,
    pass: (milliseconds) => delay(Math.max(0, milliseconds)),
    stopControllers: () => plane.kill('kube-controller-manager'),
    async restartApiServer(takesMs) {
      await plane.kill('kube-apiserver');
      // The story goes on meanwhile.
      systemClock.after(takesMs, () => void plane.start('kube-apiserver').catch(complain));
    },
    async stop() {
      await kubelet.stop();
      await api.close();
      await plane.stop();
    },
  };
}

async function onSandbox(story: Scenario): Promise<Stage> {
  const isLong = story.lastsMs >= longStory.fromMs;
  const isLarge = !isLong && story.nodes.length >= manyMachines.from;
  const stepMs = isLong ? longStory.stepMs : isLarge ? manyMachines.stepMs : usualStepMs;
  const turns = isLarge ? manyMachines.turnsPerStep : turnsPerStep;
  const clock = createVirtualClock(Math.floor(Date.now() / 1000) * 1000);
  const sandbox = await startSandbox({ clock });
  const api = createApiClient(fixedClusterConfig({ server: sandbox.url }), { clock: systemClock, version: '0.0.0' });
  const kubelet = await startKubelet({ api, clock, nodes: story.nodes, script: scriptOf(story), onError: complain });
  return {
    api,
    kubelet,
    clock,
    stopControllers: async () => sandbox.stopControllers(),
    restartApiServer: () => Promise.reject(new Error('the API server of the sandbox is this process')),
    async pass(milliseconds) {
      for (const end = clock.now() + milliseconds; clock.now() < end; clock.advance(stepMs))
        for (let i = 0; i < turns; i += 1) await turn();
    },
    async stop() {
      await kubelet.stop();
      await api.close();
      await sandbox.stop();
    },
  };
}

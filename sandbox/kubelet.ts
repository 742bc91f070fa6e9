import type { ApiClient } from '../src/kube/api-client.ts';
import { systemClock } from '../src/kube/system-clock.ts';
import type { Clock } from '../src/model/clock.ts';
import { type LogReads, startLogServer } from './kubelet/log-server.ts';
import { type Heart, type NodeOptions, type Pressure, startHeart } from './kubelet/node.ts';
import { PodPlayer } from './kubelet/pod-player.ts';
import type { PodScript } from './kubelet/pod-script.ts';
import { watchPods } from './kubelet/pod-watch.ts';
import { createRecorder, type Recorder } from './kubelet/recorder.ts';
import { annotatedScript } from './kubelet/script-of.ts';
import type { Pod } from './shapes.ts';

/** How the simulated kubelets run. */
export type KubeletOptions = {
  readonly api: ApiClient;
  readonly nodes: readonly NodeOptions[];
  readonly clock?: Clock;
  /** Chooses what a Pod does; `undefined`: its annotation, else it becomes ready in about a second. */
  readonly script?: (pod: Pod) => PodScript | undefined;
  /** Divides every delay (pulls, run times, back-offs; heartbeats are not touched). The texts keep the real figures. Default 1. */
  readonly speed?: number;
  /** How long the machines take to answer for a log. Default: none. */
  readonly logsAnswerAfterMs?: number;
  /** Told about requests that failed; they are tried again where a kubelet would. Default: nobody. */
  readonly onError?: (error: unknown) => void;
};

/** One simulated Node. */
export type SimulatedNode = {
  readonly name: string;
  /** The machine is gone: no heartbeat, no status, no logs; Pods play no further. */
  stop(): void;
  /** The machine is back after a reboot: heartbeats go on, its containers are started again. */
  start(): Promise<void>;
  /** The kubelet says that it lacks these, and nothing else. The machine must be up. */
  press(pressures: readonly Pressure[]): Promise<void>;
  /** The kubelet evicts one of its Pods, the first that no DaemonSet owns. */
  evict(message: string): void;
  /** The kubelet writes an Event about its Node: `Rebooted`, `SystemOOM`. */
  tell(type: 'Normal' | 'Warning', reason: string, message: string): void;
};

/** A handful of simulated kubelets that share one watch and one log server. */
export type Kubelet = {
  readonly nodes: ReadonlyMap<string, SimulatedNode>;
  addNode(node: NodeOptions): Promise<SimulatedNode>;
  /** What runs in these Pods does what its script says now; without this it is read again at the next start. */
  reread(concerns: (pod: Pod) => boolean): void;
  /** How often logs were asked for, since the start or since it was last forgotten. */
  logReads(): LogReads;
  forgetLogReads(): void;
  stop(): Promise<void>;
};

type Machine = {
  readonly index: number;
  readonly record: Recorder;
  readonly players: Map<string, PodPlayer>;
  heart: Heart | undefined;
};

/** Registers the nodes and starts to play the Pods bound to them. Resolves when every node is Ready. */
export async function startKubelet(options: KubeletOptions): Promise<Kubelet> {
  const { api, clock = systemClock, speed = 1 } = options;
  const life = new AbortController();
  const onError = (error: unknown): void => {
    if (!life.signal.aborted) options.onError?.(error);
  };
  const machines = new Map<string, Machine>();
  const nodes = new Map<string, SimulatedNode>();
  /** The newest of every Pod, also of those whose machine is down. */
  const pods = new Map<string, Pod>();
  let addresses = 0;

  const scriptOf = (pod: Pod): PodScript => options.script?.(pod) ?? annotatedScript(pod) ?? {};
  const isOver = (pod: Pod): boolean =>
    (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') && !pod.metadata.deletionTimestamp;

  function seen(pod: Pod): void {
    const { uid } = pod.metadata;
    pods.set(uid, pod);
    const machine = machines.get(pod.spec.nodeName ?? '');
    if (!machine?.heart) return;
    const known = machine.players.get(uid);
    known?.update(pod);
    if (known || isOver(pod)) return;
    addresses += 1;
    const podIP = `10.244.${machine.index}.${(addresses % 250) + 2}`;
    const { record } = machine;
    const stage = { api, clock, record, script: scriptOf, speed, hostIP: '127.0.0.1', podIP, onError };
    machine.players.set(uid, new PodPlayer(stage, pod));
  }
  function gone(pod: Pod): void {
    const { uid } = pod.metadata;
    pods.delete(uid);
    const players = machines.get(pod.spec.nodeName ?? '')?.players;
    players?.get(uid)?.stop();
    players?.delete(uid);
  }
  function all(list: readonly Pod[]): void {
    const present = new Set(list.map((pod) => pod.metadata.uid));
    for (const pod of [...pods.values()]) if (!present.has(pod.metadata.uid)) gone(pod);
    for (const pod of list) seen(pod);
  }
  const logServer = await startLogServer((namespace, name, container, previous) => {
    const pod = [...pods.values()].find((p) => p.metadata.namespace === namespace && p.metadata.name === name);
    return (
      pod &&
      machines
        .get(pod.spec.nodeName ?? '')
        ?.players.get(pod.metadata.uid)
        ?.log(container, previous)
    );
  }, options.logsAnswerAfterMs);

  async function addNode(node: NodeOptions): Promise<SimulatedNode> {
    const { name } = node;
    const record = createRecorder(api, clock, name, onError);
    const machine: Machine = { index: machines.size + 1, record, players: new Map(), heart: undefined };
    const simulated: SimulatedNode = {
      name,
      stop() {
        machine.heart?.stop();
        machine.heart = undefined;
        for (const player of machine.players.values()) player.stop();
        machine.players.clear();
      },
      async start() {
        machine.heart ??= await startHeart({ api, clock, onError }, node, logServer.port);
        for (const pod of [...pods.values()]) if (pod.spec.nodeName === name) seen(pod);
      },
      async press(pressures) {
        await machine.heart?.press(pressures);
      },
      evict(message) {
        const isDaemon = (uid: string): boolean =>
          pods.get(uid)?.metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true;
        for (const [uid, player] of machine.players) if (!isDaemon(uid) && player.evict(message)) return;
      },
      tell(type, reason, message) {
        // Kubelets give the name of their Node as its UID.
        const metadata = { name, uid: name, resourceVersion: '', creationTimestamp: '' };
        record({ apiVersion: 'v1', kind: 'Node', metadata }, type, reason, message);
      },
    };
    machines.set(name, machine);
    nodes.set(name, simulated);
    await simulated.start();
    return simulated;
  }
  await Promise.all(options.nodes.map(addNode));
  const watching = watchPods({ api, clock, onError }, { all, seen, gone }, life.signal);
  return {
    nodes,
    addNode,
    logReads: logServer.reads,
    forgetLogReads: logServer.forget,
    reread(concerns) {
      for (const { players } of machines.values())
        for (const [uid, player] of players) {
          const pod = pods.get(uid);
          if (pod && concerns(pod)) player.reread();
        }
    },
    async stop() {
      life.abort(new Error('the kubelets were stopped'));
      for (const node of nodes.values()) node.stop();
      await watching;
      await logServer.stop();
    },
  };
}

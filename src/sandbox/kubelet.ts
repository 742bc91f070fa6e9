import type { ApiClient } from '../kube/api-client.ts';
import type { Clock } from '../model/clock.ts';
import type { PodScript } from './kubelet/pod-script.ts';
import type { Pod } from './shapes.ts';

/** One simulated Node as it is registered. */
export type NodeOptions = {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** Pods it takes, default 110. */
  readonly pods?: number;
};

/** How the simulated kubelets run. */
export type KubeletOptions = {
  readonly api: ApiClient;
  readonly nodes: readonly NodeOptions[];
  readonly clock?: Clock;
  /** Chooses what a Pod does; `undefined`: its annotation, else it becomes ready in about a second. */
  readonly script?: (pod: Pod) => PodScript | undefined;
  /** Divides every delay (pulls, run times, back-offs; heartbeats are not touched). The texts keep the real figures. Default 1. */
  readonly speed?: number;
  /** Told about requests that failed after retries; default: nobody. */
  readonly onError?: (error: unknown) => void;
};

/** One simulated Node. */
export type SimulatedNode = {
  readonly name: string;
  /** The machine is gone: no heartbeat, no status, Pods play no further. */
  stop(): void;
  /** The machine is back: heartbeats go on, and its Pods are played from their start. */
  start(): Promise<void>;
};

/** A handful of simulated kubelets that share one watch and one log server. */
export type Kubelet = {
  readonly nodes: ReadonlyMap<string, SimulatedNode>;
  addNode(node: NodeOptions): Promise<SimulatedNode>;
  stop(): Promise<void>;
};

/** Registers the nodes and starts to play the Pods bound to them. Resolves when every node is Ready. */
export declare function startKubelet(options: KubeletOptions): Promise<Kubelet>;

import type { Clock } from '../model/clock.ts';
import type { Fault } from './faults.ts';
import type { Fields, KubeObject } from './object.ts';

/** How a sandbox runs. Everything is optional. */
export type SandboxOptions = {
  /** Time of objects and controllers; default: the real one. Sockets, bookmarks and watch time-outs use real time. */
  readonly clock?: Clock;
  /** CustomResourceDefinition objects, parsed; they are established when `startSandbox` resolves. */
  readonly crds?: readonly object[];
  /** Changes kept for watches and list pages before older ones are compacted away; default 10,000. */
  readonly compactionAfter?: number;
  /** Milliseconds of real time between watch bookmarks; default 60,000. */
  readonly bookmarkEveryMs?: number;
  /** Whether Deployments, ReplicaSets, scheduling, node lifecycle and the others are simulated; default true. */
  readonly controllers?: boolean;
  /** Bearer token → user. When given, requests without a known token are refused with 401. */
  readonly tokens?: Readonly<Record<string, { readonly username: string; readonly groups?: readonly string[] }>>;
};

/** Straight access to what is stored, past HTTP, validation and faults; for tests. Resources are named `pods`, `deployments.apps`. */
export type SandboxObjects = {
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(resource: string, namespace?: string): readonly KubeObject[];
};

/** A running sandbox: a small Kubernetes API on loopback. */
export type Sandbox = {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** A kubeconfig as an object; write it as JSON or YAML. */
  readonly kubeconfig: Fields;
  readonly objects: SandboxObjects;
  /** Adds a fault; the returned function ends it. */
  inject(fault: Fault): () => void;
  /** Forgets all history: watches from older versions and list pages get 410. */
  compact(): void;
  /** Cuts every open connection, watches included. */
  cutConnections(): void;
  /** Refuses connections until `comeBack`; state is kept. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a sandbox on a free loopback port. */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;

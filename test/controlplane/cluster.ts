/** The parts of a control plane that can be killed, paused and started again. */
export type Part = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

/** What to run; etcd and the API server always are. */
export type ControlPlaneOptions = {
  /** Default true: the built-in `view` role is empty until the controller manager aggregates it. */
  readonly controllerManager?: boolean;
  /** Default true. */
  readonly scheduler?: boolean;
  /** More flags for a part, `--flag=value`. */
  readonly flags?: Readonly<Partial<Record<Part, readonly string[]>>>;
};

/** A way in: a kubeconfig file and what is in it. */
export type Access = {
  readonly kubeconfigPath: string;
  readonly url: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
};

/** A real etcd, kube-apiserver, controller manager and scheduler on free loopback ports. */
export type ControlPlane = {
  readonly url: string;
  /** Member of system:masters. */
  readonly admin: Access;
  /** A user with a client certificate: CN and O. */
  user(name: string, groups?: readonly string[]): Access;
  /** SIGKILL; resolves when the process is gone. */
  kill(part: Part): Promise<void>;
  /** Starts a killed part on the same ports; resolves when it is healthy. */
  start(part: Part): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(part: Part): void;
  resume(part: Part): void;
  /** Runs kubectl as admin; rejects with its stderr when it fails. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** Tells etcd to forget all history up to now. */
  compact(): Promise<void>;
  /** The end of each part's log, for a failed test. */
  logs(lines?: number): string;
  /** Kills every part and removes the temporary directory. */
  stop(): Promise<void>;
};

/** Starts a control plane; resolves when the API server is ready, the default namespace and service account exist. */
export declare function startControlPlane(options?: ControlPlaneOptions): Promise<ControlPlane>;

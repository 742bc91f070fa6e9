/**
 * What one container of a simulated Pod does. Plain JSON, so that it can be an annotation. Seconds are simulated seconds.
 * Nothing given: the image pulls in 0.3 s, the container runs, is ready after 0.5 s and stays so.
 */
export type ContainerScript = {
  readonly pullSeconds?: number;
  /**
   * The pull fails: `NotFound`, `Unauthorized` and `RegistryUnreachable` give the runtime's real texts; anything else is
   * the text itself.
   */
  readonly pullError?: 'NotFound' | 'Unauthorized' | 'RegistryUnreachable' | (string & {});
  /** How many pulls fail before one succeeds; absent: all. */
  readonly failedPulls?: number;
  /** Seconds from start to ready, default 0.5; `never`: the container hangs, running and unready. */
  readonly readyAfterSeconds?: number | 'never';
  /** Each run ends so. Absent: it runs until it is stopped. */
  readonly exit?: {
    readonly afterSeconds: number;
    /** 0: completed. 137 with `oom`: OOMKilled. */
    readonly code: number;
    readonly oom?: boolean;
    /** What the process wrote to /dev/termination-log. */
    readonly message?: string;
  };
  /** How many runs end as `exit` says before one stays up; absent: all. */
  readonly exits?: number;
  /** What the readiness probe gets while the container is not ready; default: HTTP status 503. */
  readonly readinessSays?: string;
  /** The liveness probe fails three times from so long after each start, and the kubelet ends the container for it. */
  readonly livenessFails?: { readonly afterSeconds: number; readonly says: string };
  /** Lines that each run prints; `{run}` stands for the number of the run, from 1. */
  readonly log?: readonly string[];
};

/** What a simulated Pod does: every container as said here, unless `containers` names it. */
export type PodScript = ContainerScript & {
  readonly containers?: Readonly<Record<string, ContainerScript>>;
  /** The kubelet does not take it: it fails with this reason (`OutOfcpu`), and an Event says so. */
  readonly rejected?: { readonly reason: string; readonly message: string };
  /** It never gets beyond its volumes or its sandbox; the Event is told at each attempt. */
  readonly heldUp?: {
    readonly reason: 'FailedMount' | 'FailedAttachVolume' | 'FailedMapVolume' | 'FailedCreatePodSandBox';
    readonly message: string;
  };
  /** The kubelet evicts it so long after its containers have started. */
  readonly evicted?: { readonly afterSeconds: number; readonly message: string };
};

/** The annotation on a Pod that holds its `PodScript` as JSON; it is read again before every start and every pull. */
export const scriptAnnotation = 'sandbox.tocsin.dev/script';

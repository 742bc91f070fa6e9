import { setTimeout as delay } from 'node:timers/promises';
import type { Hands, Manifest } from '../produced/hands.ts';

/** Something normal that goes on in clusters, and of which nobody must hear. */
export type QuietRun = {
  /** The namespace it happens in, and what its Nodes and CRDs are named after. */
  readonly ns: string;
  /** What happens, as the page says it. */
  readonly what: string;
  /** Plays it again and again until `over`, leaves all of it healthy, and returns how often what was done. */
  readonly play: (hands: Hands, over: Deadline) => Promise<string>;
};

/** When a run has to come to its end. */
export class Deadline {
  readonly #at: number;

  constructor(milliseconds: number) {
    this.#at = Date.now() + milliseconds;
  }

  /** Whether something that takes so many seconds can still be begun. */
  has(seconds: number): boolean {
    return Date.now() + seconds * 1000 <= this.#at;
  }
}

/** Lets the cluster's time go on: it is the real one. */
export const pass = (seconds: number): Promise<void> => delay(seconds * 1000);

/** A Service for the Pods of a workload of the same name. */
export function service(name: string, selector: object = { app: name }): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector, ports: [{ port: 80, targetPort: 8080 }] },
  };
}

/** Resolves when a Deployment has all its replicas, of the newest template, and no others. */
export async function rolledOut(hands: Hands, name: string, seconds = 180): Promise<void> {
  await hands.until(
    `${name} has rolled out`,
    async () => {
      const found = await hands.get('Deployment', name);
      const generation = found?.metadata.generation;
      const { spec, status } = (found ?? {}) as { spec?: Record<string, unknown>; status?: Record<string, unknown> };
      const wanted = Number(spec?.replicas ?? 1);
      const counts = ['replicas', 'updatedReplicas', 'availableReplicas'].map((field) => Number(status?.[field] ?? 0));
      return status?.observedGeneration === generation && counts.every((count) => count === wanted);
    },
    seconds,
  );
}

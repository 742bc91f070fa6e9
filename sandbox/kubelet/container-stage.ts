import type { ApiClient } from '../../src/kube/api-client.ts';
import type { Clock } from '../../src/model/clock.ts';
import type { Pod } from '../shapes.ts';
import type { LogLine } from './log-server.ts';
import type { ContainerScript } from './pod-script.ts';

/** What a container needs of its Pod. */
export type ContainerStage = {
  readonly api: ApiClient;
  readonly clock: Clock;
  /** The Pod as last seen. */
  pod(): Pod;
  /** Read again before every pull and every start, so that an edited annotation takes effect. */
  script(): ContainerScript;
  /** Simulated seconds; rejects when the Pod is being stopped. */
  wait(seconds: number): Promise<void>;
  /** Sends the Pod's status as it is now; resolves when the API has it. */
  post(): Promise<void>;
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
};

/** Output of the present (or last) run of a container and of the one before. */
export type ContainerLogs = {
  readonly current: readonly LogLine[] | undefined;
  readonly previous: readonly LogLine[] | undefined;
};

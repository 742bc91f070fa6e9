import type { ApiClient } from '../../src/kube/api-client.ts';
import type { Clock } from '../../src/model/clock.ts';
import type { Pod } from '../shapes.ts';
import type { PodScript } from './pod-script.ts';
import type { Recorder } from './recorder.ts';

/** What a Pod needs of its node. */
export type PodStage = {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly record: Recorder;
  readonly script: (pod: Pod) => PodScript;
  readonly speed: number;
  readonly hostIP: string;
  readonly podIP: string;
  readonly onError: (error: unknown) => void;
};

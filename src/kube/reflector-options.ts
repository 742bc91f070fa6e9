import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import type { ObjectEvent } from '../model/raw-object.ts';
import type { Resource } from '../model/resource.ts';
import type { ApiClient } from './api-client.ts';
import type { KnownObject } from './census.ts';
import type { Gate } from './gate.ts';
import type { LineBudget } from './lines.ts';
import type { Prober } from './prober.ts';

/** What a reflector needs. */
export type ReflectorOptions = {
  readonly client: ApiClient;
  readonly resource: Resource;
  /** The version that discovery chose. */
  readonly version: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Gets every page and every piece of the watch at once. Must be quick; if it throws, that is counted and logged. */
  onEvents(events: readonly ObjectEvent[]): void;
  /** Called on every change of state, and only then; the first time before `start` returns. */
  onCoverage(coverage: Coverage): void;
  /**
   * Everything known of this resource, all earlier events applied. Asked when a list begins, so that the reflector keeps
   * nothing per object between lists.
   */
  known(): Iterable<KnownObject>;
  /** At most two lists at a time, shared by all reflectors of an API server. */
  readonly gate: Gate;
  /** Shared by all reflectors of an API server. */
  readonly prober: Prober;
  /** The memory of what their watches have begun to say, shared as well. */
  readonly budget: LineBudget;
  readonly log?: (
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields: Readonly<Record<string, unknown>>,
  ) => void;
};

/** What a reflector has done so far. */
export type ReflectorStats = {
  /** Absent until the first list is complete. */
  readonly objects?: number;
  /** Epoch milliseconds of the last event, bookmark or page; of the start, before any. */
  readonly lastSignOfLife: number;
  readonly lists: number;
  readonly watches: number;
  readonly failures: number;
  readonly handlerErrors: number;
  readonly malformedLines: number;
};

import type { DeliveryReport } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { Telling } from '../model/telling.ts';

/** Everything a step decides from. Times are epoch milliseconds. */
export type StepInput = {
  /** All explanations that hold now. */
  readonly explanations: readonly Explanation[];
  readonly settings: Settings;
  readonly now: number;
  /** Take the baseline in this step. Before it, nothing is told and nothing changes state. */
  readonly baseline?: boolean;
  /** UID of the `kube-system` namespace, so that two clusters never share a key. */
  readonly clusterId: string;
  /** Providers that could deliver now: valid, active, their Secrets there. */
  readonly usable: readonly Ref[];
  readonly reports: readonly DeliveryReport[];
  /** Provider types that get every incident even in a storm: trackers, pagers, logs. Absent: all types are collapsed. */
  readonly everyIncident?: ReadonlySet<string>;
};

/** What a silence has muted so far. */
export type SilenceCount = { readonly suppressed: number; readonly lastMatchAt: number };

/** What a step decided. */
export type StepResult = {
  readonly tellings: readonly Telling[];
  readonly decisions: readonly Decision[];
  /** Incidents that are new or different, to be saved. */
  readonly changed: readonly Incident[];
  /** Ids of incidents past their retention. */
  readonly forget: readonly string[];
  readonly silences: ReadonlyMap<Ref, SilenceCount>;
  /** The next instant at which something could change by time alone. */
  readonly wakeAt?: number;
};

/** The incidents of one cluster through time. */
export type Incidents = {
  step(input: StepInput): StepResult;
  /** Every incident that is known, settling and resolved ones included. */
  all(): Iterable<Incident>;
  /** Continues from saved incidents: there is no baseline then. */
  restore(incidents: readonly Incident[]): void;
};

/** Makes an empty set of incidents. */
export declare function createIncidents(): Incidents;

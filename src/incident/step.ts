import type { Announcement } from '../model/announcement.ts';
import type { DeliveryReport } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import type { HubWord } from '../model/hub.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { MaintenanceMarks } from '../model/maintenance.ts';
import type { RedeliveryRequest } from '../model/redelivery.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import type { InSight } from './absence.ts';
import type { IsBeingRead } from './lifecycle.ts';
import type { MuteCount } from './mute-counts.ts';
import type { Message } from './notices.ts';
import type { RedeliveryPlan } from './redelivery.ts';
import type { RouteTable } from './route-counts.ts';

/** Everything a step decides from. Times are epoch milliseconds. */
export type StepInput = {
  /** All explanations that hold now. */
  readonly explanations: readonly Explanation[];
  readonly settings: Settings;
  readonly now: number;
  /** Take the baseline in this step. Before it, nothing is told and nothing changes state. */
  readonly baseline?: boolean;
  /** Kinds of which objects are seen for the first time, after the baseline: what fails among them is no news either. */
  readonly newlySeen?: readonly string[];
  /** Without it everything is in sight. */
  readonly inSight?: InSight;
  /** UID of the `kube-system` namespace, so that two clusters never share a key. */
  readonly clusterId: string;
  readonly reports: readonly DeliveryReport[];
  /** What is in maintenance by annotation now. Absent: nothing. */
  readonly marks?: MaintenanceMarks;
  /** Whether a log that may say why is being read now. Absent: none is. */
  readonly isBeingRead?: IsBeingRead;
  /** What failed for good and is asked for again. */
  readonly redeliveries?: readonly RedeliveryRequest[];
  /** What the hub has said. Absent: there is none. */
  readonly hub?: HubWord | undefined;
  /** Of the provider types that are no chats. */
  readonly traits?: Traits;
};

/** What a step decided. */
export type StepResult = {
  readonly announcements: readonly Announcement[];
  readonly decisions: readonly Decision[];
  /** Incidents that are new or different, to be saved. */
  readonly changed: readonly Incident[];
  /** Ids of incidents past their retention. */
  readonly forget: readonly string[];
  /** What Silences and MaintenanceWindows have muted so far. */
  readonly mutes: ReadonlyMap<Ref, MuteCount>;
  /** What routes have taken so far; absent before the first step that decides. */
  readonly routes?: RouteTable;
  /** What became of each request to send again what failed. */
  readonly redelivered: readonly RedeliveryPlan[];
  /** The next instant at which something could change by time alone. */
  readonly wakeAt?: number;
};

/** What the incidents of one step come to, gathered stage by stage. */
export class Step {
  readonly decisions: Decision[] = [];
  readonly messages: Message[] = [];
  readonly resolved: Incident[] = [];
  readonly wakes: number[] = [];
  /** Ids of incidents of which somebody has heard something else. */
  readonly touched = new Set<string>();
  /** How many incidents have begun, or would have. */
  begun = 0;

  /** Where it is, to come back to by `back`. */
  mark(): readonly number[] {
    return this.#lists().map(({ length }) => length);
  }

  /** Takes back all that was gathered since then. */
  back(mark: readonly number[]): void {
    for (const [index, list] of this.#lists().entries()) list.length = mark[index] ?? list.length;
  }

  #lists(): unknown[][] {
    return [this.decisions, this.messages, this.resolved, this.wakes];
  }
}

import type { MuteCount } from '../incident/mute-counts.ts';
import type { RouteTable } from '../incident/route-counts.ts';
import type { Faults } from '../model/faults.ts';
import type { Finding } from '../model/finding.ts';
import type { HubVerdict, MemberReport } from '../model/hub.ts';
import type { Audience, Incident } from '../model/incident.ts';
import type { Notification } from '../model/notification.ts';
import type { ProviderLedger } from '../model/provider-view.ts';
import type { Redelivery } from '../model/redelivery.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { Unclear, Why, WhyQuestion } from '../model/why.ts';
import type { WritableWorld } from '../world/view/world.ts';

/** What the edges may read of the core between turns. */
export type CoreView = {
  readonly world: WritableWorld;
  /** What was set aside, since a step threw on it. */
  readonly faults: Pick<Faults, 'all' | 'takeFresh'>;
  /** Whether the baseline was taken: before it nothing is decided. */
  hasStarted(): boolean;
  settings(): Settings;
  /** Everything that is found wrong now. */
  findings(): Iterable<Finding>;
  incidents(): Iterable<Incident>;
  /** What Silences and MaintenanceWindows have muted. */
  mutes(): ReadonlyMap<Ref, MuteCount>;
  /** What the routes of each provider have taken; `undefined` before anything was looked at. */
  routes(): RouteTable | undefined;
  /** What came of the last request to send again what failed, by the UID of the provider. */
  redelivery(uid: string): Redelivery | undefined;
  /** What became of a provider's deliveries, across restarts, by its UID. */
  ledger(uid: string): ProviderLedger;
  /** What this one, as a hub, answers of each cause that is reported to it, by its id there. */
  verdictsOn(report: MemberReport): Readonly<Record<string, HubVerdict>>;
  /** Where a channel of presses goes on from at a time (epoch milliseconds). */
  pressCursor(channel: string, now: number): string | undefined;
  /** What the message of an incident says at a time (epoch milliseconds). `audience`: to a namespace; the incident is cut for it already. */
  words(incident: Incident, now: number, audience?: Audience): Notification;
  /** The same with the lines of the log that explains it best, where it was read. */
  quoted(incident: Incident, now: number): Notification;
  /**
   * What became of an incident, or of those of an object, or what would at a time (`at`), in words. `now` and `at` in epoch milliseconds.
   */
  why(asked: WhyQuestion, now: number, at: number): Why | Unclear;
};

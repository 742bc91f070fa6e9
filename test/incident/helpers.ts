import { Incidents } from '../../src/incident/incidents.ts';
import type { StepInput, StepResult } from '../../src/incident/step.ts';
import type { Announcement, IncidentAnnouncement, SummaryAnnouncement } from '../../src/model/announcement.ts';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import type { Explanation, ExplanationPart } from '../../src/model/explanation.ts';
import type { Faults } from '../../src/model/faults.ts';
import type { Finding } from '../../src/model/finding.ts';
import { expected } from '../../src/model/hearing.ts';
import type { Decision, Incident } from '../../src/model/incident.ts';
import type { MaintenanceMarks } from '../../src/model/maintenance.ts';
import type { Reason } from '../../src/model/reason.ts';
import { namespaceOf, type Ref, refOf } from '../../src/model/ref.ts';
import {
  defaultSettings,
  type ProviderSettings,
  type Settings,
  type SilenceSettings,
  type WindowSettings,
} from '../../src/model/settings.ts';
import type { Severity } from '../../src/model/severity.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Traits } from '../../src/model/traits.ts';

/** Start of the simulated clock: times in tests are seconds after it. */
export const start = Date.parse('2026-11-20T08:00:00Z');
export const at = (seconds: number): number => start + seconds * 1000;

type FindingOptions = Partial<Omit<Finding, 'subject' | 'since'>> & {
  since?: number;
  node?: string;
  labels?: Record<string, string>;
};

export function finding(ref: Ref, options: FindingOptions = {}): Finding {
  const { since = 0, node, labels = {}, ...rest } = options;
  return {
    subject: node === undefined ? { ref, labels } : { ref, labels, node },
    reason: 'CrashLoopBackOff',
    severity: 'high',
    conclusive: true,
    facts: {},
    names: [],
    ...rest,
    since: at(since),
  };
}

type ExplanationOptions = {
  reason?: Reason;
  severity?: Severity;
  members?: readonly Finding[];
  parts?: readonly ExplanationPart[];
  labels?: Record<string, string>;
};

/** An explanation rooted at `root`, by default with two crash-looping Pods named after it. */
export function explanation(root: Ref, options: ExplanationOptions = {}): Explanation {
  const { reason = 'CrashLoopBackOff', severity = 'high', labels = {} } = options;
  const name = root.slice(root.lastIndexOf('/') + 1);
  const pods = ['a', 'b'].map((suffix) => refOf('Pod', namespaceOf(root), `${name}-${suffix}`));
  const members = options.members ?? pods.map((ref) => finding(ref, { reason }));
  const affected = new Map<Ref, Subject>();
  for (const { subject } of members) if (subject.ref !== root) affected.set(subject.ref, subject);
  return {
    root: { ref: root, labels },
    reason,
    severity,
    confidence: 'likely',
    members,
    affected: [...affected.values()],
    workloads: [root],
    ...(options.parts ? { parts: options.parts } : {}),
    proof: [{ code: 'ShareOfNode', failing: 1, all: 2 }],
    trace: [{ rule: 'lift', about: root, says: 'lifted' }],
  };
}

/** A lost Node with one failing Pod of each Deployment (`namespace/name`). */
export function lostNode(node: string, deployments: readonly `${string}/${string}`[], since = 0): Explanation {
  const root: Ref = `Node//${node}`;
  const own = finding(root, { reason: 'NodeNotReady', since, node });
  const parts = deployments.map((name): ExplanationPart => {
    const members = [finding(`Pod/${name}-1`, { reason: 'PodNotReady', since, node, conclusive: false })];
    return { root: { ref: `Deployment/${name}`, labels: {} }, reason: 'PodNotReady', severity: 'high', members };
  });
  const base = explanation(root, {
    reason: 'NodeNotReady',
    members: [own, ...parts.flatMap(({ members }) => members)],
  });
  const workloads = parts.map((part) => part.root);
  const self: ExplanationPart = { root: base.root, reason: 'NodeNotReady', severity: 'high', members: [own] };
  return {
    ...base,
    affected: [...base.affected, ...workloads],
    workloads: workloads.map(({ ref }) => ref),
    impact: workloads.map(({ ref }) => ({ ref, wanted: 2, ready: 1 })),
    parts: [self, ...parts],
  };
}

export function provider(name: string, options: Partial<ProviderSettings> = {}): ProviderSettings {
  const namespace = options.namespace ?? 'tocsin';
  return {
    ref: refOf('AlertProvider', namespace, name),
    uid: name,
    namespace,
    type: 'webhook',
    config: {},
    secrets: {},
    retry: {},
    suspended: false,
    active: { is: true, reason: 'Selected' },
    usable: true,
    generation: 1,
    ...options,
  };
}

export function silence(
  name: string,
  selector: SilenceSettings['selector'],
  from: number,
  to: number,
  namespace = 'tocsin',
): SilenceSettings {
  return { ref: refOf('Silence', namespace, name), namespace, selector, startsAt: at(from), endsAt: at(to) };
}

/** A MaintenanceWindow with one opening, in seconds of the simulated clock. */
export function window(
  name: string,
  selector: WindowSettings['selector'],
  from: number,
  to: number,
  namespace = 'tocsin',
): WindowSettings {
  const opening = { startsAt: at(from), endsAt: at(to) };
  return { ref: refOf('MaintenanceWindow', namespace, name), namespace, selector, opening };
}

/** Annotated objects: which object each of these covers, by its ref. */
export function marks(covered: Readonly<Record<Ref, Ref>>, until = Number.POSITIVE_INFINITY): MaintenanceMarks {
  return { coverOf: (ref) => covered[ref], changesAt: until, revision: Object.keys(covered).length };
}

/** UIDs of the providers that know of an incident, or will once what is on its way has arrived. */
export function toldTo({ hearings }: Incident): string[] {
  return Object.keys(hearings).filter((uid) => expected(hearings[uid] ?? { knows: 'nothing' }).knows !== 'nothing');
}

/** How a delivery of an incident or summary ended: refused for good unless said otherwise. */
export function endedAs(
  { ref, uid }: Pick<ProviderSettings, 'ref' | 'uid'>,
  stream: string,
  act: DeliveryReport['act'],
  more: Partial<DeliveryReport> = {},
): DeliveryReport {
  return {
    ...{ delivery: 'd', stream, provider: ref, providerUid: uid, act, sequence: act === 'resolve' ? 2 : 1 },
    ...{ ended: 'failed', attempts: 1, mayHaveArrived: false, durationMs: 1, at: at(0), ...more },
  };
}

/** The settings with one provider `oncall` for the whole cluster. */
export function settingsWith(options: Partial<Settings> = {}): Settings {
  return { ...defaultSettings, providers: [provider('oncall')], ...options };
}

export const isAbout = (announcement: Announcement): announcement is IncidentAnnouncement => 'incident' in announcement;
export const isSummary = (announcement: Announcement): announcement is SummaryAnnouncement =>
  !('incident' in announcement);

/** What was told, in short: `open Deployment/shop/api Settled → oncall`. */
export function inShort(announcement: Announcement): string {
  const to = announcement.providers.map((ref) => ref.slice(ref.lastIndexOf('/') + 1)).join(',');
  if (isAbout(announcement))
    return `${announcement.act} ${announcement.incident.explanation.root.ref} ${announcement.reasonCode} → ${to}`;
  return `${announcement.act}/${announcement.phase} ${announcement.total} → ${to}`;
}

/** Incidents on a simulated clock. Every step's output is kept. */
export function simulation(initial: Settings = settingsWith(), traits: Traits = new Map(), faults?: Faults) {
  const incidents = new Incidents(faults);
  let settings = initial;
  const told: Announcement[] = [];
  const decisions: Decision[] = [];
  let last: StepResult | undefined;
  const step = (seconds: number, explanations: readonly Explanation[], more: Partial<StepInput> = {}): string[] => {
    last = incidents.step({
      explanations,
      settings,
      now: at(seconds),
      clusterId: 'cluster-uid',
      reports: [],
      traits,
      ...more,
    });
    told.push(...last.announcements);
    decisions.push(...last.decisions);
    return last.announcements.map(inShort);
  };
  return {
    incidents,
    /** Takes the baseline with these explanations. */
    start: (explanations: readonly Explanation[] = [], seconds = 0) => step(seconds, explanations, { baseline: true }),
    step,
    set(change: Partial<Settings>) {
      settings = { ...settings, ...change };
    },
    /** Whether the providers could deliver now. */
    setUsable(usable: boolean) {
      settings = { ...settings, providers: settings.providers.map((one) => ({ ...one, usable })) };
    },
    all: (): Incident[] => [...incidents.all()],
    only(): Incident {
      const [first, ...others] = incidents.all();
      if (first === undefined || others.length > 0) throw new Error(`expected one incident, not ${others.length + 1}`);
      return first;
    },
    told,
    decisions,
    last: (): StepResult => {
      if (last === undefined) throw new Error('no step yet');
      return last;
    },
  };
}

import type { Dispatcher } from '../../delivery/dispatcher.ts';
import type { EventRecorder } from '../../kube/events.ts';
import type { AuditEntry } from '../../model/audit.ts';
import type { Decision, Incident } from '../../model/incident.ts';
import { kindOf, nameOf, namespaceOf } from '../../model/ref.ts';
import type { Store } from '../../model/store.ts';
import type { Effects, Input } from '../../model/turn.ts';
import type { CustomResources } from '../../operator/operator.ts';
import type { Auditing } from '../../state/audit/auditing.ts';
import { decisionEntry, deliveryEntry } from '../../state/audit/entries.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { WritableWorld } from '../../world/view/world.ts';
import type { HubMember } from '../hub/member.ts';
import { logDecisions } from '../recording/decision-log.ts';
import type { Trail } from '../recording/trail.ts';
import type { History } from '../saving/history.ts';
import type { Acting } from './acting.ts';
import type { EvidenceFetcher } from './evidence.ts';

/** The parts that carry out what a turn asks for. */
export type CarrierOptions = {
  readonly store: Pick<Store, 'commit'>;
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
  readonly evidence: Pick<EvidenceFetcher, 'request'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly customResources: Pick<CustomResources, 'touch' | 'touchConfig'>;
  readonly world: Pick<WritableWorld, 'apiVersionOf'>;
  readonly acting: Pick<Acting, 'act'>;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly audit: Pick<Auditing, 'record'>;
  /** What a report tells of it later. */
  readonly trail: Pick<Trail, 'take'>;
  /** Told of the causes outside of the cluster. */
  readonly hubMember: Pick<HubMember, 'follow'>;
  /** What is remembered of incidents that are over. */
  readonly history: Pick<History, 'take'>;
  /** Told of every turn's effects, after the commit. */
  readonly observe?: (effects: Effects, now: number) => void;
};

/** Carries out what turns ask for. It begins paused: without the lock nothing is written in the cluster. */
export class Carrier {
  readonly #options: CarrierOptions;
  #paused = true;

  constructor(options: CarrierOptions) {
    this.#options = options;
  }

  /** The lock is lost: no Events are written. */
  pause(): void {
    this.#paused = true;
  }

  /** The lock is held. */
  resume(): void {
    this.#paused = false;
  }

  /** Carries out what a turn asked for: first the commit, nothing before it. `now`: the turn's, epoch milliseconds. */
  carry(effects: Effects, inputs: readonly Input[], now: number): void {
    const { store, dispatcher, evidence, customResources, metrics, log, observe, audit, trail, history } =
      this.#options;
    const memos = [...audit.record(entriesOf(inputs, effects)), ...history.take(effects, now)];
    store.commit(memos.length === 0 ? effects.save : { ...effects.save, memos: [...effects.save.memos, ...memos] });
    trail.take(inputs, effects);
    dispatcher.kick();
    this.#options.hubMember.follow(effects.outside);
    for (const request of effects.fetch) evidence.request(request);
    if (!this.#paused) this.#writeEvents(effects.events);
    for (const request of effects.pressed ?? []) void this.#options.acting.act(request);
    metrics.count(effects.counters);
    this.#observeLag(effects.save.incidents, now);
    customResources.touch(effects.statuses);
    if (effects.save.audit.some(isOfAnnotation)) customResources.touchConfig();
    logDecisions(effects.save.audit, log);
    observe?.(effects, now);
  }

  #writeEvents(requests: Effects['events']): void {
    const { world, events } = this.#options;
    for (const { about, uid, type, reason, message } of requests) {
      const apiVersion = world.apiVersionOf(about);
      if (apiVersion === undefined) continue;
      const subject = { apiVersion, kind: kindOf(about), namespace: namespaceOf(about), name: nameOf(about), uid };
      events.record({ about: subject, type, reason, message });
    }
  }

  #observeLag(saved: readonly Incident[], now: number): void {
    for (const { openedAt, baseline, startedAt, explanation } of saved) {
      if (openedAt !== now || baseline) continue;
      const { severity } = explanation;
      const seconds = Math.max(0, now - startedAt) / 1000;
      this.#options.metrics.observe('tocsin_detection_lag_seconds', { severity }, seconds);
    }
  }
}

/** Whether a decision follows from an annotation of the AlertConfig, whose status says what became of that. */
const isOfAnnotation = ({ action }: Decision): boolean => action === 'acknowledge' || action === 'unacknowledge';

/** What the audit log says of a turn: which deliveries had ended, then what was decided. */
function entriesOf(inputs: readonly Input[], { save }: Effects): readonly AuditEntry[] {
  const ends = inputs.flatMap((input) => (input.kind === 'outcome' ? (deliveryEntry(input.report) ?? []) : []));
  return [...ends, ...save.audit.map(decisionEntry)];
}

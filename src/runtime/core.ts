import { createDetection } from '../detect/detection.ts';
import { createExplainer } from '../explain/explainer.ts';
import { createIncidents } from '../incident/incidents.ts';
import { narrate } from '../message/narrate.ts';
import { narrateTest } from '../message/test-message.ts';
import type { Delivery, DeliveryReport } from '../model/delivery.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../model/settings.ts';
import type { IncidentTelling, Telling } from '../model/telling.ts';
import type { Counters, Effects, EventRequest, Evidence, EvidenceRequest, Input, Turn } from '../model/turn.ts';
import { createWorld } from '../world/create.ts';
import type { WritableWorld } from '../world/world.ts';
import { deliveriesOf, evidenceWaitMs, testDelivery } from './deliveries.ts';
import { withResolution } from './resolution.ts';

/** What the edges may read of the core between turns. */
export type CoreView = {
  readonly world: WritableWorld;
  settings(): Settings;
  incidents(): Iterable<Incident>;
  silences(): ReadonlyMap<Ref, { readonly suppressed: number; readonly lastMatchAt: number }>;
};

/** The pure core: one synchronous function from inputs to effects, and a read-only view for status and health. */
export type Core = { readonly turn: Turn; readonly view: CoreView };

/** A message that waits for log lines: told again with them, or released when none come. */
type Waiting = { readonly telling: IncidentTelling; readonly deliveries: readonly Delivery[] };

/**
 * Puts the pure rooms together: inputs change the world, detectors judge what became dirty, the explainer finds the
 * causes, the incidents decide, and what is to be told becomes deliveries. No I/O, no clock: the same inputs and times
 * give the same effects.
 */
export function createCore(identity: {
  readonly clusterId: string;
  readonly version: string;
  /** Provider types that get every incident even in a storm. */
  readonly everyIncident: ReadonlySet<string>;
}): Core {
  const world = createWorld();
  let settings: Settings = defaultSettings;
  let providers: ReadonlyMap<Ref, ProviderSettings> = new Map();
  let detection = createDetection(world, { edition: settings.edition });
  const explainer = createExplainer(world, {
    findings: (ref) => detection.findings(ref),
    all: () => detection.all(),
  });
  const incidents = createIncidents();
  /** By incident: several audiences may be told of it in one turn. Forgotten when the answer came or came too late. */
  const waiting = new Map<string, { readonly messages: Waiting[]; readonly until: number }>();
  let silences: ReadonlyMap<Ref, { suppressed: number; lastMatchAt: number }> = new Map();
  /** Deliveries go out and the baseline is taken only while the state lock is held. */
  let started = false;

  function applySettings(next: Settings): void {
    if (next.edition !== settings.edition) detection = createDetection(world, { edition: next.edition });
    settings = next;
    providers = new Map(next.providers.map((provider) => [provider.ref, provider]));
  }

  function turn(inputs: readonly Input[], now: number): Effects {
    const dirty = new Set<Ref>();
    const reports: DeliveryReport[] = [];
    const evidence: Evidence[] = [];
    const tests: Delivery[] = [];
    const statuses = new Set<Ref>();
    let baseline = false;
    for (const input of inputs) {
      switch (input.kind) {
        case 'objects':
          for (const ref of world.apply(input.source, input.events, now)) dirty.add(ref);
          break;
        case 'source':
          for (const ref of world.see(input.coverage, now)) dirty.add(ref);
          break;
        case 'baseline':
          baseline = !started;
          started = true;
          break;
        case 'settings':
          applySettings(input.settings);
          for (const provider of input.settings.providers) statuses.add(provider.ref);
          for (const silence of input.settings.silences) statuses.add(silence.ref);
          break;
        case 'evidence':
          evidence.push(input.evidence);
          break;
        case 'outcome':
          reports.push(input.report);
          statuses.add(input.report.provider);
          break;
        case 'test': {
          const provider = providers.get(input.provider);
          if (provider)
            tests.push(
              testDelivery(provider, input.nonce, narrateTest({ settings, now, provider: input.provider }), now),
            );
          break;
        }
        case 'lease':
        case 'wake':
          break;
      }
    }
    world.expire(now);
    const judged = detection.evaluate(dirty, now);
    for (const ref of judged.changed) dirty.add(ref);
    const explained = explainer.explain(dirty, now, settings.detection.overrides);
    const step = incidents.step({
      explanations: explained.explanations,
      settings,
      now,
      baseline,
      clusterId: identity.clusterId,
      usable: settings.providers
        .filter((provider) => provider.active.is && provider.usable)
        .map((provider) => provider.ref),
      reports,
      everyIncident: identity.everyIncident,
    });
    for (const [ref, count] of step.silences) if (silences.get(ref)?.suppressed !== count.suppressed) statuses.add(ref);
    silences = step.silences;

    const enqueue: Delivery[] = [...tests];
    const replace: Delivery[] = [];
    const fetch: EvidenceRequest[] = [];
    const events: EventRequest[] = [];
    // Before what is told now: an answer belongs to what was told earlier.
    for (const found of evidence) {
      const messages = waiting.get(found.incident)?.messages ?? [];
      waiting.delete(found.incident);
      for (const { telling, deliveries } of messages) {
        const told = deliveries[0]?.createdAt ?? now;
        const notification = narrate(telling, {
          settings,
          now: told,
          version: identity.version,
          ...(found.lines.length > 0 && { evidence: found }),
        });
        replace.push(...deliveries.map((delivery) => ({ ...delivery, notification, notBefore: now })));
      }
    }
    for (const [incident, wait] of waiting) if (wait.until <= now) waiting.delete(incident);
    for (const decided of step.tellings) {
      const telling = withResolution(decided, world);
      const request = evidenceRequest(telling);
      const notification = narrate(telling, { settings, now, version: identity.version });
      const deliveries = deliveriesOf(telling, notification, providers, now, request ? now + evidenceWaitMs : now);
      enqueue.push(...deliveries);
      events.push(...eventsOf(telling, notification.lead));
      if (request && deliveries.length > 0 && 'incident' in telling) {
        const known = waiting.get(request.incident);
        if (known) known.messages.push({ telling, deliveries });
        else {
          fetch.push(request);
          waiting.set(request.incident, { messages: [{ telling, deliveries }], until: now + evidenceWaitMs });
        }
      }
    }
    const wakeAt = earliest([judged.wakeAt, explained.wakeAt, step.wakeAt]);
    return {
      save: { incidents: step.changed, forget: step.forget, enqueue, replace, drop: [], audit: step.decisions },
      fetch,
      events,
      statuses: [...statuses],
      counters: decisionCounters(step.decisions),
      ...(wakeAt !== undefined && { wakeAt: Math.max(wakeAt, now + 1) }),
    };
  }

  /** Evidence is asked for when something new is told and the explanation names a Pod whose log may explain it. */
  function evidenceRequest(telling: Telling): EvidenceRequest | undefined {
    if (!('incident' in telling) || !settings.evidence.logs) return undefined;
    if (telling.act !== 'open' && telling.act !== 'reopen') return undefined;
    const pod = telling.incident.explanation.samplePod;
    if (!pod || telling.providers.length === 0) return undefined;
    return {
      incident: telling.incident.id,
      pod: pod.ref,
      container: pod.container,
      previous: pod.previous,
      lines: settings.evidence.logLines,
    };
  }

  /** The Kubernetes Event on the root object, for whoever looks there first. */
  function eventsOf(telling: Telling, lead: string): EventRequest[] {
    if (!('incident' in telling) || telling.audience !== '' || telling.act === 'update') return [];
    const about = telling.incident.explanation.root.ref;
    const uid = world.uidOf(about);
    if (uid === undefined || !settings.incidents.kubernetesEvents) return [];
    const resolved = telling.act === 'resolve';
    const reason = resolved ? 'IncidentResolved' : 'IncidentOpened';
    return [{ about, uid, type: resolved ? 'Normal' : 'Warning', reason, message: lead }];
  }

  return {
    turn,
    view: {
      world,
      settings: () => settings,
      incidents: () => incidents.all(),
      silences: () => silences,
    },
  };
}

function earliest(instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((instant) => instant !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Decisions counted for the metrics: by what was done and what became of it. */
function decisionCounters(decisions: readonly Decision[]): Counters {
  return decisions.map((decision) => ({
    name: 'tocsin_decisions_total',
    labels: { action: decision.action, disposition: decision.disposition, severity: decision.severity },
    by: 1,
  }));
}

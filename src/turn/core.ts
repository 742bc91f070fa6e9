import { Detection } from '../detect/detection.ts';
import { Explainer } from '../explain/explainer.ts';
import { Incidents } from '../incident/incidents.ts';
import { narrateTest } from '../message/test-message.ts';
import { BoundedMap } from '../model/bounded-map.ts';
import type { Delivery, DeliveryReport } from '../model/delivery.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import type { Counters, Effects, Evidence, Input, Turn } from '../model/turn.ts';
import { WatchedWorld } from '../world/watched-world.ts';
import type { WritableWorld } from '../world/world.ts';
import { testDelivery } from './deliveries.ts';
import { LateSources } from './late-sources.ts';
import { createNotifier } from './notifications.ts';

/** What the edges may read of the core between turns. */
export type CoreView = {
  readonly world: WritableWorld;
  settings(): Settings;
  incidents(): Iterable<Incident>;
  silences(): ReadonlyMap<Ref, { readonly suppressed: number; readonly lastMatchAt: number }>;
};

/** The pure core: one synchronous function from inputs to effects, and a read-only view for status and health. */
export type Core = { readonly turn: Turn; readonly view: CoreView };

/** Providers whose last test is remembered; the one tested longest ago is forgotten first. */
const rememberedTests = 1_000;

/** What the inputs of one turn come to, before anything is judged. */
type Taken = {
  /** Objects to judge again. */
  readonly dirty: Set<Ref>;
  readonly reports: DeliveryReport[];
  readonly evidence: Evidence[];
  readonly tests: Delivery[];
  /** Ids of tests that newer ones take the place of. */
  readonly droppedTests: string[];
  /** Custom resources whose status may have changed. */
  readonly statuses: Set<Ref>;
  baseline: boolean;
};

/**
 * Puts the pure rooms together: inputs change the world, detectors judge what became dirty, the explainer finds the
 * causes, the incidents decide, and what is to be told becomes deliveries. No I/O, no clock: the same inputs and times
 * give the same effects.
 */
export function createCore(identity: {
  readonly clusterId: string;
  readonly version: string;
  readonly traits: Traits;
}): Core {
  const world = new WatchedWorld();
  let settings: Settings = defaultSettings;
  let providers: ReadonlyMap<Ref, ProviderSettings> = new Map();
  const detection = new Detection(world, { edition: settings.edition });
  const explainer = new Explainer(world, detection);
  const incidents = new Incidents();
  const lateSources = new LateSources();
  const notifier = createNotifier(world, identity.version);
  let silences: ReadonlyMap<Ref, { suppressed: number; lastMatchAt: number }> = new Map();
  /** UID of a provider → id of the last test asked of it. */
  const tests = new BoundedMap<string, string>(rememberedTests);
  /** The baseline is taken once. */
  let started = false;

  function takeSettings(next: Settings): void {
    settings = next;
    providers = new Map(next.providers.map((provider) => [provider.ref, provider]));
  }

  function takeTest(ref: Ref, nonce: string, now: number, taken: Taken): void {
    const provider = providers.get(ref);
    if (!provider) return;
    const test = testDelivery(provider, nonce, narrateTest({ settings, now, provider: ref }), now);
    const before = tests.get(provider.uid);
    // Whoever asks again wants to know how it is now.
    if (before !== undefined && before !== test.id) taken.droppedTests.push(before);
    tests.set(provider.uid, test.id);
    taken.tests.push(test);
  }

  function take(input: Input, now: number, taken: Taken): void {
    switch (input.kind) {
      case 'objects':
        lateSources.takeObjects(input.source);
        if (!started) world.load(input.source, input.events, now);
        else for (const ref of world.apply(input.source, input.events, now)) taken.dirty.add(ref);
        break;
      case 'source': {
        lateSources.take(input.coverage);
        const concerned = world.see(input.coverage, now);
        if (started) for (const ref of concerned) taken.dirty.add(ref);
        break;
      }
      case 'baseline':
        if (started) break;
        taken.baseline = true;
        started = true;
        // Nothing is judged before, when half of the cluster is known; now everything is, once.
        for (const ref of world.everything()) taken.dirty.add(ref);
        break;
      case 'settings':
        takeSettings(input.settings);
        break;
      case 'evidence':
        taken.evidence.push(input.evidence);
        break;
      case 'outcome':
        taken.reports.push(input.report);
        taken.statuses.add(input.report.provider);
        break;
      case 'test':
        takeTest(input.provider, input.nonce, now, taken);
        break;
      case 'lease':
      case 'wake':
        break;
    }
  }

  function turn(inputs: readonly Input[], now: number): Effects {
    const taken: Taken = {
      dirty: new Set(),
      reports: [],
      evidence: [],
      tests: [],
      droppedTests: [],
      statuses: new Set(),
      baseline: false,
    };
    for (const input of inputs) take(input, now, taken);
    const { dirty, statuses } = taken;

    world.expire(now);
    const judged = detection.evaluate(dirty, now);
    for (const ref of judged.changed) dirty.add(ref);
    // At the baseline no explanation has looked at anything yet that could have changed.
    const news = taken.baseline ? judged.changed : dirty;
    const explained = explainer.explain(news, now, settings.detection.overrides);
    const step = incidents.step({
      explanations: explained.explanations,
      settings,
      now,
      baseline: taken.baseline,
      clusterId: identity.clusterId,
      newlySeen: lateSources.takeKinds(),
      reports: taken.reports,
      traits: identity.traits,
    });
    for (const [ref, count] of step.silences) if (silences.get(ref)?.suppressed !== count.suppressed) statuses.add(ref);
    silences = step.silences;

    const context = { settings, providers, now };
    // Before what is told now: an answer belongs to what was told earlier.
    const replace = notifier.answer(taken.evidence, context);
    const { enqueue, fetch, events } = notifier.tell(step.announcements, context);
    const wakeAt = earliest([judged.wakeAt, explained.wakeAt, step.wakeAt]);
    return {
      save: {
        incidents: step.changed,
        forget: step.forget,
        enqueue: [...taken.tests, ...enqueue],
        replace,
        drop: taken.droppedTests,
        audit: step.decisions,
      },
      fetch,
      events,
      statuses: [...statuses],
      counters: decisionCounters(step.decisions),
      ...(wakeAt !== undefined && { wakeAt: Math.max(wakeAt, now + 1) }),
    };
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

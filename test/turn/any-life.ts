/** A small cluster in which anything may happen, before the real core, the real store and a dispatcher that takes no time. */

import { reportOf } from '../../src/delivery/report.ts';
import type { Delivery, DeliveryReport } from '../../src/model/delivery.ts';
import type { Decision } from '../../src/model/incident.ts';
import type { Notification } from '../../src/model/notification.ts';
import type { ObjectEvent, RawObject } from '../../src/model/raw-object.ts';
import { refOf } from '../../src/model/ref.ts';
import type { Selector } from '../../src/model/selector.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../src/model/settings.ts';
import type { Saved } from '../../src/model/store.ts';
import type { Traits } from '../../src/model/traits.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { restoredFrom } from '../../src/runtime/saving/restored.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { toldTo } from '../incident/helpers.ts';
import { at, crashing, healthy, instant, objects, source } from './lives.ts';

export const pods = ['shop/a', 'shop/b', 'shop/c', 'pay/d'] as const;
export type PodName = (typeof pods)[number];
/** Half of the Pods run on each Node. */
const nodeOf = (name: PodName): string => (pods.indexOf(name) % 2 === 0 ? 'n1' : 'n2');

/** How a Pod is. Those without a Secret want the same one. */
export type Health = 'healthy' | 'crashing' | 'withoutSecret' | 'gone';

/** What may happen. Seconds pass before it. */
export type Happening = { readonly after: number } & (
  | { readonly is: 'pod'; readonly name: PodName; readonly health: Health }
  | { readonly is: 'node'; readonly node: 'n1' | 'n2'; readonly ready: boolean }
  /** Begins, or ends if it has begun. */
  | { readonly is: 'silence' | 'window' | 'filter'; readonly of: keyof typeof selectors }
  | { readonly is: 'severity'; readonly to: 'low' | 'critical' | 'usual' }
  | { readonly is: 'provider'; readonly name: ProviderName; readonly fate: Fate }
  | { readonly is: 'routes'; readonly name: ProviderName; readonly to: keyof typeof routes }
  | { readonly is: 'restart'; readonly saved: boolean }
  | { readonly is: 'nothing' }
);

/** What Silences, windows and filters may pick. */
export const selectors = {
  shop: { namespaces: ['shop'] },
  nodes: { kinds: ['Node'] },
  a: { names: ['a'] },
} satisfies Record<string, Selector>;
const filters = {
  shop: { namespaces: ['!shop'], reasons: [] },
  nodes: { namespaces: [], reasons: ['!Node*'] },
  a: { namespaces: [], reasons: ['!Secret*'] },
};

/** What a provider may be told of. */
export const routes = {
  all: undefined,
  critical: [{ severities: ['critical'] }],
  shop: [{ namespaces: ['shop'] }, { names: ['n1'] }],
  nodes: [{ kinds: ['Node'] }],
  none: [{ namespaces: ['nowhere'] }],
} satisfies Record<string, readonly Selector[] | undefined>;

/** `spare` is told only what `oncall` or `pager` cannot be. */
export const providerNames = ['oncall', 'pager', 'team', 'spare'] as const;
export type ProviderName = (typeof providerNames)[number];
/** `silent`: its product does not answer, and nothing is given up meanwhile. */
export type Fate = 'works' | 'suspended' | 'unusable' | 'refuses' | 'silent' | 'deleted' | 'anew';

const traits: Traits = new Map([['pagerduty', { plain: 'alert', family: 'pager', closesByKey: true }]]);

/** What one provider got, in order. `list`: a summary, which may stand for openings. */
export type Heard = {
  readonly uid: string;
  /** How often everything had been forgotten by then. */
  readonly life: number;
  readonly at: number;
  readonly delivery: Delivery;
  readonly notification: Notification;
};

/** The cluster, who is told, and what they were told. Times are seconds. */
export class AnyLife {
  readonly heard: Heard[] = [];
  readonly turns: { readonly now: number; readonly decisions: readonly Decision[]; readonly core: Core }[] = [];
  /** How often a process began that knew nothing of what was told: a restart without saved state. */
  #forgets = 0;
  /** What was told and not over when everything was forgotten, and whether the next process found it anew. */
  readonly forgotten: { readonly alertKey: string; readonly isFound: boolean }[] = [];
  readonly #truth = new Map<string, { readonly source: 'pods' | 'nodes'; readonly raw: RawObject }>();
  readonly #pods = new Map<PodName, { health: Health; since: number }>();
  readonly #down = new Map<string, number>();
  readonly #muted = { silence: new Set<string>(), window: new Set<string>() };
  #filter: keyof typeof filters | undefined;
  #severity: 'low' | 'critical' | 'usual' = 'usual';
  readonly #routes = new Map<ProviderName, keyof typeof routes>();
  readonly #order: (inputs: readonly Input[]) => readonly Input[];
  /** What is heard of in one turn, while things happen together. */
  #together: Input[] | undefined;
  readonly #fates = new Map<ProviderName, { fate: Fate; uid: string; generation: number }>();
  /** Ids of deliveries that this process has said to wait for a product that does not answer. */
  readonly #overdue = new Set<string>();
  #core = new Core({ clusterId: 'c', version: '1', traits });
  #store = new MemoryStore();
  #now = 0;
  #wakeAt: number | undefined;

  /** `order`: in which the inputs of a turn come. */
  constructor(order = (inputs: readonly Input[]) => inputs) {
    this.#order = order;
    for (const name of providerNames) this.#fates.set(name, { fate: 'works', uid: `uid-${name}`, generation: 1 });
    for (const name of pods) this.#setPod(name, 'healthy');
    for (const node of ['n1', 'n2']) this.#keep(this.#node(node));
    this.#begin();
  }

  get core(): Core {
    return this.#core;
  }

  get now(): number {
    return this.#now;
  }

  /** How often everything that was known has been forgotten. */
  get forgets(): number {
    return this.#forgets;
  }

  /** The UID of a provider, `undefined` when it is deleted. */
  uidOf(name: ProviderName): string | undefined {
    const { fate, uid } = this.#fates.get(name) ?? { fate: 'deleted', uid: undefined };
    return fate === 'deleted' ? undefined : uid;
  }

  /** Who exists now, by UID. */
  get uids(): ReadonlySet<string> {
    return new Set([...this.#fates.values()].filter(({ fate }) => fate !== 'deleted').map(({ uid }) => uid));
  }

  /** Runs what time brings until then. */
  until(seconds: number): void {
    for (let turns = 0; this.#wakeAt !== undefined && this.#wakeAt <= instant(seconds) && turns < 2_000; turns += 1)
      this.#turn((this.#wakeAt - instant(0)) / 1000, { kind: 'wake' });
    this.#now = Math.max(this.#now, seconds);
  }

  /** Several things are heard of in one turn. What ends a process is not among them. */
  happenTogether(all: readonly Happening[]): void {
    this.until(this.#now + (all[0]?.after ?? 0));
    this.#together = [];
    for (const what of all) if (what.is !== 'restart') this.#do(what);
    const heard = this.#together;
    this.#together = undefined;
    if (heard.length > 0) this.#turn(this.#now, ...heard);
    for (const what of all) if (what.is === 'restart') this.#do(what);
  }

  happen(what: Happening): void {
    this.until(this.#now + what.after);
    this.#do(what);
  }

  #do(what: Happening): void {
    switch (what.is) {
      case 'pod':
        this.#hear(this.#setPod(what.name, what.health));
        break;
      case 'node':
        this.#setNode(what.node, what.ready);
        break;
      case 'silence':
      case 'window':
        if (!this.#muted[what.is].delete(what.of)) this.#muted[what.is].add(what.of);
        this.#configure();
        break;
      case 'filter':
        this.#filter = this.#filter === undefined ? what.of : undefined;
        this.#configure();
        break;
      case 'severity':
        this.#severity = what.to;
        this.#configure();
        break;
      case 'provider':
        this.#setFate(what.name, what.fate);
        break;
      case 'routes':
        this.#routes.set(what.name, what.to);
        this.#configure();
        break;
      case 'restart':
        this.#restart(what.saved);
        break;
      case 'nothing':
        this.#turn(this.#now, { kind: 'wake' });
    }
  }

  /** Everything gets healthy and time passes; then nothing is muted any more and everybody can be told. */
  recover(): void {
    for (const node of ['n1', 'n2'] as const) this.happen({ after: 1, is: 'node', node, ready: true });
    for (const name of pods) this.happen({ after: 1, is: 'pod', name, health: 'healthy' });
    for (let round = 0; round < 3; round += 1) this.happen({ after: 600, is: 'nothing' });
    this.#muted.silence.clear();
    this.#muted.window.clear();
    this.#filter = undefined;
    this.#severity = 'usual';
    this.#routes.clear();
    for (const name of providerNames) this.#setFate(name, 'works');
    for (let hour = 0; hour < 8; hour += 1) this.happen({ after: 3_600, is: 'nothing' });
  }

  settings(): Settings {
    const ends = instant(1e7);
    const on = { namespace: 'tocsin', startsAt: instant(-10), endsAt: ends };
    const muted = (kind: 'Silence' | 'MaintenanceWindow', set: ReadonlySet<string>) =>
      Object.entries(selectors).flatMap(([name, selector]) =>
        set.has(name) ? [{ ref: refOf(kind, 'tocsin', name), selector, name }] : [],
      );
    const severity = this.#severity;
    return {
      ...defaultSettings,
      edition: 'Pro',
      evidence: { ...defaultSettings.evidence, logs: false },
      filters: this.#filter === undefined ? { namespaces: [], reasons: [] } : filters[this.#filter],
      detection: {
        ...defaultSettings.detection,
        overrides: severity === 'usual' ? [] : [{ selector: { namespaces: ['shop'] }, severity }],
      },
      silences: muted('Silence', this.#muted.silence).map(({ ref, selector }) => ({ ...on, ref, selector })),
      windows: muted('MaintenanceWindow', this.#muted.window).map(({ ref, selector }) => ({
        ...{ ref, selector, namespace: 'tocsin', opening: { startsAt: on.startsAt, endsAt: ends } },
      })),
      providers: providerNames.flatMap((name) => this.#providerOf(name)),
    };
  }

  #providerOf(name: ProviderName): ProviderSettings[] {
    const { fate, uid, generation } = this.#fates.get(name) ?? { fate: 'deleted', uid: '', generation: 0 };
    if (fate === 'deleted') return [];
    const namespace = name === 'team' ? 'shop' : 'tocsin';
    const suspended = fate === 'suspended';
    const own = routes[this.#routes.get(name) ?? 'all'];
    return [
      provider(name, {
        ...{ ref: refOf('AlertProvider', namespace, name), namespace, uid, generation, suspended },
        ...(own && { routes: own }),
        ...{ type: name === 'pager' ? 'pagerduty' : 'webhook', usable: fate !== 'unusable' },
        ...((name === 'oncall' || name === 'pager') && { fallback: refOf('AlertProvider', 'tocsin', 'spare') }),
        active:
          suspended || fate === 'unusable'
            ? { is: false, reason: suspended ? 'Suspended' : 'Invalid' }
            : name === 'spare'
              ? { is: false, reason: 'FallbackOnly' }
              : { is: true, reason: 'Selected' },
      }),
    ];
  }

  #setFate(name: ProviderName, fate: Fate): void {
    const before = this.#fates.get(name);
    const isAnew = fate === 'anew' || before?.fate === 'deleted';
    const uid = isAnew ? `uid-${name}-${this.#now}` : (before?.uid ?? name);
    // What refused and is mended has been edited.
    const generation = (before?.generation ?? 0) + (before?.fate === 'refuses' && fate !== 'refuses' ? 1 : 0);
    this.#fates.set(name, { fate: fate === 'anew' ? 'works' : fate, uid, generation });
    this.#configure();
  }

  #configure(): void {
    this.#turn(this.#now, { kind: 'settings', settings: this.settings() });
  }

  #begin(saved?: Saved): void {
    this.#overdue.clear();
    this.#core = new Core({ clusterId: 'c', version: '1', traits });
    this.#store = new MemoryStore(saved);
    const restored = saved && restoredFrom(saved);
    const seen = (['pods', 'nodes', 'deployments.apps', 'replicasets.apps'] as const).map((one) =>
      source(one, 'Watching'),
    );
    if (restored) this.#turn(this.#now, { kind: 'restored', saved: restored });
    const all = [...this.#truth.values()].map(({ source: from, raw }) => objects(from, raw));
    this.#turn(this.#now, ...all, ...seen, { kind: 'settings', settings: this.settings() });
    this.#turn(this.#now, { kind: 'baseline' });
  }

  #restart(isSaved: boolean): void {
    const saved = JSON.parse(JSON.stringify({ ...this.#store.load(), savedAt: instant(this.#now) })) as Saved;
    const known = [...this.#core.view.incidents()].filter((one) => one.state !== 'Resolved' && toldTo(one).length > 0);
    if (!isSaved) this.#forgets += 1;
    this.#now += 5;
    this.#begin(isSaved ? saved : undefined);
    if (isSaved) return;
    const found = new Set(
      [...this.#core.view.incidents()].filter(({ state }) => state === 'Open').map((one) => one.alertKey),
    );
    for (const { alertKey } of known) this.forgotten.push({ alertKey, isFound: found.has(alertKey) });
  }

  #node(name: string): RawObject {
    const since = this.#down.get(name);
    const status = since === undefined ? 'True' : 'Unknown';
    const condition = {
      type: 'Ready',
      status,
      reason: 'NodeStatusUnknown',
      lastTransitionTime: at(since ?? this.#now),
    };
    return {
      ...{ apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name, creationTimestamp: at(-90_000) }, spec: {} },
      status: { conditions: [condition] },
    };
  }

  #setNode(name: 'n1' | 'n2', ready: boolean): void {
    if (ready !== this.#down.has(name)) return;
    if (ready) this.#down.delete(name);
    else this.#down.set(name, this.#now);
    const own = pods.filter((pod) => nodeOf(pod) === name).map((pod) => this.#podEvent(pod));
    this.#turn(this.#now, ...[this.#keep(this.#node(name)), ...own].map(inputOf));
  }

  #setPod(name: PodName, health: Health): ObjectEvent {
    this.#pods.set(name, { health, since: this.#now });
    return this.#podEvent(name);
  }

  #podEvent(name: PodName): ObjectEvent {
    const { health, since } = this.#pods.get(name) ?? { health: 'gone', since: 0 };
    const [namespace = '', own = ''] = name.split('/');
    const key = `pods/${name}`;
    const raw = this.#podOf(health, own, namespace, nodeOf(name), since);
    if (health !== 'gone') return this.#keep(raw);
    this.#truth.delete(key);
    return { is: 'gone', raw };
  }

  #podOf(health: Health, name: string, namespace: string, nodeName: string, since: number): RawObject {
    const down = this.#down.get(nodeName);
    const base = health === 'crashing' ? crashing(name, since) : healthy(name, since);
    const raw = health === 'withoutSecret' ? waiting(base, since) : base;
    const place = {
      metadata: { ...raw.metadata, namespace, creationTimestamp: at(-900) },
      spec: { ...Object(raw.spec), nodeName },
    };
    if (down === undefined || health !== 'healthy') return { ...raw, ...place };
    // What the lifecycle controller writes of the Pods of a Node that is silent.
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: at(down) }];
    return { ...raw, ...place, status: { ...Object(raw.status), conditions } };
  }

  #keep(raw: RawObject): ObjectEvent {
    const from = raw.kind === 'Node' ? 'nodes' : 'pods';
    this.#truth.set(`${from}/${raw.metadata.namespace ?? ''}/${raw.metadata.name}`.replace('//', '/'), {
      source: from,
      raw,
    });
    return { is: 'put', raw };
  }

  #hear(...events: readonly ObjectEvent[]): void {
    this.#turn(this.#now, ...events.map(inputOf));
  }

  #turn(seconds: number, ...inputs: readonly Input[]): void {
    this.#now = Math.max(this.#now, seconds);
    if (this.#together) {
      this.#together.push(...inputs);
      return;
    }
    for (let next = this.#order(inputs); next.length > 0; ) {
      const effects: Effects = this.#core.turn(next, instant(this.#now));
      this.#wakeAt = effects.wakeAt;
      this.#store.commit(effects.save);
      this.turns.push({ now: this.#now, decisions: effects.save.audit, core: this.#core });
      next = this.#order(this.#deliver().map((report) => ({ kind: 'outcome', report })));
    }
  }

  /** What can be delivered is; what is refused ends for good. */
  #deliver(): DeliveryReport[] {
    const now = instant(this.#now);
    const reports = this.#store
      .takeDropped()
      .map(({ delivery, attempts, mayHaveArrived }) =>
        reportOf(delivery, { ended: 'dropped', attempts, mayHaveArrived }, now),
      );
    for (const { delivery } of this.#store.outbox()) {
      const [owner] = [...this.#fates.values()].filter(({ uid }) => uid === delivery.providerUid);
      if (owner === undefined || owner.fate === 'deleted' || owner.fate === 'refuses') {
        const failure = { class: 'permanent', code: owner ? 'Rejected' : 'ProviderDeleted', message: 'no' } as const;
        this.#store.settle(delivery.id, { is: 'failed', at: now, failure });
        reports.push(reportOf(delivery, { ended: 'failed', attempts: 1, mayHaveArrived: false, failure }, now));
      } else if (owner.fate === 'silent') {
        if (this.#overdue.has(delivery.id)) continue;
        this.#overdue.add(delivery.id);
        const failure = { class: 'retryable', code: 'ServerError', message: 'HTTP 503' } as const;
        const hasFallback = /^uid-(?:oncall|pager)/.test(owner.uid);
        const end = { ended: 'pending', attempts: 5, mayHaveArrived: false, failure } as const;
        reports.push(reportOf(delivery, hasFallback ? { ...end, overdue: true } : end, now));
      } else if (owner.fate === 'works' && this.#store.begin(delivery.id)) {
        this.#store.settle(delivery.id, { is: 'delivered', at: now, outcome: { is: 'delivered' } });
        reports.push(reportOf(delivery, { ended: 'delivered', attempts: 1, mayHaveArrived: true }, now));
        const { providerUid: uid, notification } = delivery;
        this.heard.push({ uid, life: this.#forgets, at: this.#now, delivery, notification });
      }
    }
    return reports;
  }
}

const inputOf = (event: ObjectEvent): Input => ({
  kind: 'objects',
  source: event.raw.kind === 'Node' ? 'nodes' : 'pods',
  events: [event],
});

/** The Pod, waiting for a Secret that is not there. */
function waiting(raw: RawObject, since: number): RawObject {
  const state = { waiting: { reason: 'CreateContainerConfigError', message: 'secret "token" not found' } };
  return {
    ...raw,
    status: {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: at(since) }],
      containerStatuses: [
        { name: 'app', image: 'registry.example/api:1', imageID: '', ready: false, restartCount: 0, state },
      ],
    },
  };
}

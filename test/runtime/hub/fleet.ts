import { Dispatcher } from '../../../src/delivery/dispatcher.ts';
import type { DispatchedType } from '../../../src/delivery/types.ts';
import type { Outcome } from '../../../src/model/delivery.ts';
import type { HubView } from '../../../src/model/hub.ts';
import type { Decision, Incident } from '../../../src/model/incident.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { redact } from '../../../src/model/redact.ts';
import { Secret } from '../../../src/model/secret.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../../src/model/settings.ts';
import { type Answer, type SendRequest, TransportError } from '../../../src/providers/provider.ts';
import { HubDesk } from '../../../src/runtime/hub/desk.ts';
import { HubMember } from '../../../src/runtime/hub/member.ts';
import { Loop } from '../../../src/runtime/loop/loop.ts';
import { MemoryStore } from '../../../src/state/memory.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { Core } from '../../../src/turn/core.ts';
import { provider } from '../../delivery/stage.ts';
import { type VirtualClock, virtualClock } from '../../kube/support/virtual-clock.ts';
import { coverage } from '../helpers.ts';

/** What hub and members sign with. */
export const fleetKey = 'k'.repeat(32);

/** What reached people. */
export type Told = {
  readonly cluster: string;
  /** Seconds since the clock began. */
  readonly second: number;
  readonly provider: string;
  readonly act: string;
  readonly title: string;
  readonly text: string;
};

/** A cluster's Tocsin without its ends: core, loop, store and dispatcher, on the clock of all. */
export class Cluster {
  readonly core: Core;
  readonly loop: Loop;
  readonly decisions: Decision[] = [];
  readonly views: HubView[] = [];
  member: HubMember | undefined;
  settings: Settings;
  /** Its process goes on. */
  isAlive = true;
  readonly #dispatcher: Dispatcher;

  constructor(
    name: string,
    clock: VirtualClock,
    people: {
      readonly told: Told[];
      readonly answer?: ((cluster: string, provider: string) => Outcome) | undefined;
    },
    providers: readonly ProviderSettings[] = [provider('oncall')],
  ) {
    this.core = new Core({ clusterId: `id-${name}`, version: '1', traits: new Map() });
    const store = new MemoryStore();
    this.settings = {
      ...defaultSettings,
      app: { ...defaultSettings.app, clusterName: name },
      evidence: { ...defaultSettings.evidence, logs: false },
      providers,
    };
    const type: DispatchedType = {
      ...{ type: 'scripted', product: 'Scripted', plain: 'native', pacing: { perSecond: 100, burst: 100 } },
      join: (config) => config,
      deliver: async ({ delivery: { act }, notification: { title, lead, impact = '', note = '' }, config }) => {
        const to = (config as { readonly name: string }).name;
        const outcome = people.answer?.(name, to) ?? { is: 'delivered' };
        const second = (clock.now() - Date.UTC(2026, 0, 1)) / 1000;
        if (outcome.is === 'delivered')
          people.told.push({ cluster: name, second, provider: to, act, title, text: [lead, impact, note].join(' ') });
        return outcome;
      },
    };
    this.#dispatcher = new Dispatcher({
      ...{ namespace: 'tocsin', store, clock, hostNow: clock.now, random: () => 1, paused: false },
      providers: () => new Map(this.settings.providers.map((one) => [one.ref, one])),
      types: () => type,
      secrets: { open: async () => ({ values: new Map([['url', new Secret('https://x')]]), version: '1' }) },
      send: () => () => Promise.reject(new Error('this product does not send')),
      mail: () => ({
        send: () => Promise.reject(new Error('this product sends no mail')),
        check: () => Promise.reject(new Error('this product sends no mail')),
      }),
      report: (report) => this.loop.push({ kind: 'outcome', report }),
      holdsLock: () => this.isAlive,
      log: createLogger({ level: 'error', redact, stream: { write: () => undefined } }),
      metrics: createMetrics({ process: false }),
    });
    this.loop = new Loop({
      turn: this.core.turn,
      clock,
      carry: (effects) => {
        store.commit(effects.save);
        for (const decision of effects.save.audit) this.decisions.push(decision);
        this.#dispatcher.kick();
        this.member?.follow(effects.outside);
      },
      crashed(error) {
        throw error;
      },
    });
  }

  /** Everything is listed and empty; the baseline is taken. */
  begin(): void {
    this.loop.push({ kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } });
    this.loop.push({ kind: 'settings', settings: this.settings });
    this.loop.push({ kind: 'baseline' });
  }

  set(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    this.loop.push({ kind: 'settings', settings: this.settings });
  }

  put(...raws: readonly RawObject[]): void {
    this.loop.push({ kind: 'objects', source: 'pods', events: raws.map((raw) => ({ is: 'put', raw })) });
  }

  gone(...raws: readonly RawObject[]): void {
    this.loop.push({ kind: 'objects', source: 'pods', events: raws.map((raw) => ({ is: 'gone', raw })) });
  }

  incidents(): readonly Incident[] {
    return [...this.core.view.incidents()];
  }

  /** Its process is killed: nothing of it happens any more. */
  kill(): void {
    this.isAlive = false;
    this.loop.stop();
    this.member?.stop();
  }
}

/** What a test says of a fleet. */
export type FleetOptions = {
  readonly members: number;
  /** What a product of a cluster says; without it everything arrives. */
  readonly answer?: (cluster: string, provider: string) => Outcome;
  readonly hubProviders?: readonly ProviderSettings[];
  readonly memberProviders?: readonly ProviderSettings[];
  /** What the network makes of a request to the hub; without it, it arrives. */
  readonly network?: (body: string, member: string, deliver: () => Promise<Answer>) => Promise<Answer>;
  readonly key?: (member: string) => string;
};

const answerOf = (status: number, body: string): Answer => ({
  ...{ status, headers: {}, body },
  json: () => JSON.parse(body) as unknown,
  outcome: () => ({ is: 'delivered' }),
});

/** A hub and its members, on one clock. Everything between them is signed as over the network. */
export function startFleet(options: FleetOptions) {
  const clock = virtualClock();
  const told: Told[] = [];
  const people = { told, answer: options.answer };
  const counts: Record<string, number> = {};
  const openHub = (): { readonly cluster: Cluster; readonly desk: HubDesk } => {
    const cluster = new Cluster('hub', clock, people, options.hubProviders);
    cluster.settings = { ...cluster.settings, hub: { ...cluster.settings.hub, enabled: true } };
    const desk = new HubDesk({
      ...{ clock, hostNow: clock.now },
      settings: () => cluster.settings,
      open: async () => ({ values: new Map([['key', new Secret(fleetKey)]]), version: '1' }),
      push: (input) => cluster.loop.push(input),
      drain: () => cluster.loop.drain(),
      verdictsOn: (report) => cluster.core.view.verdictsOn(report),
      count: (outcome) => {
        counts[outcome] = (counts[outcome] ?? 0) + 1;
      },
    });
    cluster.begin();
    return { cluster, desk };
  };
  let hub = openHub();
  const members = Array.from({ length: options.members }, (_, index) => {
    const name = `prod-${String(index + 1).padStart(2, '0')}`;
    const cluster = new Cluster(name, clock, people, options.memberProviders);
    const key = options.key?.(name) ?? fleetKey;
    cluster.settings = { ...cluster.settings, hub: { ...cluster.settings.hub, url: 'https://hub.example.com' } };
    cluster.member = new HubMember({
      ...{ clock, hostNow: clock.now, random: () => (index % 10) / 10 },
      async send({ body }: SendRequest): Promise<Answer> {
        const text = String(body);
        const deliver = async (): Promise<Answer> => {
          if (!hub.cluster.isAlive)
            throw new TransportError('Unreachable', 'hub.example.com refuses connections', false);
          const reply = await hub.desk.take(text);
          return answerOf(reply.status, reply.body);
        };
        return options.network ? options.network(text, name, deliver) : deliver();
      },
      open: async () => ({ values: new Map([['key', new Secret(key)]]), version: '1' }),
      isReady: () => cluster.core.view.hasStarted(),
      about: () => ({
        ...{ cluster: `id-${name}`, name, version: '1', worst: [] },
        open: { critical: 0, high: 0, medium: 0, low: 0 },
      }),
      push: (input) => cluster.loop.push(input),
      count: () => undefined,
      changed: (view) => cluster.views.push(view),
    });
    cluster.begin();
    cluster.member.configure(cluster.settings.hub);
    return cluster;
  });
  return {
    ...{ clock, told, members, counts },
    get hub() {
      return hub.cluster;
    },
    get desk() {
      return hub.desk;
    },
    /** Another process in its place, which knows nothing. */
    restartHub(): void {
      hub = openHub();
    },
    /** Lets seconds pass. */
    pass: (seconds: number) => clock.advance(seconds * 1000),
    /** Seconds since the clock began. */
    second: () => (clock.now() - Date.UTC(2026, 0, 1)) / 1000,
    /** What was told, in brief: `hub open`, `prod-01 resolve`. */
    inShort: (): string[] => told.map(({ cluster, act }) => `${cluster} ${act}`),
    stop(): void {
      for (const each of [...members, hub.cluster]) each.kill();
    },
  };
}

/** Two Pods that cannot reach their registry, since an instant (epoch milliseconds). */
export function unreachable(now: number, host = 'registry.example.com', pods = ['api', 'web']): readonly RawObject[] {
  const at = new Date(now).toISOString();
  return pods.map((name) => {
    const image = `${host}/${name}:1`;
    const message = `Back-off pulling image "${image}": failed to do request: dial tcp 203.0.113.9:443: connect: connection refused`;
    return {
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: at },
      spec: { nodeName: 'n1', containers: [{ name: 'app', image }] },
      status: {
        phase: 'Pending',
        conditions: [
          { type: 'PodScheduled', status: 'True', lastTransitionTime: at },
          { type: 'Ready', status: 'False', lastTransitionTime: at },
        ],
        containerStatuses: [
          {
            ...{ name: 'app', image, ready: false, restartCount: 0 },
            state: { waiting: { reason: 'ImagePullBackOff', message } },
          },
        ],
      },
    };
  });
}

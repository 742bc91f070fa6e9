import { Dispatcher } from '../../src/delivery/dispatcher.ts';
import type { Names } from '../../src/delivery/resolver.ts';
import { createSender } from '../../src/delivery/send.ts';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import { redact } from '../../src/model/redact.ts';
import { Secret } from '../../src/model/secret.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import { emptyBatch } from '../../src/model/turn.ts';
import { splitConfig } from '../../src/providers/kit/config.ts';
import type { Mail } from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.ts';
import { dispatchedTypes } from '../../src/runtime/sending/provider-types.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { readCaseFile } from '../providers/conformance/case-file.ts';
import { startHttpProduct } from '../providers/conformance/http-product.ts';
import { startSmtpProduct } from '../providers/conformance/smtp-product.ts';
import type { Wire } from '../providers/conformance/wire.ts';
import { notifications } from '../providers/notifications.ts';
import { realClock, settled, virtualClock } from './clock.ts';
import { delivery, provider } from './stage.ts';

/** A configured provider, what its Secrets hold, and the ways to its product. */
type Neighbour = {
  readonly settings: ProviderSettings;
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly wire: Wire;
};

/** One provider of every type, each before a product of its own that works. */
export async function startNeighbours(): Promise<readonly Neighbour[]> {
  return Promise.all(
    providers.map(async (definition): Promise<Neighbour> => {
      const { wire: speaks, modes } = readCaseFile(definition.type);
      const mode = modes.get('default') ?? [...modes.values()][0];
      if (!mode) throw new Error(`${definition.type} has no fixtures`);
      return {
        settings: provider(definition.type, { type: definition.type, ...splitConfig(definition, mode.block) }),
        secrets: new Map(Object.entries(mode.secrets).map(([path, value]) => [path, new Secret(value)])),
        wire: speaks === 'smtp' ? await startSmtpProduct() : await startHttpProduct(mode.well),
      };
    }),
  );
}

const fromSecret = { secretKeyRef: { name: 'faulty', key: 'key' } };

/** Which type the faulty provider may be of, and its block for a product at an address. */
const faultyTypes = {
  webhook: () => ({ url: fromSecret }),
  incidentio: () => ({ url: fromSecret, apiKey: fromSecret }),
  matrix: (url: string) => ({ homeServer: url, accessToken: fromSecret, internalRoomId: '!room:example.org' }),
  zulip: (url: string) => ({ url, email: 'bot@example.org', token: fromSecret, channel: 'ops' }),
} as const;

/** The type of a faulty provider. */
export type FaultyType = keyof typeof faultyTypes;

function faultySettings({ url, type = 'webhook', fallback }: Faulty): ProviderSettings {
  const definition = providers.find((each) => each.type === type);
  if (!definition) throw new Error(`there is no provider type "${type}"`);
  return provider('faulty', {
    type,
    ...splitConfig(definition, faultyTypes[type](url)),
    ...(fallback && { fallback }),
  });
}

/** The provider whose product misbehaves. `tenant`: it is not the operator's own, with these networks allowed. */
type Faulty = {
  readonly url: string;
  readonly type?: FaultyType;
  readonly tenant?: { readonly allowed: readonly string[]; readonly resolver: Names };
  readonly fallback?: ProviderSettings['ref'];
};

const noMail: Mail = {
  send: () => Promise.reject(new Error('a webhook sends no mail')),
  check: () => Promise.reject(new Error('a webhook sends no mail')),
};

/** How long an attempt at the faulty product may take, in real milliseconds: plenty on loopback, however busy the machine is. */
const timeoutMs = 1_500;
/** Time passes in steps of this: far less than what ends an attempt that hangs. Milliseconds. */
const stepMs = 30_000;
/** A real wait that means that something hangs. */
const patienceMs = 20_000;

/** A provider, a webhook unless said, whose product misbehaves, among one of every type; hours pass at once, exchanges are real. */
export type Street = ReturnType<typeof openStreet>;

/** Opens it. */
export function openStreet(neighbours: readonly Neighbour[], faulty: Faulty) {
  const clock = virtualClock();
  const store = new MemoryStore();
  const reports: DeliveryReport[] = [];
  const own = faultySettings(faulty);
  const secrets = new Map(
    Object.keys(own.secrets).map((path) => [path, new Secret(path === 'url' ? faulty.url : 'token-of-a-test')]),
  );
  const all = new Map(neighbours.map((one) => [one.settings.ref, one]));
  const settings = new Map([own, ...neighbours.map((one) => one.settings)].map((each) => [each.ref, each]));
  const sender = createSender({
    ...{ clock: realClock, version: 'test', resolver: faulty.tenant?.resolver ?? { resolve: async () => [] } },
    settings: () => ({ timeoutMs, allowedPrivateDestinations: faulty.tenant?.allowed ?? [] }),
  });
  const send = sender.for({ allPrivate: faulty.tenant === undefined });
  let underWay = 0;
  const dispatcher = new Dispatcher({
    ...{ store, clock, hostNow: clock.now, random: () => 1, paused: false, holdsLock: () => true },
    namespace: 'tocsin',
    providers: () => settings,
    types: (type) => dispatchedTypes.get(type),
    secrets: {
      open: async (ref) => ({
        values: all.get(ref)?.secrets ?? secrets,
        version: '1',
      }),
    },
    send: ({ ref }, { minTimeoutMs }) => {
      const way = all.get(ref)?.wire.ways(minTimeoutMs, false).send ?? send;
      return async (request) => {
        underWay += 1;
        try {
          return await way(request);
        } finally {
          underWay -= 1;
        }
      };
    },
    mail: ({ ref }, { minTimeoutMs }) => all.get(ref)?.wire.ways(minTimeoutMs, false).mail ?? noMail,
    report: (report) => void reports.push(report),
    log: createLogger({ level: 'silent', redact }),
    metrics: createMetrics({ process: false }),
  });
  const isFaulty = (report: DeliveryReport): boolean => report.provider === own.ref;

  /** Resolves when it holds; time stands still meanwhile. */
  async function until(what: string, holds: () => boolean): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!holds()) {
      if (performance.now() > deadline) throw new Error(`not so after ${patienceMs / 1000} s: ${what}`);
      await settled();
    }
  }

  return {
    ...{ clock, store, dispatcher, until },
    /** How attempts and deliveries of the faulty provider ended. */
    own: (): readonly DeliveryReport[] => reports.filter(isFaulty),
    /** How those of all the others did. */
    others: (): readonly DeliveryReport[] => reports.filter((report) => !isFaulty(report)),
    /** Tells the faulty provider, and everybody else if asked, of an incident. */
    tell(stream: string, everybody = true): void {
      const to = everybody ? [own, ...neighbours.map(({ settings }) => settings)] : [own];
      const now = clock.now();
      const enqueue = to.map((each) => ({
        ...delivery(each, 'open', 1, { now, stream }),
        notification: notifications.open,
      }));
      store.commit({ ...emptyBatch, enqueue });
      dispatcher.kick();
    },
    /** Lets time pass, waiting for each exchange that begins meanwhile. */
    async pass(milliseconds: number): Promise<void> {
      const end = clock.now() + milliseconds;
      while (clock.now() < end) {
        await clock.advance(Math.min(stepMs, end - clock.now()));
        await until('the exchanges under way end', () => underWay === 0);
        await settled();
      }
    },
    async close(): Promise<void> {
      await dispatcher.stop(0);
      await sender.close();
    },
  };
}

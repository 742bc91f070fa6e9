import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Incident } from '../../src/model/incident.ts';
import type { Notification } from '../../src/model/notification.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Severity } from '../../src/model/severity.ts';
import type { DeadLetter } from '../../src/model/store.ts';
import { startServer } from '../../src/server/server.ts';
import type { StatusPage, StatusView } from '../../src/server/views.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noTenants, nothingPast } from './page-stage.ts';

const now = Date.parse('2026-11-20T09:00:00Z');

function incident(id: string, severity: Severity, more: Partial<Incident> = {}): Incident {
  return {
    id,
    alertKey: id,
    state: 'Open',
    startedAt: now - 60_000,
    openedAt: now - 30_000,
    revision: 1,
    recoveries: [],
    standings: {
      '': { disposition: 'Silenced', by: 'Silence/tocsin/quiet', at: now - 30_000 },
      shop: { disposition: 'Delivered', at: now - 30_000 },
    },
    hearings: {},
    explanation: {
      root: { ref: 'Deployment/shop/api', labels: {} },
      reason: 'CrashLoopBackOff',
      severity,
      confidence: 'high',
      members: [],
      affected: [{ ref: 'Pod/shop/api-1', labels: {} }],
      workloads: [],
      proof: [
        {
          ...({ code: 'ServedAfterEdit', servedMs: 60_000 } as const),
          change: {
            ref: 'Deployment/shop/api',
            field: 'image',
            at: now,
            from: 'api:1',
            to: 'api?password=CANARY-1234',
          },
        },
      ],
      trace: [],
    },
    ...more,
  };
}

const failed: DeadLetter = {
  delivery: {
    id: 'd',
    stream: 'i1',
    alertKey: 'k1',
    provider: 'AlertProvider/tocsin/oncall',
    providerUid: 'u1',
    act: 'open',
    sequence: 1,
    attemptKey: 'a',
    createdAt: now - 20_000,
    notBefore: now - 20_000,
    notification: {
      ...({ act: 'open', severity: 'high', title: 'CANARY', lead: 'CANARY' } as const),
      ...{ evidence: [], facts: [], links: [], cluster: '', at: now },
    },
  },
  endedAt: now - 10_000,
  attempts: 3,
  mayHaveArrived: false,
  failure: { class: 'permanent', code: 'AuthFailed', message: 'HTTP 403: token=CANARY-1234 is wrong' },
};

/** The words of an incident's message. */
const words = (): Notification => failed.delivery.notification;

const view: StatusView = {
  ...nothingPast,
  settings: defaultSettings,
  clusterName: 'prod-eu',
  words,
  incidents: [
    incident('low', 'low'),
    incident('late', 'critical'),
    incident('early', 'critical', { startedAt: now - 90_000 }),
    incident('over', 'critical', { state: 'Resolved' }),
    incident('settling', 'critical', { state: 'Settling' }),
  ],
  deadLetters: [failed],
  providers: [
    {
      ref: 'AlertProvider/tocsin/oncall',
      type: 'webhook',
      active: { is: true, reason: 'Selected' },
      usable: true,
      delivered: 2,
      failed: 1,
      pending: 0,
      failing: true,
      lastDelivery: { time: now - 40_000 },
      lastFailure: { time: now - 10_000, code: 'AuthFailed', message: 'HTTP 403' },
    },
  ],
};

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: string };

/** Runs `use` with a way to ask for the page. */
async function withPage(
  page: Partial<StatusPage> | undefined,
  use: (ask: (headers?: Readonly<Record<string, string>>, path?: string) => Promise<Answer>) => Promise<void>,
): Promise<void> {
  const whole: StatusPage = {
    allowPlainHTTP: true,
    view: () => view,
    why: () => ({ unclear: 'nobody asks' }),
    report: () => ({ unclear: 'nobody asks' }),
    authorize: async () => 'allowed',
    ...noTenants,
    ...page,
  };
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    views: {
      alive: () => true,
      ready: () => ({ checks: [] }),
      health: () => ({ reasons: [], edition: 'Community', version: '1.2.3', coverage: [] }),
      status: () => (page ? whole : undefined),
      metricsGuard: () => (page ? whole : undefined),
      now: () => now,
    },
    metrics: createMetrics({ process: false }),
    log: createLogger({ level: 'silent' }),
  });
  const ask = (headers: Readonly<Record<string, string>> = {}, path = '/status'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      // Unlike `fetch` it lets a test say its own Host.
      get({ host: '127.0.0.1', port: server.port, path, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      }).on('error', reject);
    });
  try {
    await use(ask);
  } finally {
    await server.close();
  }
}

/** A request that came through a proxy in the Pod, as all requests of a network do behind a mesh. */
const fromNetwork = { 'x-forwarded-for': '10.0.0.7' };

describe('/status', () => {
  test('answers by its schema', async () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
    addFormats.default(ajv);
    const read = (name: string): object =>
      JSON.parse(readFileSync(new URL(`../../docs/${name}.schema.json`, import.meta.url), 'utf8'));
    ajv.addSchema(read('health'));
    const validate = ajv.compile(read('status'));
    const empty: StatusView = { ...view, clusterName: '', incidents: [], words, deadLetters: [], providers: [] };
    for (const shown of [view, empty])
      await withPage({ view: () => shown }, async (ask) => {
        const { status, body, headers } = await ask();
        assert.equal(status, 200);
        assert.match(String(headers['content-type']), /^application\/json/);
        assert.ok(validate(JSON.parse(body)), JSON.stringify(validate.errors));
      });
  });
  test('lists what is open, worst and oldest first, with what became of it', () =>
    withPage({}, async (ask) => {
      const { incidents, providers, failedDeliveries } = JSON.parse((await ask()).body);
      assert.deepEqual(
        [incidents.total, incidents.worst.map(({ id }: { id: string }) => id)],
        [3, ['early', 'late', 'low']],
      );
      assert.deepEqual(incidents.worst[0].dispositions[0], {
        audience: '',
        disposition: 'Silenced',
        by: 'Silence/tocsin/quiet',
        since: '2026-11-20T08:59:30.000Z',
        until: null,
        summary: 'Silenced by Silence tocsin/quiet',
        says: 'It is silenced by Silence tocsin/quiet.',
        providers: [],
      });
      assert.deepEqual(
        [failedDeliveries.total, failedDeliveries.newest[0].attempts, providers[0].failing],
        [1, 3, true],
      );
    }));
  test('holds no credential and no text of a message', () =>
    withPage({}, async (ask) => assert.doesNotMatch((await ask()).body, /CANARY/)));
  test('is bounded, and says how many there are', () => {
    const incidents = Array.from({ length: 800 }, (_, index) => incident(`i${index}`, 'high'));
    return withPage({ view: () => ({ ...view, incidents }) }, async (ask) => {
      const { total, worst } = JSON.parse((await ask()).body).incidents;
      assert.deepEqual([total, worst.length], [800, 500]);
    });
  });
  test('is not there unless it is enabled', () =>
    withPage(undefined, async (ask) => {
      const [page, nothing] = [await ask(), await ask({}, '/nothing')];
      assert.deepEqual([page.status, page.body], [404, nothing.body]);
    }));
});

for (const path of ['/status', '/metrics'])
  describe(`who reads ${path}`, () => {
    const rows: readonly (readonly [string, Partial<StatusPage>, Readonly<Record<string, string>>, number])[] = [
      ['a port-forward needs no token', { allowPlainHTTP: false }, {}, 200],
      ['by the name localhost too', { allowPlainHTTP: false }, { host: 'localhost:8060' }, 200],
      [
        'another name for loopback is a page in a browser that lies',
        { allowPlainHTTP: false },
        { host: 'evil.example:8060' },
        403,
      ],
      ['a proxy in the Pod speaks for the network', { allowPlainHTTP: false }, fromNetwork, 403],
      ['over the network without a token', {}, fromNetwork, 401],
      ['with a password instead', {}, { ...fromNetwork, authorization: 'Basic YTpi' }, 401],
      ['with a token that may', {}, { ...fromNetwork, authorization: 'Bearer t.o-k_e~n+/=' }, 200],
      [
        'with a token that may not',
        { authorize: async () => 'forbidden' },
        { ...fromNetwork, authorization: 'Bearer t' },
        403,
      ],
      [
        'with a token nobody knows',
        { authorize: async () => 'unauthenticated' },
        { ...fromNetwork, authorization: 'bearer t' },
        401,
      ],
      [
        'when the cluster cannot be asked',
        { authorize: () => Promise.reject(new Error('CANARY')) },
        { ...fromNetwork, authorization: 'Bearer t' },
        503,
      ],
    ];
    for (const [title, page, headers, expected] of rows)
      test(`${title}: ${expected}`, () =>
        withPage(page, async (ask) => {
          const { status, body, headers: answered } = await ask(headers, path);
          assert.equal(status, expected, body);
          assert.equal(answered['www-authenticate'] !== undefined, expected === 401);
          if (expected === 403 && page.authorize) assert.ok(body.includes(path), body);
          if (expected !== 200) assert.ok(JSON.parse(body).message.length > 20 && !body.includes('CANARY'), body);
        }));
    test('a token is shown to nobody but the cluster, and not before plain HTTP is allowed', async () => {
      const seen: string[] = [];
      const authorize = async (token: string): Promise<'allowed'> => {
        seen.push(token);
        return 'allowed';
      };
      const headers = { ...fromNetwork, authorization: 'Bearer abc' };
      await withPage({ allowPlainHTTP: false, authorize }, async (ask) => void (await ask(headers, path)));
      assert.deepEqual(seen, []);
      await withPage({ authorize }, async (ask) => void (await ask(headers, path)));
      assert.deepEqual(seen, ['abc']);
    });
    test('a flood of tokens does not become a flood of reviews', async () => {
      const [asked, allowed] = [20, 5];
      let running = 0;
      let refused = 0;
      const gate = Promise.withResolvers<'allowed'>();
      // Reviews end when every request is either reviewed or refused.
      const open = (): void => {
        if (running + refused === asked) gate.resolve('allowed');
      };
      const authorize = (): Promise<'allowed'> => {
        running += 1;
        open();
        return gate.promise;
      };
      await withPage({ authorize }, async (ask) => {
        const answers = Array.from({ length: asked }, async (_, index) => {
          const { status } = await ask({ ...fromNetwork, authorization: `Bearer t${index}` }, path);
          if (status === 429 || status === 503) refused += 1;
          open();
          return status;
        });
        const statuses = await Promise.all(answers);
        assert.deepEqual([running, statuses.filter((status) => status === 200).length], [allowed, allowed]);
      });
    });
  });

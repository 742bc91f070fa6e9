import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { document } from '../../src/providers/goalert/graphql.ts';
import { hostile } from '../providers/conformance/hostile.ts';
import { prepareServer } from './build.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { answers, ask, directoryFor, freePort, run, type Server, startServer } from './server.ts';
import { assertBadCredential, assertGood, assertRefused, configure, notifications } from './story.ts';

const { open, update, resolve, reopen, test: testMessage } = notifications;

/** An alert as GoAlert shows it. */
type Alert = {
  readonly alertID: number;
  readonly status: 'StatusUnacknowledged' | 'StatusAcknowledged' | 'StatusClosed';
  readonly summary: string;
  readonly details: string;
  readonly meta: readonly { readonly key: string; readonly value: string }[];
};

describe('GoAlert', () => {
  let postgres: Postgres;
  let server: Server;
  let url: string;
  let session: string;
  before(async () => {
    const program = join(await prepareServer('goalert'), 'goalert');
    postgres = await startPostgres();
    const db = ['--db-url', postgres.database('goalert')];
    run(program, ['migrate', ...db]);
    const admin = ['--admin', '--user', 'admin', '--pass', 'admin-password', '--email', 'admin@example.com'];
    run(program, ['add-user', ...db, ...admin]);
    const listen = `127.0.0.1:${await freePort()}`;
    url = `http://${listen}`;
    server = await startServer({
      name: 'goalert',
      path: program,
      args: [...db, '--listen', listen, '--public-url', url, '--stub-notifiers', '--data-encryption-key', 'tests'],
      directory: directoryFor('goalert'),
      healthy: () => answers(`${url}/health`),
    });
    const login = await fetch(`${url}/api/v2/identity/providers/basic?noRedirect=1`, {
      method: 'POST',
      headers: { referer: `${url}/` },
      body: new URLSearchParams({ username: 'admin', password: 'admin-password' }),
    });
    session = await login.text();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  async function graphql(query: string, input: unknown): Promise<Readonly<Record<string, unknown>>> {
    const headers = { authorization: `Bearer ${session}` };
    const { data, errors } = Object(
      await ask('POST', `${url}/api/graphql`, { headers, json: { query, variables: { input } } }),
    );
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  }

  let serviceId: string;
  let keys: Readonly<Record<string, string>>;
  let count = 0;
  /** Every test has a service of its own, with a key for each interface. */
  beforeEach(async () => {
    count += 1;
    const { createService } = await graphql(
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id integrationKeys { id } } }',
      {
        name: `Tested ${count}`,
        newEscalationPolicy: { name: `Policy ${count}`, steps: [{ delayMinutes: 5, targets: [] }] },
        newIntegrationKeys: [{ type: 'generic', name: 'tocsin' }],
      },
    );
    const { createGQLAPIKey } = await graphql(
      'mutation ($input: CreateGQLAPIKeyInput!) { createGQLAPIKey(input: $input) { token } }',
      {
        ...{ name: `tocsin ${count}`, description: '', role: 'user', query: document },
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      },
    );
    const service = Object(createService);
    serviceId = service.id;
    keys = { generic: service.integrationKeys[0].id, graphql: Object(createGQLAPIKey).token };
  });
  /** What people see of the service, oldest first. */
  async function alerts(): Promise<readonly Alert[]> {
    const found = await graphql(
      'query ($input: AlertSearchOptions!) { alerts(input: $input) { nodes { alertID status summary details meta { key value } } } }',
      { filterByServiceID: [serviceId], includeNotified: false },
    );
    const nodes: readonly Alert[] = Object(found.alerts).nodes;
    return nodes.toSorted((a, b) => a.alertID - b.alertID);
  }
  const statuses = async (): Promise<readonly string[]> => (await alerts()).map(({ status }) => status);
  const withKey = (token: string) => configure('goalert', { url, serviceId }, { token });

  for (const way of ['generic', 'graphql'])
    describe(`with a key of the ${way} interface`, () => {
      const goalert = () => withKey(keys[way] ?? '');

      test('an incident is one alert, closed at its end; a relapse is a new one', async () => {
        await using provider = goalert();
        await provider.tell(open);
        const [alert] = await alerts();
        assert.match(alert?.summary ?? '', /shop\/payments crashes: image 2\.3/);
        assert.match(alert?.details ?? '', /It began at 12:11 UTC[\s\S]*starting "payments" <2\.4>/);
        const meta = Object.fromEntries(alert?.meta.map(({ key, value }) => [key, value]) ?? []);
        assert.equal(meta.severity, 'high');
        await provider.tell(update);
        assert.deepEqual(await statuses(), ['StatusUnacknowledged']);
        await provider.tell(resolve);
        assert.deepEqual(await statuses(), ['StatusClosed']);
        await provider.tell(reopen);
        assert.deepEqual(await statuses(), ['StatusClosed', 'StatusUnacknowledged']);
      });

      test('its end finds the alert after every reference was lost, and is well when there is none', async () => {
        await using provider = goalert();
        await provider.tell(open);
        provider.forget();
        await provider.tell(resolve);
        assert.deepEqual(await statuses(), ['StatusClosed']);
        provider.forget();
        await provider.tell(resolve);
        assert.deepEqual(await statuses(), ['StatusClosed']);
      });

      test('a test opens and closes an alert; a hostile one links nowhere and stays in its fence', async () => {
        await using provider = goalert();
        await provider.tell(testMessage);
        assert.deepEqual(await statuses(), ['StatusClosed']);
        await provider.tell(hostile());
        const [, alert] = await alerts();
        assert.ok(alert && !/[\r\n]/.test(alert.summary) && [...alert.summary].length <= 160);
        assert.doesNotMatch(alert.summary, /<!channel|<@U/);
        const outsideCode = alert.details.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
        assert.doesNotMatch(outsideCode, /\]\(https?:\/\/evil|https:\/\/evil/);
        assert.equal(alert.details.match(/^```/gm)?.length, 2, alert.details);
      });

      test('the check finds a good key good, a bad one bad, and opens nothing', async () => {
        await using good = goalert();
        assertGood(await good.check());
        const bad = way === 'generic' ? '00000000-0000-4000-8000-000000000000' : 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA';
        await using wrong = withKey(bad);
        assertBadCredential(await wrong.check());
        assertRefused(await wrong.try(open));
        assert.deepEqual(await alerts(), []);
      });
    });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hindrance } from '../../../src/model/heartbeat.ts';
import { openSecret, Secret } from '../../../src/model/secret.ts';
import type { OpenedSecrets, UnopenedSecrets } from '../../../src/model/secret-source.ts';
import { type Answer, type SendRequest, TransportError } from '../../../src/providers/provider.ts';
import { Heartbeat } from '../../../src/runtime/sending/heartbeat.ts';
import { type VirtualClock, virtualClock } from '../../delivery/clock.ts';

const minute = 60_000;
const url = { secret: 'dead-man', key: 'url' };

/** A heartbeat whose switch answers as told. */
function beating(random: () => number = () => 1): {
  readonly heartbeat: Heartbeat;
  readonly clock: VirtualClock;
  /** When it was requested, in seconds from the start, and the address. */
  readonly requests: (readonly [number, string])[];
  readonly asked: boolean[];
  readonly views: string[];
  readonly counted: Record<'accepted' | 'failed', number>;
  readonly state: {
    status: number;
    error?: Error;
    hindrances: readonly Hindrance[];
    opened: OpenedSecrets | UnopenedSecrets;
  };
} {
  const clock = virtualClock();
  const begunAt = clock.now();
  const requests: (readonly [number, string])[] = [];
  const asked: boolean[] = [];
  const views: string[] = [];
  const counted = { accepted: 0, failed: 0 };
  const values = new Map([['url', new Secret('https://switch.example/ping/1')]]);
  const state: ReturnType<typeof beating>['state'] = { status: 200, hindrances: [], opened: { values, version: '1' } };
  const heartbeat = new Heartbeat({
    ...{ clock, random },
    async send({ method, url: address }: SendRequest): Promise<Answer> {
      assert.equal(method, 'GET');
      requests.push([(clock.now() - begunAt) / 1000, openSecret(address as Secret)]);
      if (state.error) throw state.error;
      return {
        status: state.status,
        headers: {},
        body: '',
        json: () => undefined,
        outcome: () => ({ is: 'delivered' }),
      };
    },
    open: async (fresh) => {
      asked.push(fresh);
      return state.opened;
    },
    hindrances: () => state.hindrances,
    count: (outcome) => {
      counted[outcome] += 1;
    },
    changed: (view) => views.push(view.is),
  });
  return { heartbeat, clock, requests, asked, views, counted, state };
}

test('it is requested at once and then every interval, and not any more once it is taken away', async () => {
  const { heartbeat, clock, requests, views } = beating();
  heartbeat.configure({ intervalSeconds: 60, url });
  await clock.advance(3 * minute);
  assert.deepEqual(
    requests.map(([at]) => at),
    [0, 60, 120, 180],
  );
  heartbeat.configure(undefined);
  await clock.advance(5 * minute);
  assert.equal(requests.length, 4);
  assert.deepEqual(views, ['pending', 'sent', 'off']);
});

test('chance makes an interval shorter by a tenth at most, never longer', async () => {
  let turn = 0;
  const { heartbeat, clock, requests } = beating(() => (turn++ % 5) / 5);
  heartbeat.configure({ intervalSeconds: 60, url });
  await clock.advance(10 * minute);
  assert.ok(new Set(requests.map(([at], index) => at - (requests[index - 1]?.[0] ?? 0))).size > 3);
  for (const [index, [at]] of requests.entries()) {
    const before = requests[index - 1]?.[0] ?? at - 60;
    assert.ok(at - before <= 60 && at - before >= 54);
  }
});

test('it is withheld while anything hinders it, and requested within 5 s of the end of that', async () => {
  const { heartbeat, clock, requests, state, views } = beating();
  state.hindrances = ['SourceNotWatched'];
  heartbeat.configure({ intervalSeconds: 60, url });
  await clock.advance(10 * minute);
  assert.deepEqual([requests.length, heartbeat.view()], [0, { is: 'withheld', because: ['SourceNotWatched'] }]);
  state.hindrances = [];
  await clock.advance(5_000);
  assert.equal(requests.length, 1);
  state.hindrances = ['DeliveryFailing', 'LockNotHeld'];
  await clock.advance(10 * minute);
  assert.equal(requests.length, 1);
  assert.deepEqual(views, ['pending', 'withheld', 'sent', 'withheld']);
});

test('what comes in between while its Secret is read withholds it as well', async () => {
  const { heartbeat, clock, requests, state } = beating();
  const { opened } = state;
  Object.defineProperty(state, 'opened', {
    get: () => {
      state.hindrances = ['LockNotHeld'];
      return opened;
    },
  });
  heartbeat.configure({ intervalSeconds: 60, url });
  await clock.advance(minute);
  assert.deepEqual([requests.length, heartbeat.view().is], [0, 'withheld']);
});

test('a failure is said with its reason and tried again sooner; then its Secret is read anew', async () => {
  const { heartbeat, clock, requests, asked, counted, state } = beating();
  state.status = 404;
  heartbeat.configure({ intervalSeconds: 60, url });
  await clock.advance(minute);
  assert.deepEqual(heartbeat.view(), { is: 'failing', why: 'it answered 404' });
  assert.deepEqual(
    requests.map(([at]) => at),
    [0, 10, 30],
  );
  assert.deepEqual(asked, [false, true, true]);
  await clock.advance(5 * minute);
  assert.ok(requests.length <= 9, 'never more often than the interval for long');
  state.status = 204;
  state.opened = { values: new Map([['url', new Secret('https://switch.example/ping/2')]]), version: '2' };
  await clock.advance(minute);
  assert.equal(heartbeat.view().is, 'sent');
  assert.equal(requests.at(-1)?.[1], 'https://switch.example/ping/2');
  assert.equal(counted.accepted, 1);
});

test('each way to fail has its words, none of which holds the address', async () => {
  const { heartbeat, clock, state } = beating();
  heartbeat.configure({ intervalSeconds: 10, url });
  const says = async (change: Partial<typeof state>): Promise<string> => {
    Object.assign(state, { status: 200, error: undefined, ...change });
    await clock.advance(10_000);
    const view = heartbeat.view();
    return view.is === 'failing' ? view.why : view.is;
  };
  const { opened } = state;
  const missing = 'Secret/tocsin/dead-man';
  assert.match(await says({ status: 302 }), /a redirect, which is not followed/);
  assert.equal(
    await says({ error: new TransportError('Timeout', 'no whole answer from switch.example within 10 s', true) }),
    'no whole answer from switch.example within 10 s',
  );
  assert.equal(await says({ opened: { missing } }), 'the Secret dead-man does not exist');
  assert.equal(await says({ opened: { missing, key: 'url' } }), 'the Secret dead-man has no key url');
  assert.match(
    await says({ opened: { missing, denied: true, permission: 'get secrets in namespace tocsin' } }),
    /grant get secrets/,
  );
  assert.equal(
    await says({ opened, error: new Error('https://switch.example/ping/1') }),
    'the API server does not give out its Secret',
  );
  assert.equal(await says({}), 'sent');
});

test('another interval counts at once, and the end of a request that was under way says nothing', async () => {
  const { heartbeat, clock, requests } = beating();
  heartbeat.configure({ intervalSeconds: 3600, url });
  await clock.advance(minute);
  heartbeat.configure({ intervalSeconds: 3600, url });
  await clock.advance(minute);
  assert.equal(requests.length, 1);
  heartbeat.configure({ intervalSeconds: 30, url });
  await clock.advance(60_000);
  assert.equal(requests.length, 4);
  heartbeat.stop();
  await clock.advance(3_600_000);
  assert.equal(requests.length, 4);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HubVerdict, HubView, HubWord, OutsideCause } from '../../../src/model/hub.ts';
import { Secret } from '../../../src/model/secret.ts';
import type { OpenedSecrets, UnopenedSecrets } from '../../../src/model/secret-source.ts';
import { type Answer, type SendRequest, TransportError } from '../../../src/providers/provider.ts';
import { seal, unseal } from '../../../src/runtime/hub/envelope.ts';
import { HubMember } from '../../../src/runtime/hub/member.ts';
import { virtualClock } from '../../kube/support/virtual-clock.ts';

const key = new Secret('k'.repeat(32));
const opened = (secret: Secret): OpenedSecrets => ({ values: new Map([['key', secret]]), version: '1' });
const hub = { url: 'https://hub.example.com/tocsin/', enabled: false };
const cause: OutsideCause = {
  ...{ id: 'i1', root: 'Registry//ghcr.io', reason: 'RegistryUnreachable', severity: 'high', since: 1, affected: 2 },
};

/** A member whose hub answers as told. */
function begun() {
  const clock = virtualClock();
  const start = clock.now();
  const state: {
    verdict: HubVerdict;
    secrets: OpenedSecrets | UnopenedSecrets;
    ready: boolean;
    answer?: (nonce: string) => { status: number; body: string } | Error;
  } = { verdict: 'told', secrets: opened(key), ready: true };
  const posts: { readonly second: number; readonly url: string; readonly causes: number }[] = [];
  const words: (HubWord | undefined)[] = [];
  const views: HubView[] = [];
  const member = new HubMember({
    ...{ clock, hostNow: clock.now, random: () => 1 },
    async send({ url, body }: SendRequest): Promise<Answer> {
      const summary = JSON.parse(unseal(key, 'summary', String(body)) ?? '{}');
      const { nonce, causes = [] } = summary as { nonce: string; causes: readonly OutsideCause[] };
      posts.push({ second: (clock.now() - start) / 1000, url: String(url), causes: causes.length });
      const verdicts = Object.fromEntries(causes.map(({ id }) => [id, state.verdict]));
      const text = JSON.stringify({ to: nonce, name: 'central', verdicts });
      const answer = state.answer?.(nonce) ?? { status: 200, body: seal(key, 'answer', text) };
      if (answer instanceof Error) throw answer;
      return { ...answer, headers: {}, json: () => undefined, outcome: () => ({ is: 'delivered' }) };
    },
    open: async () => state.secrets,
    isReady: () => state.ready,
    about: () => ({
      ...{ cluster: 'c', name: 'prod', version: '1', worst: [] },
      open: { critical: 0, high: 0, medium: 0, low: 0 },
    }),
    push: (input) => void (input.kind === 'hub' && words.push(input.word)),
    count: () => undefined,
    changed: (view) => views.push(view),
  });
  return { clock, state, posts, words, views, member, start };
}

test('a summary is posted every quarter of a minute, at once when something is new, and every two seconds while an answer is waited for', async () => {
  const { clock, posts, member, state } = begun();
  member.configure(hub);
  await clock.advance(31_000);
  assert.deepEqual(
    posts.map(({ second }) => second),
    [0, 15, 30],
  );
  assert.equal(posts[0]?.url, 'https://hub.example.com/tocsin/hub');
  state.verdict = 'pending';
  member.follow([cause]);
  await clock.advance(5_000);
  assert.deepEqual(
    posts.slice(3).map(({ second, causes }) => [second, causes]),
    [
      [31.5, 1],
      [33.5, 1],
      [35.5, 1],
    ],
  );
  state.verdict = 'told';
  await clock.advance(18_000);
  assert.deepEqual(
    posts.slice(6).map(({ second }) => second),
    [37.5, 52.5],
  );
  state.verdict = 'pending';
  member.follow([{ ...cause, severity: 'critical' }]);
  await clock.advance(60_000);
  // After twenty seconds nobody waits for it any more.
  assert.ok(posts.length - 8 >= 11 && posts.length - 8 <= 15, `${posts.length - 8}`);
  posts.length = 8;
  // What has not settled is not waited for.
  state.verdict = 'pending';
  member.follow([{ ...cause, isUnsettled: true }]);
  await clock.advance(10_000);
  assert.equal(posts.length, 9);
});

test('what the hub has told counts for a minute from when it was asked; what it tells no more for ten seconds, or not at all', async () => {
  const { clock, words, member, state, start } = begun();
  member.follow([cause]);
  member.configure(hub);
  await clock.advance(1_000);
  assert.deepEqual(words.at(-1), {
    ...{ name: 'central', awaitedUntil: start + 60_000, declined: [] },
    told: { i1: start + 60_000 },
  });
  state.verdict = 'pending';
  await clock.advance(14_500);
  assert.deepEqual(words.at(-1)?.told, { i1: start + 25_000 });
  await clock.advance(20_000);
  assert.deepEqual(words.at(-1)?.told, {});
  state.verdict = 'declined';
  await clock.advance(15_000);
  assert.deepEqual([words.at(-1)?.told, words.at(-1)?.declined], [{}, ['i1']]);
});

test('what does not come from the hub says nothing, and why it does not answer is said without the key', async () => {
  const { clock, words, views, member, state } = begun();
  state.answer = () => ({ status: 200, body: '<html>hello</html>' });
  member.configure(hub);
  const why = async (
    answer: ((nonce: string) => { status: number; body: string } | Error) | undefined,
    secrets: typeof state.secrets = opened(key),
  ): Promise<string> => {
    if (answer) state.answer = answer;
    state.secrets = secrets;
    await clock.advance(15_000);
    const view = member.view();
    return view.is === 'failing' ? view.why : view.is;
  };
  const told = (signer: Secret) => (nonce: string) => ({
    status: 200,
    body: seal(signer, 'answer', JSON.stringify({ to: nonce, name: 'central', verdicts: {} })),
  });
  assert.match(await why(undefined), /has not the key of the hub/);
  assert.match(await why(told(new Secret('x'.repeat(32)))), /has not the key of the hub/);
  assert.match(await why(() => told(key)('another')), /to another summary/);
  assert.equal(await why(() => ({ status: 502, body: '<html>' })), 'it answered 502');
  const hostile = await why(() => ({
    status: 409,
    body: JSON.stringify({ message: `late\u001b[31m\n${'x'.repeat(900)}` }),
  }));
  assert.ok(/^it answered 409: late [ -~]*$/.test(hostile) && hostile.length < 230, hostile);
  assert.equal(await why(() => new TransportError('Timeout', 'no answer within 10 s', true)), 'no answer within 10 s');
  assert.match(await why(told(key), { missing: 'Secret/tocsin/hub' }), /the Secret hub does not exist/);
  assert.match(await why(told(key), { missing: 'Secret/tocsin/hub', key: 'key' }), /has no key key/);
  const denied = { missing: 'Secret/tocsin/hub', denied: true, permission: 'get secrets in namespace tocsin' } as const;
  assert.match(await why(told(key), denied), /grant get secrets in namespace tocsin/);
  assert.match(await why(told(key), opened(new Secret('short'))), /fewer than 32 characters/);
  assert.deepEqual(words, []);
  assert.equal(await why(told(key)), 'answering');
  assert.doesNotMatch(JSON.stringify(views), /kkkk|xxxxx{300}|short'/);
});

test('nothing is posted before it is known what is open, and nothing after the end', async () => {
  const { clock, posts, member, state } = begun();
  state.ready = false;
  member.configure(hub);
  await clock.advance(10_000);
  assert.equal(posts.length, 0);
  state.ready = true;
  await clock.advance(2_000);
  assert.equal(posts.length, 1);
  member.stop();
  member.follow([cause]);
  await clock.advance(60_000);
  assert.equal(posts.length, 1);
});

test('whose hub is taken away, or who becomes one, goes by no word any more', async () => {
  for (const next of [{ enabled: false }, { ...hub, enabled: true }, { ...hub, url: 'https://other.example.com' }]) {
    const { clock, words, member, posts } = begun();
    member.follow([cause]);
    member.configure(hub);
    await clock.advance(1_000);
    assert.equal(words.length, 1);
    member.configure(next);
    assert.deepEqual([words.length, words[1]], [2, undefined]);
    await clock.advance(1_000);
    assert.equal(posts.length, 'url' in next && !next.enabled ? 2 : 1);
  }
});

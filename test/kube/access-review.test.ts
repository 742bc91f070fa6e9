import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccessReview } from '../../src/kube/access-review.ts';
import { ApiError } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { sendJson, sendStatus, startFakeApi } from './support/fake-api.ts';
import { realClock } from './support/real-clock.ts';

/** What the API server says to both reviews, and what came of it. */
async function review(
  token: object | undefined,
  access: object | undefined,
  what: Parameters<ReturnType<typeof createAccessReview>>[1] = { path: '/status' },
) {
  const api = await startFakeApi(({ path, body }, response) => {
    const status = path.endsWith('/tokenreviews') ? token : access;
    if (status) sendJson(response, 201, { ...JSON.parse(body), status });
    else sendStatus(response, 500, 'InternalError', 'no');
  });
  const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock: realClock, version: '0' });
  try {
    const came = await createAccessReview(client)('TOKEN', what).catch((error: unknown) => error);
    return { came, asked: api.seen.map(({ path, body }) => ({ path, spec: JSON.parse(body).spec })) };
  } finally {
    await client.close();
    await api.close();
  }
}

const user = { username: 'lena', uid: 'u1', groups: ['sre'], extra: { scopes: ['a'] } };

test('a known bearer is asked about with everything that is known of them', async () => {
  const { came, asked } = await review({ authenticated: true, user }, { allowed: true });
  assert.equal(came, 'allowed');
  const { username, ...rest } = user;
  assert.deepEqual(asked, [
    { path: '/apis/authentication.k8s.io/v1/tokenreviews', spec: { token: 'TOKEN' } },
    {
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      spec: { user: username, ...rest, nonResourceAttributes: { path: '/status', verb: 'get' } },
    },
  ]);
});

test('whoever may not is forbidden', async () => {
  assert.equal((await review({ authenticated: true, user }, { allowed: false })).came, 'forbidden');
  assert.equal((await review({ authenticated: true, user }, {})).came, 'forbidden');
});

test('a token that nobody knows is not asked about further', async () => {
  for (const token of [
    { user: {}, error: 'invalid' },
    { authenticated: false, user },
    { authenticated: true, user: {} },
  ]) {
    const { came, asked } = await review(token, { allowed: true });
    assert.deepEqual([came, asked.length], ['unauthenticated', 1]);
  }
});

test('no answer lets nobody in, and the error does not show the token', async () => {
  for (const { came } of [await review(undefined, undefined), await review({ authenticated: true, user }, undefined)]) {
    assert.ok(came instanceof ApiError);
    assert.doesNotMatch(`${came.message} ${came.stack}`, /TOKEN/);
  }
});

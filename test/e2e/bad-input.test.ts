import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiVersion, kinds } from '../../src/api/group.ts';
import { validate } from '../../src/api/validation.ts';
import { ApiError } from '../../src/kube/api-client.ts';
import { cases, type Manifest } from '../api/cases.ts';
import { brokenBySchema } from '../cli/bad/by-schema.ts';
import { configuration, ready, type Stage, startStage } from './stage.ts';

let stage: Stage;

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
});
after(async () => {
  await stage?.stop();
});

/** What a strict server says of a manifest: nothing, or its refusal. */
async function refusal(manifest: Manifest, verb: 'POST' | 'PUT', dryRun: boolean): Promise<ApiError | undefined> {
  const { plural } = kinds[manifest.kind];
  const { namespace, name } = manifest.metadata;
  const collection = `/apis/${apiVersion}/namespaces/${namespace}/${plural}`;
  const query = { fieldValidation: 'Strict', ...(dryRun && { dryRun: 'All' }) };
  try {
    const live =
      verb === 'PUT' ? await stage.client.json<{ metadata: object }>({ path: `${collection}/${name}` }) : undefined;
    const body = live ? { ...manifest, metadata: live.metadata } : manifest;
    await stage.client.json({ method: verb, path: live ? `${collection}/${name}` : collection, query, body });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

test('the API server takes and refuses every case as the offline validator does', async (context) => {
  assert.ok(cases.length >= 1_000, `${cases.length} cases`);
  for (const { name, manifest, previous, refused } of [...cases, ...brokenBySchema])
    await context.test(name, async () => {
      if (previous) assert.equal(await refusal(previous, 'POST', false), undefined);
      const error = await refusal(manifest, previous ? 'PUT' : 'POST', true);
      if (previous) {
        const { namespace, name: object } = previous.metadata;
        await stage.kubectl(['-n', namespace, 'delete', kinds[previous.kind].plural, object]);
      }
      if (!refused) {
        assert.equal(error?.message, undefined);
        return;
      }
      assert.ok(error, 'it was taken');
      const { message } = error;
      // A rule on the whole object has no path of its own.
      assert.ok(message.includes(refused.path), message);
      if (refused.by === 'schema') return;
      // What people read in lint is what they read from kubectl.
      const [offline] = validate(manifest.kind, manifest, previous);
      assert.ok(offline && message.includes(offline.message), `${offline?.message} ≠ ${message}`);
      assert.ok(refused.message !== undefined && message.includes(refused.message), message);
    });
});

/** An AlertProvider of type webhook to a key of a Secret. */
function provider(name: string, secret: string, key = 'url'): object {
  return {
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'AlertProvider',
    metadata: { name, namespace: 'tocsin' },
    spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name: secret, key } } } },
  };
}

test('what only the operator can see is Stalled, naming field, value and remedy; the other providers go on', async () => {
  await stage.apply(...configuration(stage.receiver.url));
  await ready(stage, await stage.startOperator());
  await stage.apply(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'wrong', namespace: 'tocsin' },
      stringData: { url: 'http://receiver.example:99999/token-7f3a' },
    },
    provider('no-secret', 'absent'),
    provider('no-key', 'oncall', 'address'),
    provider('wrong-port', 'wrong'),
  );
  const rows = [
    ['no-secret', 'SecretNotFound', /Secret "absent" does not exist.*create it/],
    ['no-key', 'SecretKeyMissing', /Secret "oncall" has no key "address".*add the key/],
    ['wrong-port', 'InvalidDestination', /spec\.webhook\.url.*receiver\.example:99999.*use a number from 1 to 65535/],
  ] as const;
  // A Secret that has just been named may be on its way in the same file: for the first minute that is waiting, not failing.
  await stage.eventually(20, async () => {
    const path = '{.status.conditions[?(@.type=="Reconciling")].status}';
    assert.equal(await stage.kubectl(['-n', 'tocsin', 'get', 'ap', 'no-secret', '-o', `jsonpath=${path}`]), 'True');
  });
  for (const [name, reason, message] of rows)
    await stage.eventually(90, async () => {
      const path = '{.status.conditions[?(@.type=="Stalled")]}';
      const text = await stage.kubectl(['-n', 'tocsin', 'get', 'ap', name, '-o', `jsonpath=${path}`]);
      const condition = JSON.parse(text) as { status: string; reason: string; message: string };
      assert.deepEqual([condition.status, condition.reason], ['True', reason]);
      assert.match(condition.message, message);
      assert.doesNotMatch(condition.message, /token-7f3a/);
    });
  await stage.eventually(20, async () => {
    const described = await stage.kubectl(['-n', 'tocsin', 'describe', 'ap', 'no-secret']);
    assert.match(described, /Warning\s+ProviderInvalid/);
  });
  await stage.kubectl(['-n', 'tocsin', 'annotate', 'ap', 'oncall', 'tocsin.dev/test=after']);
  await stage.receiver.wait('test message through the good provider', ({ type }) => type === 'test', 20);
});

test('a Secret that appears repairs its provider', async () => {
  await stage.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'absent', namespace: 'tocsin' },
    stringData: { url: stage.receiver.url },
  });
  // Secrets are read again once a minute.
  await stage.kubectl(['-n', 'tocsin', 'wait', '--for=condition=Ready', '--timeout=90s', 'ap/no-secret']);
});

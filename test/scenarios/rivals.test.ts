import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from './kit/run.ts';
import { stories } from './kit/stories.ts';

test('a release is no cause beside the server that its workload needs and that is down', async () => {
  const name = 'labelled/cache-outgrows-its-limit';
  const { played } = run(name, (await stories()).get(name) ?? assert.fail());
  const roots = new Set(played.messages.map(({ notification }) => notification.incident?.root));
  assert.deepEqual([...roots], ['StatefulSet/gifts/redis']);
});

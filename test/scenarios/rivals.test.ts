import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from './kit/run.ts';
import { stories } from './kit/stories.ts';

test('a release is no sure cause beside the server that its workload needs and that is down', async () => {
  const name = 'labelled/cache-outgrows-its-limit';
  const { played, verdict } = run(name, (await stories()).get(name) ?? assert.fail());
  assert.equal(verdict.wrongAndSure, 0);
  const blamed = played.messages.find(({ notification }) => notification.incident?.root === 'Deployment/gifts/shop');
  assert.equal(blamed?.notification.incident?.confidence, 'likely');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { house } from './raw.ts';
import { crashSaying, said } from './said.ts';

/** What is told of an address that three workloads cannot reach, and how sure that is. */
function toldOf(address: string): string[] {
  const k8s = house();
  crashSaying(k8s, { api: said.refused(address), jobs: said.refused(address), web: said.refused(address) });
  return k8s.explain().map(({ root, confidence }) => `${root.ref} ${confidence}`);
}

test('an address by number that nobody has may have been somebody’s a moment ago, and is never sure; a name outside may be', () => {
  assert.deepEqual(toldOf('10.20.30.40'), ['ExternalEndpoint//10.20.30.40:5432 likely']);
  assert.deepEqual(toldOf('db.partner.example'), ['ExternalEndpoint//db.partner.example:5432 high']);
});

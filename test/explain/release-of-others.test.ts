import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, workload } from '../world/objects.ts';
import { app, long, podOf, replicaSet, twoNodes } from './proof.ts';
import { house } from './raw.ts';
import { said, saying } from './said.ts';

const env = [{ name: 'PSP_URL', value: 'https://api.psp.example' }];
const made = { replicas: 2, createdAt: long };

/** At 0 the image of `api` changes, or its variables; its new Pod ends at 1 with its last words, and the old one serves on. */
function released(edit: 'image' | 'env', words: string): string {
  const k8s = house();
  const image = 'registry.example/shop/api:1';
  const next =
    edit === 'image'
      ? { image: 'registry.example/shop/api:2' }
      : { template: { containers: [{ name: 'api', image, env }] } };
  k8s.put(long, ...twoNodes, ...app('api', { image }), podOf('api', 'a'));
  k8s.wait(at(-1));
  k8s.put(at(0), workload('Deployment', 'api', { ...made, ...next, generation: 2 }));
  k8s.put(at(0), replicaSet('api', 2, { ...made, ...next, replicas: 1, createdAt: at(0) }));
  k8s.put(at(1), podOf('api', 'c', { revision: 2, ...saying(at(0), at(1), words) }));
  k8s.wait(at(3));
  const [explanation] = k8s.explain();
  assert.equal(explanation?.root.ref, 'Deployment/shop/api');
  return `${explanation.change?.field} ${explanation.confidence}`;
}

test('a release is not sure where its program says no more than that somebody else does not answer, whom it did not bring', () => {
  assert.equal(released('image', said.refused('api.psp.example')), 'image likely');
  assert.equal(released('image', 'Error: Cannot find module "./vat"'), 'image high');
  assert.equal(released('image', 'seat map is torn'), 'image high', 'what nobody can read may be of what was released');
});

test('it may be where the address came with it', () => {
  assert.equal(released('env', said.refused('api.psp.example')), 'env high');
});

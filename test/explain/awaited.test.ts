import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../world/objects.ts';
import { app, long, podOf, twoNodes, unready } from './proof.ts';
import { house } from './raw.ts';
import { saying } from './said.ts';

const words = 'FATAL: password authentication failed for user "app"';

/** Two programs are turned away from 1 on: one is found in a crash loop at once, the other half a minute later. */
function turnedAway(secrets: { readonly api: string; readonly web: string }): readonly string[] {
  const k8s = house();
  const pod = (name: 'api' | 'web', parts: object) => {
    const envFrom = [{ secretRef: { name: secrets[name] } }];
    return podOf(name, 'a', { spec: { containers: [{ name: 'api', image: 'x', envFrom }] }, ...parts });
  };
  k8s.put(long, ...twoNodes, ...app('api'), ...app('web'), pod('api', {}), pod('web', {}));
  k8s.wait(at(0));
  k8s.put(at(1), pod('web', { conditions: unready(at(1)) }));
  k8s.put(at(1), pod('api', saying(long, at(1), words)));
  k8s.wait(at(1, 30));
  k8s.put(at(1, 30), pod('web', saying(long, at(1), words)));
  k8s.wait(at(4));
  return k8s.told;
}

test('who is turned away waits while another fails that has the same Secret: both are told once, with the Secret', () => {
  assert.deepEqual(turnedAway({ api: 'db', web: 'db' }), ['open Secret/shop/db Settled → oncall']);
});

test('who is turned away with a Secret of its own waits for nobody', () => {
  assert.deepEqual(turnedAway({ api: 'db-api', web: 'db-web' }), [
    'open Deployment/shop/api Settled → oncall',
    'open Deployment/shop/web Settled → oncall',
  ]);
});

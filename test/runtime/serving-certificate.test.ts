import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority, type KeyPair } from '../../sandbox/certificate.ts';
import type { ReadSecret } from '../../src/kube/secret-reader.ts';
import { Secret } from '../../src/model/secret.ts';
import type { UnopenedSecrets } from '../../src/model/secret-source.ts';
import { ServingCertificate } from '../../src/runtime/serving-certificate.ts';
import { virtualClock } from '../delivery/clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A serving certificate whose Secret holds what `state` says. */
function serving() {
  const clock = virtualClock();
  const authority = createAuthority('CA', clock.now());
  const sign = (commonName: string, days = 30): KeyPair =>
    authority.sign({ commonName, notAfter: clock.now() + days * day });
  const secret = (version: string, { certificate, key }: KeyPair): ReadSecret => ({
    ...{ at: 0, version },
    data: new Map([
      ['tls.crt', new Secret(certificate)],
      ['tls.key', new Secret(key)],
    ]),
  });
  const state: { opened: ReadSecret | UnopenedSecrets; fails?: Error; taken?: Error; reads: string[] } = {
    opened: secret('1', sign('first')),
    reads: [],
  };
  /** What is served with, one after the other. */
  const served: (string | undefined)[] = [];
  const views: string[] = [];
  const certificate = new ServingCertificate({
    ...{ clock, hostClock: clock },
    read: async (name) => {
      state.reads.push(name);
      if (state.fails) throw state.fails;
      return state.opened;
    },
    serve: async (pair) => {
      if (pair && state.taken) throw state.taken;
      served.push(pair?.certificate);
    },
    changed: (view) => views.push(view.is === 'failing' ? `${view.why}${view.kept ? ' (kept)' : ''}` : view.is),
  });
  return { certificate, clock, state, served, views, sign, secret };
}

test('what the Secret holds is served at once, and a renewed one within a minute', async () => {
  const { certificate, clock, state, served, views, sign, secret } = serving();
  const [first, second] = [sign('first'), sign('second', 90)];
  state.opened = secret('1', first);
  certificate.configure('page-tls');
  await clock.advance(5 * minute);
  assert.deepEqual([served, views], [[first.certificate], ['pending', 'serving']]);
  assert.ok(state.reads.length > 4 && state.reads.every((name) => name === 'page-tls'));
  state.opened = secret('2', second);
  await clock.advance(minute);
  assert.deepEqual(served, [first.certificate, second.certificate]);
  certificate.stop();
});

test('while the Secret is gone or broken the one before is served, and people are told why', async () => {
  const { certificate, clock, state, served, views, secret, sign } = serving();
  const first = sign('first');
  state.opened = secret('1', first);
  certificate.configure('page-tls');
  await clock.advance(minute);
  state.opened = { missing: 'Secret/tocsin/page-tls' };
  await clock.advance(minute);
  state.opened = secret('3', { certificate: first.certificate, key: sign('other').key });
  await clock.advance(minute);
  state.fails = new Error('the API server does not answer');
  await clock.advance(minute);
  assert.deepEqual(views.slice(2), [
    'the Secret page-tls does not exist (kept)',
    'the Secret page-tls holds a tls.key that is not the private key of its tls.crt (kept)',
    'the API server does not answer (kept)',
  ]);
  assert.equal(served.length, 1);
  certificate.stop();
});

test('nothing is served where nothing could be read, and it begins by itself once it can', async () => {
  const { certificate, clock, state, served, views, secret, sign } = serving();
  state.opened = { missing: 'Secret/tocsin/page-tls', denied: true, permission: 'get secrets in namespace tocsin' };
  certificate.configure('page-tls');
  await clock.advance(minute);
  assert.deepEqual([served, views[1]], [[], 'Tocsin may not read its Secret: grant get secrets in namespace tocsin']);
  state.opened = secret('1', sign('first'));
  state.taken = new Error('cannot listen on 0.0.0.0:8443: EADDRINUSE; is the port in use?');
  await clock.advance(minute);
  assert.equal(views.at(-1), 'cannot listen on 0.0.0.0:8443: EADDRINUSE; is the port in use?');
  delete state.taken;
  await clock.advance(minute);
  assert.deepEqual([served.length, views.at(-1)], [1, 'serving']);
  certificate.stop();
});

test('a certificate that has ended is served, as clients say more of it than a closed port, and people are told', async () => {
  const { certificate, clock, views, served, state, secret, sign } = serving();
  state.opened = secret('1', sign('first', 1));
  certificate.configure('page-tls');
  await clock.advance(minute);
  await clock.advance(day);
  assert.match(views.at(-1) ?? '', /^its certificate ended on .*: renew it \(kept\)$/);
  assert.equal(served.length, 1);
  certificate.stop();
});

test('without the setting TLS ends, and what was being read then counts for nothing', async () => {
  const { certificate, clock, served, views, state } = serving();
  certificate.configure('page-tls');
  await clock.advance(minute);
  certificate.configure(undefined);
  await clock.advance(5 * minute);
  assert.deepEqual([served.at(-1), views.at(-1)], [undefined, 'off']);
  const { length } = state.reads;
  certificate.configure('page-tls');
  certificate.configure(undefined);
  await clock.advance(5 * minute);
  assert.deepEqual([served.filter((one) => one !== undefined).length, state.reads.length], [1, length + 1]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxyFromEnvironment } from '../../src/kube/environment-proxy.ts';

const through = 'http://proxy.example:3128';
const HTTPS_PROXY = through;

test('the proxy of the environment, as client-go reads it', () => {
  for (const [env, server, proxy] of [
    [{}, 'https://10.0.0.1:443', undefined],
    [{ HTTPS_PROXY }, 'https://10.0.0.1:443', through],
    [{ https_proxy: through }, 'https://10.0.0.1:443', through],
    [{ HTTPS_PROXY, https_proxy: 'http://other' }, 'https://api.example', through],
    [{ HTTPS_PROXY: '', https_proxy: through }, 'https://api.example', through],
    [{ HTTP_PROXY: through }, 'https://api.example', undefined],
    [{ ALL_PROXY: through }, 'https://api.example', undefined],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, 'https://api.example', through],
    [{ HTTPS_PROXY: 'https://me:secret@proxy.example' }, 'https://api.example', 'https://me:secret@proxy.example'],
    [{ HTTPS_PROXY, HTTP_PROXY: through }, 'http://127.0.0.1:8001', undefined],
  ] as const)
    assert.equal(proxyFromEnvironment(env, server), proxy, JSON.stringify([env, server]));
});

/** An entry of NO_PROXY, what it exempts, and what it does not. */
const rows: readonly [string, readonly string[], readonly string[]][] = [
  ['', [], ['https://10.0.0.1', 'https://api.example']],
  ['*', ['https://10.0.0.1', 'https://[fd00::1]:6443', 'https://api.example'], []],
  ['10.0.0.0/8', ['https://10.96.0.1:443'], ['https://11.0.0.1', 'https://api.example']],
  ['fd00::/8', ['https://[fd00:10:96::1]:443'], ['https://[2001:db8::1]', 'https://10.0.0.1']],
  ['10.0.0.1', ['https://10.0.0.1', 'https://10.0.0.1:6443'], ['https://10.0.0.10', 'https://110.0.0.1']],
  ['10.0.0.1:6443', ['https://10.0.0.1:6443'], ['https://10.0.0.1']],
  ['fd00::1', ['https://[fd00::1]', 'https://[fd00:0::1]:6443'], ['https://[fd00::2]']],
  ['[fd00::1]:6443', ['https://[fd00::1]:6443'], ['https://[fd00::1]']],
  ['example.com', ['https://example.com', 'https://api.example.com:6443'], ['https://notexample.com']],
  ['.example.com', ['https://api.example.com', 'https://a.b.example.com'], ['https://example.com']],
  ['*.example.com', ['https://api.example.com'], ['https://example.com', 'https://example.com.evil']],
  ['example.com:6443', ['https://example.com:6443', 'https://a.example.com:6443'], ['https://example.com']],
  ['api.EXAMPLE.com', ['https://API.example.com'], ['https://other.example.com']],
  [' a.example , ,b.example ', ['https://a.example', 'https://b.example'], ['https://c.example']],
  ['.svc,.cluster.local', ['https://kubernetes.default.svc', 'https://x.y.svc.cluster.local'], ['https://svc']],
  ['10.0.0.0/33,10.0.0.0/x,/8,:443', [], ['https://10.0.0.1', 'https://api.example']],
];

for (const [list, exempt, proxied] of rows)
  test(`NO_PROXY=${list}`, () => {
    for (const NO_PROXY of ['NO_PROXY', 'no_proxy']) {
      const env = { HTTPS_PROXY, [NO_PROXY]: list };
      for (const server of exempt) assert.equal(proxyFromEnvironment(env, server), undefined, server);
      for (const server of proxied) assert.equal(proxyFromEnvironment(env, server), through, server);
    }
  });

test('this machine is never asked for by a proxy', () => {
  for (const server of ['https://localhost:6443', 'https://127.0.0.1:6443', 'https://127.9.9.9', 'https://[::1]:6443'])
    assert.equal(proxyFromEnvironment({ HTTPS_PROXY }, server), undefined, server);
});

test('what is no HTTP proxy is refused with the name of the variable, and without its value', () => {
  for (const value of ['socks5://me:hunter2@proxy', 'http://me:hunter2@:x', 'ftp://hunter2'])
    assert.throws(
      () => proxyFromEnvironment({ https_proxy: value }, 'https://10.0.0.1'),
      (error: Error) =>
        /^https_proxy is not .* http:\/\/host:port/.test(error.message) && !error.message.includes('hunter2'),
    );
});

/** Certificates in Secrets on a real API server: told, renewed, over; and nothing of a key anywhere. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';
import { configurePro } from './pro.ts';
import { type Operator, ready, type Stage, startStage } from './stage.ts';

const day = 24 * 3_600_000;
const authority = createAuthority('Test CA', Date.now());
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const keys: string[] = [];

/** A TLS Secret whose certificate ends so many days from now. */
function tlsSecret(endsInDays: number): object {
  const notAfter = Date.now() + endsInDays * day;
  const pair = authority.sign({
    commonName: 'web.example',
    names: ['web.example'],
    notBefore: notAfter - 90 * day,
    notAfter,
  });
  keys.push(pair.key);
  return {
    ...{
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'shop', name: 'web-tls' },
      type: 'kubernetes.io/tls',
    },
    data: { 'tls.crt': base64(pair.certificate), 'tls.key': base64(pair.key) },
  };
}

const service = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name: 'web' } },
  spec: { ports: [{ port: 80 }] },
};
const ingress = {
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { namespace: 'shop', name: 'web' } },
  spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } }, tls: [{ secretName: 'web-tls' }] },
};

let stage: Stage;
let operator: Operator;
let record: string;

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
  record = join(stage.folder, 'log.jsonl');
  const licenseKeys = await configurePro(stage);
  await stage.apply(service, ingress, tlsSecret(60));
  operator = await stage.startOperator({ licenseKeys, record });
  await ready(stage, operator);
});
after(() => stage?.stop());

test('a certificate that has expired is told with who uses it, and is over once it is renewed', async () => {
  await stage.apply(tlsSecret(-1));
  const opened = await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 60);
  assert.deepEqual([opened.incident?.reason, opened.incident?.root.name], ['TLSCertExpired', 'web-tls']);
  assert.match(opened.message, /It is used by Ingress shop\/web/);
  await stage.apply(tlsSecret(90));
  const resolved = await stage.receiver.wait('its end', ({ type }) => type === 'incident.resolved', 120);
  assert.equal(resolved.incident?.root.name, 'web-tls');
});

test('nothing of a key is in what was logged, recorded or sent, and no other Secret was seen', () => {
  const recorded = readFileSync(record, 'utf8');
  assert.match(recorded, /"subject":"web\.example"/);
  assert.doesNotMatch(recorded, /"name":"licence","namespace":"tocsin"|"source":"secrets"[^\n]*"name":"licence"/);
  const texts = { recorded, log: operator.log.join('\n'), sent: JSON.stringify(stage.receiver.messages) };
  for (const key of keys)
    for (const part of [...key.trim().split('\n').slice(1, -1), base64(key).slice(40, 80)])
      for (const [where, text] of Object.entries(texts))
        assert.ok(!text.includes(part), `${where} holds part of a key`);
});

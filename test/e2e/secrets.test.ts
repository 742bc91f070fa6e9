/** Secrets on a real API server: certificates are told, renewed, over; an edit is named as a cause; and nothing of a key or password anywhere. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';
import { configurePro } from './pro.ts';
import { deployment, type Operator, ready, type Stage, startStage } from './stage.ts';

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
  const turnedAway = {
    exit: { afterSeconds: 2, code: 1 },
    log: ['FATAL: password authentication failed for user "app"'],
  };
  stage = await startStage({
    nodes: ['n1'],
    kubelet: { script: ({ metadata: { name } }) => (isTurnedAway && name.startsWith('api-') ? turnedAway : {}) },
  });
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

const [password, wrong] = ['correct-horse-battery', 'wrong-zebra-staple'];
/** The Secret of a login, as `kubectl apply` writes it: what is in it stands once more in an annotation. */
const login = (text: string) => {
  const data = { token: base64(text) };
  const metadata = { namespace: 'shop', name: 'db-login' };
  const applied = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, data });
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': applied };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, annotations }, data };
};
/** Whether the database turns away who comes with what is in the Secret now. */
let isTurnedAway = false;

test('a Secret that was edited is the cause of what is turned away since', async () => {
  await stage.apply(login(password), deployment('api', { replicas: 1, secret: 'db-login' }));
  await stage.eventually(60, async () => {
    const args = ['get', 'deployment', 'api', '-n', 'shop', '-o', 'jsonpath={.status.readyReplicas}'];
    assert.equal(await stage.kubectl(args), '1');
  });
  // The API server writes times in whole seconds: an edit within the second of the creation would pass for it.
  const applied = ['get', 'secret', 'db-login', '-n', 'shop', '-o', 'jsonpath={.metadata.creationTimestamp}'];
  const created = Date.parse(await stage.kubectl(applied));
  await stage.eventually(5, () => Promise.resolve(assert.ok(Date.now() >= created + 1000)));
  await stage.apply(login(wrong));
  isTurnedAway = true;
  await stage.kubectl(['delete', 'pod', '-n', 'shop', '-l', 'app=api']);
  const { incident, message } = await stage.receiver.wait(
    'the Secret is named',
    ({ type, incident: told }) => type.startsWith('incident.') && told?.root.name === 'db-login',
    120,
  );
  assert.equal(incident?.root.kind, 'Secret');
  assert.match(message, /probably because Secret shop\/db-login was edited/);
});

test('nothing of a key or password is in what was logged, recorded or sent; of other Secrets metadata was seen', () => {
  const recorded = readFileSync(record, 'utf8');
  assert.match(recorded, /"subject":"web\.example"/);
  assert.match(recorded, /"source":"secrets\/metadata"[^\n]*"name":"licence"/);
  assert.doesNotMatch(recorded, /"source":"secrets"[^\n]*"name":"licence"/);
  const texts = { recorded, log: operator.log.join('\n'), sent: JSON.stringify(stage.receiver.messages) };
  for (const text of [password, wrong])
    for (const part of [text, base64(text)])
      for (const [where, held] of Object.entries(texts)) assert.ok(!held.includes(part), `${where} holds a password`);
  for (const key of keys)
    for (const part of [...key.trim().split('\n').slice(1, -1), base64(key).slice(40, 80)])
      for (const [where, text] of Object.entries(texts))
        assert.ok(!text.includes(part), `${where} holds part of a key`);
});

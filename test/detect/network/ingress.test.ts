import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { eventOn } from '../../world/events.ts';
import { ingress, ingressClass, service } from '../../world/network-objects.ts';
import { at, managed, metadata } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Ingress/shop/web';
/** A Service for whose Pods somebody else cares. */
const web = (name = 'web'): RawObject => service(name, { selector: undefined, ports: [{ name: 'http', port: 80 }] });
const nginx = ingressClass('nginx');

test('T8 fires and clears: an Ingress that leads to a Service that does not exist is told after 20 s', () => {
  const { put, found, says, wait } = story();
  put(at(0), nginx, ingress('web'));
  wait(at(0, 19));
  assert.deepEqual(found(), []);
  wait(at(0, 20));
  assert.deepEqual(found(), [`${ref} IngressBackendNotFound`]);
  assert.equal(says(ref, 'IngressBackendNotFound'), 'It leads to Service shop/web, which does not exist.');
  put(at(1), web());
  assert.deepEqual(found(), []);
});

test('T8 fires and clears: a port that the Service does not have, with those that it has', () => {
  const { put, found, says, wait } = story();
  put(at(0), nginx, web(), ingress('web', { backends: [{ service: 'web', port: { number: 8080 } }] }));
  wait(at(0, 20));
  assert.deepEqual(found(), [`${ref} IngressPortMissing`]);
  const text = 'It leads to port 8080 of Service shop/web, which does not have it; there is http (80).';
  assert.equal(says(ref, 'IngressPortMissing'), text);
  put(at(1), service('web', { selector: undefined, ports: [{ port: 8080 }] }));
  assert.deepEqual(found(), []);
});

test('T8 is quiet: backends that are no Services, a name elsewhere, ports by name, and Services that are not seen', () => {
  const resource = { apiGroup: 'k8s.example.com', kind: 'StorageBucket', name: 'static' };
  const quiet: Record<string, RawObject[]> = {
    'a resource': [ingress('web', { backends: [], spec: { defaultBackend: { resource } } })],
    'an action of the AWS controller': [
      ingress('web', { backends: [{ service: 'redirect', port: { name: 'use-annotation' } }] }),
    ],
    'a name elsewhere': [
      service('web', { selector: undefined, ports: [], spec: { type: 'ExternalName', externalName: 'example.com' } }),
      ingress('web'),
    ],
    'a port by its name': [web(), ingress('web', { backends: [{ service: 'web', port: { name: 'http' } }] })],
  };
  for (const [what, raws] of Object.entries(quiet)) {
    const { put, found, wait } = story();
    put(at(0), nginx, ...raws);
    wait(at(60));
    assert.deepEqual(found(), [], what);
  }
  const { put, see, found, wait } = story();
  see('Service', 'Denied', at(0));
  put(at(0), nginx, ingress('web'));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('T9 fires and clears: a class that does not exist, and none where none is the default', () => {
  const { put, found, says, wait } = story();
  put(at(0), web(), ingress('web', { addressed: false, ingressClass: 'ngnix' }), nginx);
  wait(at(1));
  assert.deepEqual(found(), [`${ref} IngressClassMissing`]);
  assert.equal(says(ref, 'IngressClassMissing'), 'Its ingress class ngnix does not exist: no controller serves it.');
  put(at(2), ingress('web', { addressed: false }));
  assert.deepEqual(found(), []);
  put(at(3), ingress('web', { addressed: false, ingressClass: undefined }));
  wait(at(8));
  assert.deepEqual(found(), [`${ref} IngressClassMissing`]);
  put(at(9), ingressClass('nginx', true));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('T9 is quiet: a controller that serves it all the same, the old annotation, a cluster without classes', () => {
  const quiet: Record<string, RawObject[]> = {
    'it has an address': [nginx, ingress('web', { ingressClass: 'gce' })],
    'the old annotation': [
      nginx,
      ingress('web', {
        addressed: false,
        ingressClass: undefined,
        annotations: { 'kubernetes.io/ingress.class': 'gce' },
      }),
    ],
    'no classes': [ingress('web', { addressed: false, ingressClass: undefined })],
  };
  for (const [what, raws] of Object.entries(quiet)) {
    const { put, found, wait } = story();
    put(at(0), web(), ...raws);
    wait(at(60));
    assert.deepEqual(found(), [], what);
  }
});

/** The Secret of a certificate, by its metadata. */
const certificate = (name: string, createdAt: number): RawObject => ({
  ...{ apiVersion: 'v1', kind: 'SecretMetadata' },
  metadata: metadata(name, 'shop', {
    createdAt,
    managedFields: [managed('cert-manager', createdAt, { 'f:data': { 'f:tls.crt': {}, 'f:tls.key': {} } })],
  }),
});

const tls = { spec: { tls: [{ hosts: ['shop.example'], secretName: 'web-tls' }] } };
const noSecret = 'Translation failed: invalid ingress spec: error getting secret: secrets "web-tls" not found';

test('T10 fires and clears: a controller that misses the Secret of the certificate for a minute', () => {
  const { put, found, finding, wait } = story();
  put(at(0), nginx, web(), ingress('web', tls), eventOn(ingress('web'), 'Translate', at(0), { message: noSecret }));
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  wait(at(1));
  assert.deepEqual(found(), [`${ref} IngressTLSSecretMissing`]);
  assert.equal(finding(ref, 'IngressTLSSecretMissing').facts.secret, 'web-tls');
  wait(at(15));
  assert.deepEqual(found(), []);
});

test('T10 fires and clears: the Secret of the certificate is deleted, and is there again', () => {
  const { put, gone, found, says, wait } = story();
  const secret = (createdAt: number) => certificate('web-tls', createdAt);
  put(at(-60), nginx, web(), ingress('web', tls), secret(at(-60)));
  gone(at(0), secret(at(-60)));
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  wait(at(1));
  assert.deepEqual(found(), [`${ref} IngressTLSSecretMissing`]);
  assert.equal(
    says(ref, 'IngressTLSSecretMissing'),
    'Secret web-tls, which holds its certificate, was deleted and is not back.',
  );
  put(at(5), secret(at(5)));
  assert.deepEqual(found(), []);
});

test('T10 is quiet: the Secret was never there, or is made anew at once', () => {
  const { put, gone, found, wait } = story();
  const secret = (createdAt: number) => certificate('web-tls', createdAt);
  put(at(-60), nginx, web(), ingress('web', tls));
  wait(at(0));
  assert.deepEqual(found(), []);
  put(at(-30), secret(at(-30)));
  gone(at(0), secret(at(-30)));
  put(at(0, 20), secret(at(0, 20)));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('T10 fires: in the words of other controllers, one of which names no Secret', () => {
  const said = [
    "Configuration for shop/web was added or updated ; with warning(s): TLS secret web-tls is invalid: secret doesn't exist or of an unsupported type",
    "Configuration for shop/web was added or updated ; with warning(s): TLS secret web-tls is of a wrong type 'Opaque', must be 'kubernetes.io/tls'",
    'Could not find TLS certificates. Continuing setup for the load balancer to serve HTTP.',
  ];
  for (const message of said) {
    const { put, found, finding, wait } = story();
    put(at(0), nginx, web(), ingress('web', tls), eventOn(ingress('web'), 'Sync', at(0), { message }));
    wait(at(1));
    assert.deepEqual(found(), [`${ref} IngressTLSSecretMissing`], message);
    assert.equal(finding(ref, 'IngressTLSSecretMissing').facts.secret, 'web-tls');
  }
});

test('T10 is quiet: a Secret that it does not name, and one that nobody complains about', () => {
  const { put, found, wait } = story();
  const message = 'error getting secret: secrets "other" not found';
  put(at(0), nginx, web(), ingress('web', tls), eventOn(ingress('web'), 'Translate', at(0), { message }));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('T11 fires and clears: no address for 15 minutes where others of its class have one', () => {
  const { put, found, says, wait } = story();
  put(
    at(0),
    nginx,
    web(),
    web('blog'),
    ingress('blog', { host: 'blog.example' }),
    ingress('web', { addressed: false }),
  );
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), [`${ref} IngressNoAddress`]);
  assert.match(says(ref, 'IngressNoAddress'), /while others of its class have one/);
  put(at(16), ingress('web'));
  assert.deepEqual(found(), []);
});

test('T11 fires: the other one got its address only after this one was looked at', () => {
  const { put, found, wait } = story();
  put(
    at(0),
    nginx,
    web(),
    web('blog'),
    ingress('blog', { host: 'blog.example', addressed: false }),
    ingress('web', { addressed: false }),
  );
  put(at(1), ingress('blog', { host: 'blog.example' }));
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), [`${ref} IngressNoAddress`]);
});

test('T11 is quiet: a controller that writes no addresses', () => {
  const { put, found, wait } = story();
  put(
    at(0),
    nginx,
    web(),
    web('blog'),
    ingress('blog', { host: 'blog.example', addressed: false }),
    ingress('web', { addressed: false }),
  );
  wait(at(60));
  assert.deepEqual(found(), []);
});

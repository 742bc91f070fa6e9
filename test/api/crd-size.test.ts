import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdText } from '../../scripts/generate/files.ts';
import { alertProviderFor } from '../../src/api/alert-provider.ts';
import { crdOf } from '../../src/api/crd.ts';
import { kindNames } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import { syntheticProviders } from './synthetic.ts';

/** `kubectl apply` copies the object into an annotation of at most 262,144 bytes; the rest is room for growth. */
const maxBytes = 200_000;

test('the CRD carries 55 provider types within the size that client-side apply can take', () => {
  const crd = crdOf(alertProviderFor(syntheticProviders(55)));
  const bytes = Math.max(Buffer.byteLength(crdText(crd)), Buffer.byteLength(JSON.stringify(crd)));
  assert.ok(bytes > 100_000, `${bytes} bytes: the synthetic types are smaller than real ones`);
  assert.ok(bytes < maxBytes, `${bytes} bytes are more than ${maxBytes}`);
});

test('every CRD of today is within the size', () => {
  for (const kind of kindNames) {
    const bytes = Buffer.byteLength(crdText(crdOf(resources[kind])));
    assert.ok(bytes < maxBytes, `${kind}: ${bytes} bytes`);
  }
});

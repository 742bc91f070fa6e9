import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdText } from '../../scripts/generate/files.ts';
import { alertProviderFor } from '../../src/api/alert-provider.ts';
import { crdOf } from '../../src/api/crd.ts';
import { kindNames } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import { providers } from '../../src/providers/registry.ts';
import { syntheticProviders } from './synthetic.ts';

/** Of a file that people read and diff, with two versions; bytes. */
const maxYamlBytes = 320_000;
/**
 * `kubectl apply` on the client's side copies the object as JSON into an annotation, and all annotations of an object are at most
 * this long together. Source: apimachinery, TotalAnnotationSizeLimitB.
 */
const maxJsonBytes = 262_144;

for (const kind of kindNames)
  test(`the CRD of ${kind} is small enough to read, and for client-side apply`, (context) => {
    const crd = crdOf(resources[kind]);
    const yaml = Buffer.byteLength(crdText(crd));
    const json = Buffer.byteLength(JSON.stringify(crd));
    context.diagnostic(`${kind}: ${yaml} bytes of YAML, ${json} of JSON`);
    if (kind === 'AlertProvider') assert.ok(providers.length >= 55);
    assert.ok(yaml < maxYamlBytes, `${yaml} bytes of YAML`);
    assert.ok(json < maxJsonBytes, `${json} bytes of JSON`);
  });

test('twice as many types as there are would still be within what client-side apply takes, when one version is left', () => {
  const crd = crdOf(alertProviderFor([...providers, ...syntheticProviders(providers.length)]));
  const versions = crd.spec.versions.slice(0, 1);
  const json = Buffer.byteLength(JSON.stringify({ ...crd, spec: { ...crd.spec, versions } }));
  assert.ok(json < maxJsonBytes, `${json} bytes of JSON`);
});

test('no plain text on one line with others holds a question mark, at which the parser of kubectl would end it', () => {
  const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g;
  for (const kind of kindNames)
    for (const line of crdText(crdOf(resources[kind])).split('\n'))
      if (/\{ .* \}$/.test(line)) assert.doesNotMatch(line.replace(quoted, ''), /\?/, line.trim().slice(0, 120));
});

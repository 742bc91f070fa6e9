import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/model/redact.ts';
import { providers } from '../../src/providers/registry.ts';
import { readCaseFile } from './conformance/case-file.ts';

const ofType = (type: string): string => `test/providers/fixtures/${type}/conformance.yaml`;

test('no address that is a credential of a product that Tocsin sends to stays readable', () => {
  for (const { type } of providers)
    for (const address of readCaseFile(type).addresses) {
      const clean = redact(`POST ${address.replace(/[«»]/g, '')} failed: 410`);
      const secrets = [...address.matchAll(/«([^»]+)»/g)].map(([, secret = '']) => secret);
      assert.ok(secrets.length > 0, `${address}: put its secret part between « and » in ${ofType(type)}`);
      for (const secret of secrets)
        assert.ok(
          !clean.includes(secret),
          `${clean}: say in src/providers/${type}.ts what stands before it (\`secretBehind\`), then make generate`,
        );
      assert.ok(clean.endsWith(' failed: 410'), clean);
    }
});

test('every type with such an address is tried, and so is every one that says what stands before its secret', () => {
  for (const { type, fields, secretBehind } of providers) {
    // `webhook` may be any address at all.
    if (type === 'webhook') continue;
    const isCredential = Object.values(fields).some((field) => field.is === 'secret' && field.holds === 'url');
    if (isCredential || secretBehind)
      assert.ok(readCaseFile(type).addresses.length > 0, `give an example of one as \`addresses\` in ${ofType(type)}`);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/model/redact.ts';
import { redaction } from './fuzz-findings.ts';

test('what was found by ever new inputs is not found again', () => {
  for (const { text, wrong, keeps, secret } of redaction) {
    const clean = redact(text);
    if (keeps) assert.equal(clean, text, wrong);
    if (secret !== undefined) assert.ok(!clean.includes(secret), `${wrong}: ${clean}`);
    assert.equal(redact(clean), clean, text);
  }
});

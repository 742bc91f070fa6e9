import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHtml } from '../../../../src/message/render/kit/escape-html.ts';
import { fitted } from '../../../../src/message/render/kit/fitted.ts';
import { plainBody, plainText } from '../../../../src/message/render/kit/plain-text.ts';
import type { Command } from '../../../../src/model/command.ts';
import type { Notification } from '../../../../src/model/notification.ts';

const lines = Array.from({ length: 30 }, (_, index) => `line ${index} <&>`);
const told: Notification = {
  act: 'open',
  severity: 'high',
  title: 'The title',
  lead: 'The lead.',
  evidence: [],
  nextStep: { command: 'kubectl get pods' as Command, changesCluster: false },
  excerpt: { source: 'last log', lines },
  facts: [],
  links: [],
  cluster: 'prod',
  at: 0,
};
const { excerpt: _log, ...brief } = told;

test('what fits is whole', () => {
  assert.equal(fitted(told, { max: 2_000, unit: 'bytes' }), plainText(told));
  assert.equal(fitted(told, { max: 2_000, unit: 'bytes' }, plainBody), plainBody(told));
});

test('the oldest lines go first, with a mark, and as few as possible', () => {
  const whole = plainText(told).length;
  const text = fitted(told, { max: whole - 1, unit: 'utf16' });
  assert.ok(text.includes('  …\n  line 1 '), text);
  assert.ok(!text.includes('line 0'));
  assert.ok(text.endsWith('Cluster: prod'));
});

test('every length is kept, in escaped text too, the end goes last, and a command is whole or not there', () => {
  for (let max = 1; max < 900; max += 13) {
    const text = fitted(told, { max, unit: 'bytes', encode: escapeHtml });
    assert.ok(Buffer.byteLength(text) <= max, `${Buffer.byteLength(text)} > ${max}`);
    if (max >= Buffer.byteLength(plainText(brief))) assert.ok(text.endsWith('Cluster: prod'), text);
    assert.equal(text.includes('kubectl'), text.includes('Next: kubectl get pods'), text);
    assert.equal(
      text.includes('line'),
      text.includes('last log') || text.includes('Last log'),
      'a heading without a log',
    );
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headline } from '../../../../src/message/render/kit/headline.ts';

test('the cluster stands behind the title, unless the title ends with it', () => {
  assert.equal(headline({ title: 'Pod b/c crashes', cluster: 'prod' }, 100, 'utf16'), 'Pod b/c crashes (prod)');
  assert.equal(headline({ title: '2 problems · prod', cluster: 'prod' }, 100, 'utf16'), '2 problems · prod');
  assert.equal(headline({ title: 'x', cluster: '' }, 100, 'utf16'), 'x');
});

test('the name of an object that ends like the cluster does not stand for it', () => {
  for (const cluster of ['prod', 'api-prod', 'd'])
    assert.equal(
      headline({ title: 'No pod of shop/api-prod', cluster }, 100, 'utf16'),
      `No pod of shop/api-prod (${cluster})`,
    );
  const long = 'c'.repeat(99);
  assert.equal(headline({ title: `2 problems · ${long}`, cluster: long }, 200, 'utf16'), `2 problems · ${long}`);
});

test('a long title is cut, the cluster stays; all of it is one line', () => {
  assert.equal(headline({ title: 'one\ntwo  three', cluster: 'prod\neu' }, 18, 'utf16'), 'one two… (prod eu)');
  assert.equal(headline({ title: 'x', cluster: 'c'.repeat(99) }, 100, 'utf16'), `x (${'c'.repeat(36)}…)`);
});

test('a quieter title is measured as it is shown', () => {
  const louder = (text: string): string => text.replaceAll('a', 'aa');
  assert.equal(headline({ title: 'aaaa', cluster: '' }, 5, 'utf16', louder), 'aaaa…');
});

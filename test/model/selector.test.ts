import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../src/model/ref.ts';
import {
  globMatches,
  type Selectable,
  type Selector,
  selectorMatches,
  selectorMismatch,
} from '../../src/model/selector.ts';
import { fc } from '../fast-check.ts';

/** The same question asked of a regular expression. */
function byRegExp(glob: string, text: string): boolean {
  const source = glob.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) =>
    sign === '*' ? '[^]*' : sign === '?' ? '[^]' : `\\${sign}`,
  );
  return new RegExp(`^${source}$`).test(text);
}

test('a glob matches what the equivalent regular expression matches', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '\\'), maxLength: 12 });
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '*', '?', '\\'), maxLength: 8 });
  fc.assert(
    fc.property(glob, text, (pattern, name) => {
      assert.equal(globMatches(pattern, name), byRegExp(pattern, name));
    }),
    { numRuns: 2000 },
  );
});

test('a glob matches itself, and a star matches everything', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      assert.ok(globMatches('*', name));
      assert.ok(name.includes('*') || name.includes('?') || globMatches(name, name));
    }),
  );
});

test('a hostile glob costs no more than glob times name', () => {
  const start = performance.now();
  assert.equal(globMatches(`${'a*'.repeat(200)}b`, 'a'.repeat(5000)), false);
  assert.ok(performance.now() - start < 1000);
});

const subject = (ref: Ref, labels = {}, node?: string) => ({ ref, labels, ...(node !== undefined && { node }) });
const incident = (more: Partial<Selectable> = {}): Selectable => ({
  root: subject('Deployment/shop/api', { team: 'payments' }),
  reason: 'CrashLoopBackOff',
  severity: 'high',
  affected: [subject('Pod/shop/api-1', { app: 'api' }, 'gpu-1')],
  ...more,
});
const node = incident({ root: subject('Node//n1'), reason: 'NodeNotReady' });

const cases: readonly (readonly [string, Selector, Selectable, keyof Selector | undefined])[] = [
  ['nothing selects everything', {}, incident(), undefined],
  [
    'an empty list selects everything',
    { namespaces: [], reasons: [], kinds: [], severities: [] },
    incident(),
    undefined,
  ],
  ['a namespace by glob', { namespaces: ['sh*'] }, incident(), undefined],
  ['another namespace', { namespaces: ['bank'] }, incident(), 'namespaces'],
  ['only excludes mean all but these', { namespaces: ['!bank'] }, incident(), undefined],
  ['an exclude wins over an include', { namespaces: ['*', '!shop'] }, incident(), 'namespaces'],
  ['a cluster-scoped root passes excludes', { namespaces: ['!shop'] }, node, undefined],
  ['a cluster-scoped root passes an include by what it hits', { namespaces: ['shop'] }, node, undefined],
  [
    'a cluster-scoped root that hits nobody passes no include',
    { namespaces: ['shop'] },
    incident({ ...node, affected: [] }),
    'namespaces',
  ],
  ['a reason by glob', { reasons: ['Crash*'] }, incident(), undefined],
  ['an excluded reason', { reasons: ['!Crash*'] }, incident(), 'reasons'],
  ['a severity', { severities: ['critical', 'high'] }, incident(), undefined],
  ['another severity', { severities: ['low'] }, incident(), 'severities'],
  ['a kind of the root', { kinds: ['Deployment'] }, incident(), undefined],
  ['a kind of an affected object is not the root', { kinds: ['Pod'] }, incident(), 'kinds'],
  ['a name of the root', { names: ['api*'] }, incident(), undefined],
  ['another name', { names: ['api-*'] }, incident(), 'names'],
  ['nodes when every pod runs there', { nodes: ['gpu-*'] }, incident(), undefined],
  [
    'nodes when a pod runs elsewhere',
    { nodes: ['gpu-*'] },
    incident({ affected: [subject('Pod/shop/a', {}, 'gpu-1'), subject('Pod/shop/b', {}, 'n2')] }),
    'nodes',
  ],
  ['nodes without any pod', { nodes: ['*'] }, incident({ affected: [] }), 'nodes'],
  ['nodes by the root', { nodes: ['n1'] }, node, undefined],
  ['labels of the root', { labels: { team: 'payments' } }, incident(), undefined],
  ['labels of an affected object', { labels: { app: 'api' } }, incident(), undefined],
  ['labels spread over objects', { labels: { team: 'payments', app: 'api' } }, incident(), 'labels'],
  ['a label that everything inherits', { labels: { constructor: 'x' } }, incident(), 'labels'],
  ['all fields must match', { reasons: ['Crash*'], names: ['other'] }, incident(), 'names'],
];
for (const [name, selector, about, mismatch] of cases)
  test(`selector: ${name}`, () => {
    assert.equal(selectorMismatch(selector, about), mismatch);
    assert.equal(selectorMatches(selector, about), mismatch === undefined);
  });

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lint } from '../../../src/api/lint/lint.ts';
import { ends, uselessFields } from '../../../src/api/lint/provider.ts';
import { lintRules } from '../../../src/api/lint/remark.ts';
import { needlessSelectors } from '../../../src/api/lint/selectors.ts';
import { reasons } from '../../../src/model/reason.ts';
import { didYouMean, nearest } from '../../../src/model/suggest.ts';
import { string } from '../../../src/providers/kit/fields.ts';
import { fc } from '../../fast-check.ts';

describe('selectors', () => {
  test('the entry that does nothing is named with the one that makes it so', () => {
    const [remark, ...others] = needlessSelectors(
      [{ reasons: ['OOM*'] }, { names: ['a'] }, { reasons: ['OOMKilled'] }],
      'r',
      'route',
    );
    assert.equal(others.length, 0);
    assert.match(
      remark?.message ?? '',
      /^`r\[2\]` does nothing, since `r\[0\]` before it matches all that this one matches: remove this route/,
    );
  });
});

describe('suggestions', () => {
  test('are the nearest word, whatever the case, and none where none is near', () => {
    const rows = [
      ['CrashLoopBackoff', 'CrashLoopBackOff'],
      ['crashloopbackof', 'CrashLoopBackOff'],
      ['OOMKiled', 'OOMKilled'],
      ['ImagePullBackOf', 'ImagePullBackOff'],
      ['NodeNotRaedy', 'NodeNotReady'],
      ['Banana', undefined],
      ['', undefined],
      ['x'.repeat(100_000), undefined],
    ] as const;
    for (const [typed, meant] of rows) assert.equal(nearest(typed, reasons), meant, typed.slice(0, 20));
  });
  test('say nothing of a word that is right', () => assert.equal(didYouMean('a', ['a']), ''));
});

test('a field that needs another one says so, by its declaration', () => {
  const fields = {
    closeStatus: string({ description: 'A.' }),
    reopenStatus: string({ description: 'B.', needs: 'closeStatus' }),
  };
  const said = (block: object): readonly string[] =>
    uselessFields({ type: 't', fields }, { t: block }).map(({ message }) => message);
  assert.deepEqual(said({ reopenStatus: 'open' }), [
    '`spec.t.reopenStatus` has no effect without `closeStatus`: set `closeStatus` too, or remove this one',
  ]);
  assert.deepEqual(said({ reopenStatus: 'open', closeStatus: 'done' }), []);
  assert.deepEqual(said({ closeStatus: 'done' }), []);
  assert.deepEqual(said({ reopenStatus: null }), []);
});

test('what the vendor ends is named with its day, for the blocks that use it', () => {
  const ending = (block: Readonly<Record<string, unknown>>) =>
    block.region === 'new' ? undefined : { what: 'the old region', day: '2027-04-05', instead: 'set `region: new`' };
  const said = (block: object) => ends({ type: 't', ending }, { t: block }).map(({ message }) => message);
  assert.deepEqual(said({}), ['`spec.t` uses the old region, whose last day is 2027-04-05: set `region: new`']);
  assert.deepEqual(said({ region: 'new' }), []);
  assert.deepEqual(ends({ type: 't' }, { t: {} }), []);
});

test('nothing that can be read makes lint fail, and what it refuses has a message', () => {
  const anything = fc.oneof(
    fc.json().map((text): unknown => JSON.parse(text)),
    fc.constantFrom(null, undefined, 5, 'x', [], {}, { secretKeyRef: 5 }, { value: 5 }, [{ name: 'X-A' }]),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(
        'AlertProvider' as const,
        'Silence' as const,
        'MaintenanceWindow' as const,
        'AlertConfig' as const,
      ),
      anything,
      anything,
      anything,
      fc.constantFrom('webhook', 'email', 'slack', 'nope', 5, null),
      (kind, metadata, block, other, type) => {
        const spec = {
          type,
          webhook: block,
          email: block,
          selector: other,
          routes: other,
          fallback: other,
          app: other,
        };
        const value = { apiVersion: 'tocsin.dev/v1alpha1', kind, metadata, spec };
        const manifests = [value, other].map((each) => ({ kind, value: each, where: 'here' }));
        const { judged } = lint(manifests, { operatorNamespace: 'tocsin', now: 0, secrets: () => 'missing' });
        for (const { remarks } of judged)
          for (const { rule, message } of remarks) assert.ok(rule in lintRules && message.length > 10);
      },
    ),
    { numRuns: 150, seed: 7 },
  );
});

test('a time zone of messages that does not exist is an error with its field, its value and what to write', () => {
  const value = {
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
    spec: { app: { clusterName: 'prod', timeZone: 'Europe/Berln' } },
  };
  const options = { operatorNamespace: 'tocsin', now: 0, secrets: () => 'missing' as const };
  const said = (spec: object) =>
    lint([{ kind: 'AlertConfig', value: { ...value, spec }, where: 'here' }], options).judged.flatMap(({ remarks }) =>
      remarks.map(({ rule, path, message }) => [rule, path, message]),
    );
  const message = '`spec.app.timeZone` is "Europe/Berln", which is no IANA time zone: write one such as Europe/Berlin';
  assert.deepEqual(said(value.spec), [['UnknownTimeZone', 'spec.app.timeZone', message]]);
  assert.deepEqual(said({ app: { clusterName: 'prod', timeZone: 'Europe/Berlin' } }), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/explain/candidates/bundle.ts';
import { Bundles } from '../../../src/explain/candidates/bundles.ts';
import type { Candidate } from '../../../src/explain/candidates/candidates.ts';
import { causalRules } from '../../../src/explain/rules/rules.ts';
import type { Finding } from '../../../src/model/finding.ts';
import type { Ref } from '../../../src/model/ref.ts';
import { fc } from '../../fast-check.ts';

/** A Pod's finding that some Secrets could be the cause of; each workload and choice of Secrets is a bundle. */
function entryOf(pod: number, workload: number, secrets: readonly number[]): Entry {
  const [rule] = causalRules;
  if (rule === undefined) throw new Error('no rules');
  const finding: Finding = {
    ...{ subject: { ref: `Pod/shop/p${pod}`, labels: {} }, reason: 'CrashLoopBackOff', since: 0, severity: 'high' },
    ...{ conclusive: true, facts: {}, names: [] },
  };
  const candidates = [...new Set(secrets)].sort().map((secret): Candidate => {
    const ref: Ref = `Secret/shop/s${secret}`;
    return { cause: { key: ref, ref, since: 0 }, rule, effect: finding };
  });
  const anchors = [`Deployment/shop/w${workload}`, ...candidates.map(({ cause }) => cause.key)];
  const isSeen = true;
  return {
    ...{
      finding,
      workload: `Deployment/shop/w${workload}`,
      candidates,
      behind: [],
      needs: new Set(),
      sentence: undefined,
      walked: new Set(),
      isSeen,
    },
    bundle: anchors.join('|'),
  };
}

/** What hangs together, found by looking at every bundle: each part as the sorted keys of its bundles. */
function partsByLooking(entries: Iterable<Entry>): string[][] {
  const parts: { anchors: Set<string>; keys: Set<string> }[] = [];
  for (const { bundle } of entries) {
    const part = { anchors: new Set(bundle.split('|')), keys: new Set([bundle]) };
    for (const other of parts.filter(({ anchors }) => !anchors.isDisjointFrom(part.anchors))) {
      for (const anchor of other.anchors) part.anchors.add(anchor);
      for (const key of other.keys) part.keys.add(key);
      parts.splice(parts.indexOf(other), 1);
    }
    parts.push(part);
  }
  return parts.map(({ keys }) => [...keys].sort()).sort();
}

const number = (max: number) => fc.integer({ min: 0, max });
const fails = fc.record({ pod: number(7), workload: number(3), secrets: fc.array(number(3), { maxLength: 3 }) });

test('however bundles come and go, those that share something are one part and the others are not', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fails, { maxLength: 4 }), { maxLength: 12 }), (history) => {
      const bundles = new Bundles();
      const entries = new Map<number, Entry>();
      for (const changes of history) {
        for (const { pod, workload, secrets } of changes) {
          const before = entries.get(pod);
          if (before) bundles.remove(before);
          // Every other time it recovers.
          if (before === undefined) entries.set(pod, entryOf(pod, workload, secrets));
          else entries.delete(pod);
          const after = entries.get(pod);
          if (after) bundles.add(after);
        }
        // A part that lost a member falls apart when it is asked for, as before a solve.
        const whole = new Set([...entries.values()].flatMap(({ bundle }) => bundles.partOf(bundle) ?? []));
        const parts = [...whole].flatMap((part) => bundles.parts.split(part));
        const keys = parts.map((part) => [...part.members].map(({ key }) => key).sort()).sort();
        assert.deepEqual(keys, partsByLooking(entries.values()));
      }
    }),
    { numRuns: 500, seed: 3 },
  );
});

test('a part that is joined to another goes on as the larger of both, and is whole while nothing leaves it', () => {
  const bundles = new Bundles();
  const [left, right] = [entryOf(1, 1, []), entryOf(2, 2, [])];
  for (const entry of [left, right]) bundles.add(entry);
  const parts = [left, right].map(({ bundle }) => bundles.partOf(bundle));
  assert.notEqual(parts[0], parts[1]);
  bundles.add(entryOf(3, 1, [1]));
  bundles.add(entryOf(4, 2, [1]));
  const [joined, other] = [left, right].map(({ bundle }) => bundles.partOf(bundle));
  assert.equal(joined, other);
  assert.ok(joined && parts.includes(joined));
  assert.deepEqual(bundles.parts.split(joined), [joined]);
});

/** On generated sets of routes, what is said of routes is what the engine does with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fallThrough } from '../../src/api/rules/fall-through.ts';
import { neverMatches, routeProblems } from '../../src/api/rules/routes.ts';
import { overridden } from '../../src/explain/solve/severity.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import { namespaceOf, refOf } from '../../src/model/ref.ts';
import type { Selector } from '../../src/model/selector.ts';
import type { Override, Settings } from '../../src/model/settings.ts';
import { severities } from '../../src/model/severity.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { explanation, finding, provider, settingsWith, simulation } from './helpers.ts';

const namespaces = ['shop', 'pay', 'team-a', 'team-b'];
const globs = (...words: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 });
const every = {
  namespaces: globs('shop', 'team-*', '!shop', '!team-?', 'Shop', '*'),
  reasons: globs('OOMKilled', 'Image*', '!Image*', 'OOMKiled', '*'),
  severities: fc.uniqueArray(fc.constantFrom(...severities), { minLength: 1, maxLength: 3 }),
  kinds: globs('Deployment', 'Node', 'apps/Deployment'),
  names: globs('api', 'a*', '!api', '*-db', '!*'),
  nodes: globs('gpu-*', 'gpu-1', '!gpu-1', 'CPU'),
  labels: fc.dictionary(fc.constantFrom('team', 'tier'), fc.constantFrom('a', 'b'), { minKeys: 1, maxKeys: 2 }),
};
const fields = ['namespaces', 'reasons', 'severities', 'kinds', 'names', 'nodes', 'labels'] as const;
const selector: fc.Arbitrary<Selector> = fc
  .tuple(fc.record(every), fc.subarray([...fields], { maxLength: 2 }))
  .map(([all, some]) => Object.fromEntries(some.map((field) => [field, all[field]])));
const routes = fc.array(selector, { minLength: 1, maxLength: 4 });
const filters: fc.Arbitrary<Settings['filters']> = fc.record({
  namespaces: fc.constantFrom([], [], ['!team-*'], ['shop']),
  reasons: fc.constantFrom([], [], ['!OOMKilled'], ['Image*']),
});
const overrides: fc.Arbitrary<readonly Override[]> = fc.array(
  fc.record(
    { selector, severity: fc.constantFrom(...severities), maxSeverity: fc.constantFrom(...severities) },
    { requiredKeys: ['selector'] },
  ),
  { maxLength: 2 },
);

/** What fails: in one namespace or in two, on Nodes or on none. Severity as it is before overrides. */
const failure = fc
  .record({
    namespace: fc.constantFrom(...namespaces),
    other: fc.option(fc.constantFrom(...namespaces), { nil: undefined }),
    name: fc.constantFrom('api', 'app', 'web', 'api-db'),
    ofNode: fc.constantFrom(false, false, true),
    node: fc.constantFrom('gpu-1', 'gpu-2', 'cpu-1'),
    reason: fc.constantFrom('OOMKilled' as const, 'ImageNotFound' as const, 'CrashLoopBackOff' as const),
    severity: fc.constantFrom(...severities),
    labels: fc.dictionary(fc.constantFrom('team', 'tier'), fc.constantFrom('a', 'b')),
  })
  .map(({ namespace, other, name, ofNode, node, reason, severity, labels }): Explanation => {
    const root = ofNode ? refOf('Node', '', node) : refOf('Deployment', namespace, name);
    const spread = other === undefined ? [namespace] : [namespace, other];
    const members = spread.map((one) => finding(refOf('Pod', one, `${name}-1`), { reason, node, labels }));
    return explanation(root, { reason, severity, labels, members });
  });

/** The failures as incidents of an engine with these routes, and the routes that took each. */
function run(
  failures: readonly Explanation[],
  routesOfAll: readonly (readonly Selector[])[],
  by: { filters: Settings['filters']; overrides: readonly Override[] },
) {
  const providers = routesOfAll.map((list, index) => provider(`p${index}`, { routes: list }));
  const sim = simulation(settingsWith({ edition: 'Pro', providers, filters: by.filters }));
  sim.start();
  const shown = failures.map((one) => ({ ...one, severity: overridden(one, by.overrides) }));
  sim.step(400, shown);
  return { sim, providers, shown };
}

/** Of the same root and reason the engine knows one incident only. */
const distinct = fc.uniqueArray(failure, { minLength: 6, maxLength: 12, selector: ({ root }) => root.ref });

const sets = runs(1_000);

test('on generated sets of routes: what is said never to match takes nothing, what is needless adds nobody, and what is neither takes its share', () => {
  const seen = { never: 0, needless: 0, filtered: 0, free: 0, freeThatTook: 0 };
  fc.assert(
    fc.property(distinct, routes, filters, overrides, (failures, list, filter, over) => {
      const by = { filters: filter, overrides: over };
      const problems = new Map(routeProblems(list, by).map((problem) => [problem.index, problem]));
      // One provider with all of the list, and one for each of its routes alone.
      const { sim, providers, shown } = run(failures, [list, ...list.map((route) => [route])], by);
      const counts = sim.last().routes?.get(providers[0]?.ref ?? refOf('', '', ''));
      list.forEach((_route, index) => {
        const problem = problems.get(index);
        const alone = [...sim.incidents.all()].filter(({ takenBy }) => takenBy?.includes(`p${index + 1}`) === true);
        const inList = counts?.[index]?.incidents ?? 0;
        if (problem === undefined || problem.is === 'OtherNamespace') {
          seen.free += 1;
          if (alone.length > 0) seen.freeThatTook += 1;
        } else if (neverMatches(problem)) {
          seen.never += 1;
          assert.equal(alone.length, 0, problem.message);
        } else if (problem.is === 'Needless') {
          seen.needless += 1;
          assert.equal(inList, 0, problem.message);
          for (const { takenBy } of alone) assert.ok(takenBy?.includes('p0'), problem.message);
        } else {
          seen.filtered += 1;
          for (const {
            explanation: { root, affected },
          } of alone) {
            const all = [root, ...affected].map(({ ref }) => namespaceOf(ref));
            assert.ok(new Set(all).size > 1, `${problem.message}: took ${root.ref}`);
          }
        }
      });
      assert.equal(shown.length, failures.length);
    }),
    { numRuns: sets, seed: 2026 },
  );
  // Each statement was put to the test.
  assert.ok(seen.never > sets / 5 && seen.needless > sets / 10 && seen.filtered > sets / 40, JSON.stringify(seen));
  assert.ok(seen.freeThatTook / seen.free > 0.5, JSON.stringify(seen));
});

test('what is said to fall through reaches nobody, and where an incident reaches nobody something is said', () => {
  const pairs = runs(400);
  let [named, missed, told] = [0, 0, 0];
  fc.assert(
    fc.property(distinct, fc.array(routes, { minLength: 1, maxLength: 3 }), filters, (failures, lists, filter) => {
      const left = fallThrough(lists.flat(), filter);
      const examples = left.examples.map(({ root, reason, severity }) =>
        explanation(root.ref, { reason, severity, members: [finding(root.ref, { reason })] }),
      );
      const { sim } = run(examples, lists, { filters: filter, overrides: [] });
      for (const { takenBy, explanation: one } of sim.incidents.all())
        assert.equal(takenBy, undefined, `${one.severity} ${one.reason} of ${one.root.ref}`);
      named += left.examples.length;
      const { sim: real } = run(failures, lists, { filters: filter, overrides: [] });
      for (const { takenBy, standings, explanation: one } of real.incidents.all()) {
        if (standings['']?.disposition !== 'Delivered' || takenBy !== undefined) continue;
        if (left.whole.includes(one.severity) || left.examples.some(({ severity }) => severity === one.severity))
          told += 1;
        else missed += 1;
      }
    }),
    { numRuns: pairs, seed: 2026 },
  );
  assert.ok(named > pairs / 2 && told > pairs / 4, JSON.stringify({ named, told, missed }));
  assert.ok(missed < told / 20, JSON.stringify({ named, told, missed }));
});

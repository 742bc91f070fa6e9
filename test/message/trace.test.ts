import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causalRules } from '../../src/explain/rules/rules.ts';
import { scorers } from '../../src/explain/scores/scorers.ts';
import { traceInWords } from '../../src/message/trace.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Story } from '../explain/proof.ts';
import { proof as nodeDown } from '../explain/proofs/node-down.ts';
import { proof as release } from '../explain/proofs/release.ts';
import { house } from '../explain/raw.ts';

const sourceOf = (id: string) => causalRules.find((rule) => rule.id === id)?.source;

function words({ tell }: Story): string[] {
  const k8s = house();
  tell(k8s);
  return k8s.explain().flatMap((explanation) => traceInWords(explanation, sourceOf));
}

test('a trace says what is blamed and by which fact, and what speaks for it', () => {
  const [blamed = '', pro = ''] = words(nodeDown.shows);
  assert.match(
    blamed,
    /^Node n1 is blamed, with \d+ of 100 points, by rule node-down \(node lifecycle controller: .+\)\.$/,
  );
  assert.match(pro, /^For it: .*it began before what it explains \(\+10\)/);
});

test('a trace says that nothing else explains it', () => {
  assert.ok(
    words(release.not).some(
      (line) => line === 'Nothing else that Tocsin watches explains it, so it is an incident of its own.',
    ),
  );
});

test('every scorer and every row of the impact table has words', () => {
  const root = { ref: 'Node//n1', labels: {} } as const;
  const steps = scorers.flatMap(({ name }) => [`node-down/${name}`]);
  const trace = [
    { rule: 'node-down', about: root.ref, says: '', score: 0.9 },
    ...steps.map((rule) => ({ rule, about: root.ref, says: '', score: 0.1 })),
  ];
  const [, pro = ''] = traceInWords({ ...blank, root, trace }, sourceOf);
  for (const { name } of scorers) assert.ok(!pro.includes(`${name} (`), name);
});

const blank: Omit<Explanation, 'root' | 'trace'> = {
  ...{ reason: 'NodeNotReady', severity: 'high', confidence: 'high', members: [], affected: [], workloads: [] },
  ...{ proof: [] },
};

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pair } from '../../../src/explain/candidates/bundle.ts';
import { Peers } from '../../../src/explain/candidates/peers.ts';
import { workloadOf } from '../../../src/explain/evidence/workload.ts';
import type { Rule } from '../../../src/explain/rules/rule.ts';
import { causalRules } from '../../../src/explain/rules/rules.ts';
import type { Scene } from '../../../src/explain/scores/scorer.ts';
import { mentions, scorers } from '../../../src/explain/scores/scorers.ts';
import { at, cluster } from '../helpers.ts';

function ruleNamed(id: string): Rule {
  const rule = causalRules.find((row) => row.id === id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
}

/** What one scorer says of a pair. */
function judge(name: string, pair: Pair, world: Scene): number {
  const scorer = scorers.find((row) => row.name === name);
  if (!scorer) throw new Error(`no scorer ${name}`);
  return scorer.judge(pair, world);
}

/** A lost node n1 (since second 0) with Pods of the given workloads on it, of which those that fail are effects. */
function scene(
  pods: Readonly<Record<`${string}/${string}`, { failing: number; well: number; since?: number; detail?: string }>>,
) {
  const k8s = cluster();
  k8s.node('n1');
  const finding = k8s.find('Node//n1', 'NodeNotReady');
  const candidates: Pair[] = [];
  for (const [name, { failing, well, since = 0, detail }] of Object.entries(pods)) {
    const path = name as `${string}/${string}`;
    k8s.deployment(path);
    for (const pod of k8s.pods(path, failing, { nodes: ['n1'], ready: false })) {
      const effect = k8s.find(pod, 'PodNotReady', { since, ...(detail === undefined ? {} : { detail }) });
      const cause = { key: 'Node//n1', ref: 'Node//n1', since: at(0), finding } as const;
      const bundle = {
        key: pod,
        workload: workloadOf(k8s.world, pod),
        members: [effect],
        first: effect,
        pairs: [],
        ...{ isSeen: true, behind: [] },
      };
      candidates.push({ cause, rule: ruleNamed('node-down'), effect, bundle });
    }
    k8s.pods(path, well, { nodes: ['n1'], first: 50 });
  }
  const findings = (): [] => [];
  const world: Scene = {
    ...{ world: k8s.world, peers: new Peers(k8s.world, findings) },
    effectsOf: () => candidates,
    testimony: () => undefined,
  };
  const [candidate] = candidates;
  if (!candidate) throw new Error('no effect');
  return { candidate, world };
}

for (const [since, says] of [
  [30, 0.5],
  [0, 0.5],
  [-30, -0.5],
  [-60, -1],
] as const)
  test(`time: an effect ${since} s after its cause counts ${says}`, () => {
    const { candidate, world } = scene({ 'shop/a': { failing: 1, well: 0, since } });
    assert.equal(judge('time', candidate, world), says);
  });

test('specificity: a text that names the cause speaks for it, another says nothing', () => {
  const says = (detail: string): number => {
    const { candidate, world } = scene({ 'shop/a': { failing: 1, well: 0, detail } });
    return judge('specificity', candidate, world);
  };
  assert.equal(says('This Pod is not ready because Node n1 is not.'), 1);
  assert.equal(says('This Pod is not ready.'), 0);
});

test('blast radius: several workloads speak for what they share', () => {
  const one = { failing: 2, well: 0 };
  const says = (pods: Parameters<typeof scene>[0]): number => {
    const { candidate, world } = scene(pods);
    return judge('blastRadius', candidate, world);
  };
  assert.equal(says({ 'shop/a': one }), 0);
  assert.equal(says({ 'shop/a': one, 'shop/b': one }), 0.5);
  assert.equal(says({ 'shop/a': one, 'shop/b': one, 'shop/c': one, 'shop/d': one }), 1);
});

test('time: the fresher a change, the more it counts', () => {
  const { candidate, world } = scene({ 'shop/a': { failing: 1, well: 0, since: 900 } });
  const change = { ref: 'Deployment/shop/a', field: 'image', at: at(0), certain: true } as const;
  const cause = { key: 'c', ref: change.ref, since: change.at, change };
  assert.equal(judge('time', { ...candidate, cause, rule: ruleNamed('release') }, world), 0.75);
  assert.equal(judge('time', candidate, world), 0.5);
});

for (const [text, name, says] of [
  ['This Pod is not ready because Node n1 is not.', 'n1', true],
  ['Pulling ghcr.io/app failed.', 'ghcr.io', true],
  ['secret "db" not found', 'db', true],
  ['It waits for n1.', 'n1', true],
  ['Container api-gateway keeps crashing.', 'api', false],
  ['Container api keeps crashing, as does api-gateway.', 'api', true],
  ['Node n11 is not ready.', 'n1', false],
  ['Node n1.example.com is not ready.', 'n1', false],
  ['Node eu.n1 is not ready.', 'n1', false],
] as const)
  test(`"${text}" ${says ? 'names' : 'does not name'} ${name}`, () => assert.equal(mentions(text, name), says));

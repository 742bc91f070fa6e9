import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { bindingOf, roleOf } from '../world/access.ts';
import { at, stamp } from '../world/objects.ts';
import { inShort } from './helpers.ts';
import { app, long, podOf, twoNodes } from './proof.ts';
import { house } from './raw.ts';
import { said, saying } from './said.ts';

type House = ReturnType<typeof house>;

const refused =
  'E0601 reflector.go:150] failed to list *v1.Endpoints: endpoints is forbidden: User "system:serviceaccount:shop:broker" cannot list resource "endpoints" in API group "" in the namespace "shop"';
const spec = { serviceAccountName: 'broker' };
const edited = { at: stamp(at(1)), by: 'kubectl-edit' };

const role = roleOf('shop/peers', ['get,list endpoints', 'get pods']);
const binding = bindingOf('shop/broker', 'Role/peers', ['shop/broker', 'shop/other']);

/** Something happens to what the account of a program may do, at 1 and later, and its next Pod ends with its last words at 3. */
function told(before: readonly RawObject[], happens: (k8s: House) => void, words = refused): readonly string[] {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...before, ...app('api'), podOf('api', 'a', { spec }));
  k8s.wait(at(0));
  happens(k8s);
  k8s.gone(at(2), podOf('api', 'a', { spec }));
  k8s.put(at(3), podOf('api', 'b', { spec, ...saying(at(2), at(3), words) }));
  k8s.wait(at(6));
  return inShort(k8s.explain(), ({ change, confidence }) =>
    change === undefined ? '' : `, ${change.field} by ${change.by ?? 'nobody'}, ${confidence}`,
  );
}

const nobodys = ['ServiceAccount/shop/broker ServiceAccountForbidden 2'];
const by = (ref: string, field: string, who: string): readonly string[] => [
  `${ref} ServiceAccountForbidden 2, ${field} by ${who}, high`,
];

test('a rule was taken from a role', () => {
  const less = roleOf('shop/peers', ['get endpoints', 'get pods'], edited);
  assert.deepEqual(
    told([role, binding], (k8s) => k8s.put(at(1), less)),
    by('Role/shop/peers', 'rules', 'kubectl-edit'),
  );
});

test('an account was taken from a binding', () => {
  const less = bindingOf('shop/broker', 'Role/peers', ['shop/other'], edited);
  assert.deepEqual(
    told([role, binding], (k8s) => k8s.put(at(1), less)),
    by('RoleBinding/shop/broker', 'subjects', 'kubectl-edit'),
  );
});

test('a role was deleted, to which a binding leads still', () => {
  assert.deepEqual(
    told([role, binding], (k8s) => k8s.gone(at(1), role)),
    by('Role/shop/peers', 'deletion', 'nobody'),
  );
});

test('a binding goes with its role: it is the binding that is told', () => {
  assert.deepEqual(
    told([role, binding], (k8s) => k8s.gone(at(1), role, binding)),
    by('RoleBinding/shop/broker', 'deletion', 'nobody'),
  );
});

test('a binding was made anew, of another role', () => {
  const other = bindingOf('shop/broker', 'Role/view', ['shop/broker', 'shop/other'], edited);
  const anew = { ...other, metadata: { ...other.metadata, uid: 'anew', creationTimestamp: stamp(at(1)) } };
  assert.deepEqual(
    told([role, binding, roleOf('shop/view', ['get services'])], (k8s) => {
      k8s.gone(at(1), binding);
      k8s.put(at(1), anew);
    }),
    by('RoleBinding/shop/broker', 'roleRef', 'kubectl-edit'),
  );
});

test('a role that is put together of others lost what one of these lost', () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { 'example.com/aggregate-to-broker': 'true' } }] };
  const labels = { 'example.com/aggregate-to-broker': 'true' };
  const whole = (rules: readonly string[], time: string) =>
    roleOf('broker', rules, { aggregationRule, at: time, by: 'clusterrole-aggregation-controller' });
  const part = (rules: readonly string[], more = {}) =>
    roleOf('broker-peers', rules, { metadata: { labels }, ...more });
  const all = bindingOf('broker', 'ClusterRole/broker', ['shop/broker']);
  assert.deepEqual(
    told([whole(['list endpoints', 'get pods'], stamp(long)), part(['list endpoints']), all], (k8s) => {
      k8s.put(at(1), part(['list services'], edited));
      k8s.put(at(1) + 500, whole(['get pods', 'list services'], stamp(at(1))));
    }),
    by('ClusterRole//broker-peers', 'rules', 'kubectl-edit'),
  );
});

test('what every account of the namespace had is lost by each', () => {
  const group = { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:serviceaccounts:shop' };
  const all = { ...bindingOf('shop/all', 'Role/peers', []), subjects: [group] };
  assert.deepEqual(
    told([role, all], (k8s) => k8s.gone(at(1), all)),
    by('RoleBinding/shop/all', 'deletion', 'nobody'),
  );
});

const innocents: Readonly<Record<string, readonly [readonly RawObject[], (k8s: House) => void]>> = {
  'the binding of another account': [[role], (k8s) => k8s.gone(at(1), bindingOf('shop/x', 'Role/peers', ['shop/x']))],
  'a role that never had the right': [
    [roleOf('shop/pods', ['get pods']), bindingOf('shop/broker', 'Role/pods', ['shop/broker'])],
    (k8s) => k8s.put(at(1), roleOf('shop/pods', ['get services'], edited)),
  ],
  'a role that gains another right': [
    [roleOf('shop/pods', ['get pods']), bindingOf('shop/broker', 'Role/pods', ['shop/broker'])],
    (k8s) => k8s.put(at(1), roleOf('shop/pods', ['get pods', 'list services'], edited)),
  ],
  'a binding in another namespace': [
    [roleOf('quay/peers', ['list endpoints']), bindingOf('quay/broker', 'Role/peers', ['shop/broker'])],
    (k8s) => k8s.gone(at(1), bindingOf('quay/broker', 'Role/peers', ['shop/broker'])),
  ],
  'one of two bindings by which it is had': [
    [role, binding, bindingOf('shop/twice', 'Role/peers', ['shop/broker'])],
    (k8s) => k8s.gone(at(1), binding),
  ],
  'a binding of a role that nobody has made': [
    [bindingOf('shop/broker', 'Role/peers', ['shop/broker'])],
    (k8s) => k8s.gone(at(1), bindingOf('shop/broker', 'Role/peers', ['shop/broker'])),
  ],
};

for (const [what, [before, happens]] of Object.entries(innocents))
  test(`innocent: ${what}`, () => assert.deepEqual(told(before, happens), nobodys));

const others: Readonly<Record<string, string>> = {
  'a cloud refuses': 'An error occurred (AccessDenied) when calling the GetObject operation: Access Denied',
  'a webhook refuses': 'admission webhook "policy.example.com" denied the request: no endpoints for broker',
  'it lacks a variable': said.variable,
  'another account is refused': refused.replace('shop:broker', 'shop:other'),
  'nobody is refused, who did not log in': refused.replace('serviceaccount:shop:broker', 'anonymous'),
};

for (const [what, words] of Object.entries(others))
  test(`innocent: the binding went, and ${what}`, () => {
    const [first = ''] = told([role, binding], (k8s) => k8s.gone(at(1), binding), words);
    assert.match(first, /^Deployment\/shop\/api CrashLoopBackOff/);
  });

test('a right that was taken and given back before is not missed', () => {
  assert.deepEqual(
    told([role, binding], (k8s) => {
      k8s.gone(at(1), binding);
      k8s.put(at(1) + 20_000, {
        ...binding,
        metadata: { ...binding.metadata, uid: 'anew', creationTimestamp: stamp(at(1) + 20_000) },
      });
    }),
    nobodys,
  );
});

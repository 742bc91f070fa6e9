import { bindingOf, roleOf } from '../../world/access.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const refused =
  'endpoints is forbidden: User "system:serviceaccount:shop:broker" cannot list resource "endpoints" in API group "" in the namespace "shop"';
const role = roleOf('shop/peers', ['get,list endpoints']);
const binding = bindingOf('shop/broker', 'Role/peers', ['shop/broker']);
const spec = { serviceAccountName: 'broker' };

/** A right goes at 1, and the next Pod of who had it ends with its last words. */
const story =
  (words: string, gone = [binding]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, role, binding, bindingOf('shop/other', 'Role/peers', ['shop/other']));
    k8s.put(long, ...app('api'), podOf('api', 'a', { spec }));
    k8s.wait(at(0));
    k8s.gone(at(1), ...gone);
    k8s.gone(at(2), podOf('api', 'a', { spec }));
    k8s.put(at(3), podOf('api', 'b', { spec, ...saying(at(2), at(3), words) }));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'a program may not list its peers since the binding of its account was deleted',
    tell: story(refused),
    told: ['RoleBinding/shop/broker ServiceAccountForbidden 2, deletion edited'],
  },
  not: {
    what: 'a binding goes, and the program ends for want of a variable',
    tell: story(said.variable),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};

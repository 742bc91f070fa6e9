import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

/** What the scheduler says of a Pod. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('db'));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('db', 'a', unplaced(at(1), says)));
    k8s.wait(at(8));
  };

export const proof: Proof = {
  rule: 'names-what-is-missing',
  shows: {
    what: 'the scheduler names a claim that does not exist',
    tell: story('0/2 nodes are available: persistentvolumeclaim "data" not found.'),
    told: ['PersistentVolumeClaim/shop/data Unschedulable 1'],
  },
  not: {
    what: 'the scheduler finds no room',
    tell: story('0/2 nodes are available: 2 Insufficient cpu.'),
    told: ['Deployment/shop/db Unschedulable 1'],
  },
};

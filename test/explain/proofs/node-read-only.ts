import { at } from '../../world/objects.ts';
import { ailing, app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** A file system of n1 turns read-only, and a container there ends with its last words; its sibling elsewhere is healthy. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'), podOf('api', 'b', { node: 'n2' }));
    k8s.wait(at(0));
    k8s.put(at(1), ailing('ReadonlyFilesystem', at(1)));
    k8s.put(at(2), podOf('api', 'a', saying(long, at(2), words)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'a container cannot write on a Node whose file system turned read-only',
    tell: story('open /var/cache/app/index: read-only file system'),
    told: ['Node//n1 NodeProblem 2'],
  },
  not: {
    what: 'a container on such a Node lacks a variable',
    tell: story("KeyError: 'DATABASE_URL'"),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Node//n1 NodeProblem 1'],
  },
};

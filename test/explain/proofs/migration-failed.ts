import { at, job, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** A release with a Job made just before it; the new Pods miss a table. */
const story =
  (name: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'));
    k8s.wait(at(0));
    k8s.put(at(0), job(name, { createdAt: at(0), status: { failed: 2 } }));
    const image = 'registry.example/shop/api:2';
    k8s.put(at(0), workload('Deployment', 'api', { replicas: 2, createdAt: long, image, generation: 2 }));
    k8s.put(at(0), replicaSet('api', 2, { replicas: 2, createdAt: at(0) }));
    const words = 'ERROR: relation "invoices" does not exist at character 15';
    k8s.put(at(1), podOf('api', 'b', { revision: 2, ...saying(at(0), at(1), words) }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'the migration of a release fails, and its Pods miss a table',
    tell: story('api-migrate-2'),
    told: ['Job/shop/api-migrate-2 CrashLoopBackOff 1'],
  },
  not: {
    what: 'another Job fails beside a release whose Pods miss a table',
    tell: story('send-invoices'),
    told: ['Deployment/shop/api CrashLoopBackOff 1, image edited'],
  },
};

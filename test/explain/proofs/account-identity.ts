import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const denied =
  'botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the AssumeRoleWithWebIdentity operation: Not authorized to perform sts:AssumeRoleWithWebIdentity';
const account = (role: string) => ({
  ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
  metadata: {
    ...{ name: 'exporter', namespace: 'shop', uid: 'exporter', creationTimestamp: '2026-05-01T00:00:00Z' },
    annotations: { 'eks.amazonaws.com/role-arn': role },
  },
});

/** The account of a workload names another role of a cloud at 1, and its next Pod ends with its last words. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    const spec = { serviceAccountName: 'exporter' };
    k8s.put(long, ...twoNodes, account('data-exporter'), ...app('api'), podOf('api', 'a', { spec }));
    k8s.wait(at(0));
    k8s.put(at(1), account('data-exports'));
    k8s.gone(at(2), podOf('api', 'a', { spec }));
    k8s.put(at(3), podOf('api', 'b', { spec, ...saying(at(2), at(3), words) }));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'what runs as an account may not do its work since the account is another role of a cloud',
    tell: story(denied),
    told: ['ServiceAccount/shop/exporter CrashLoopBackOff 1, identity edited'],
  },
  not: {
    what: 'it ends for want of a variable',
    tell: story(said.variable),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};

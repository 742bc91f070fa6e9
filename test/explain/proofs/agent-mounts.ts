import { at, daemonSet, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, type Story, twoNodes } from '../proof.ts';
import { mountInVain } from '../storage-proof.ts';

const agent = 'csi-secrets-store-provider-aws';

/** The fetcher of secrets on n1 crashes at 1, and a new Pod there cannot mount its volume, with these words. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    const there = (parts: object) =>
      pod(`${agent}-1`, { owner: { kind: 'DaemonSet', name: agent }, createdAt: long, ...parts });
    k8s.put(long, ...twoNodes, ...app('api'), daemonSet(agent, { createdAt: long }), there({}));
    k8s.wait(at(0));
    k8s.put(at(1), there(crashing(long, at(1))));
    mountInVain(k8s, `MountVolume.SetUp failed for volume "vault" : ${words}`);
  };

export const proof: Proof = {
  rule: 'agent-asked-for',
  shows: {
    what: 'the text of the failed mount calls the agent by its name',
    tell: story('failed to mount secrets store objects: error connecting to provider "aws": provider not found'),
    told: [`DaemonSet/shop/${agent} CrashLoopBackOff 2`],
  },
  not: {
    what: 'it speaks of something else',
    tell: story('lstat /mnt/models: no such file or directory'),
    told: [`DaemonSet/shop/${agent} CrashLoopBackOff 1`, 'Deployment/shop/api FailedMount 1'],
  },
};

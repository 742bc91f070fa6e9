import { at, eventOf } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** New Pods of two workloads cannot mount what a custom resource describes. */
const story =
  (...classes: readonly string[]): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)));
    k8s.wait(at(0));
    for (const [index, name] of names.entries()) {
      const says = `MountVolume.SetUp failed for volume "keys" : rpc error: code = Unknown desc = failed to get secretproviderclass, error: SecretProviderClass.secrets-store.csi.x-k8s.io "${classes[index]}" not found`;
      const waits = podOf(name, 'a', stuck(at(1), 'ContainerCreating'));
      k8s.put(at(1), waits);
      k8s.put(at(1, 5), eventOf(waits, 'FailedMount', says, at(1, 5)));
    }
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'several-name-what-is-missing',
  shows: {
    what: 'two workloads mount one class of secrets that is not there',
    tell: story('keys', 'keys'),
    told: ['SecretProviderClass.secrets-store.csi.x-k8s.io/shop/keys FailedMount 2'],
  },
  not: {
    what: 'each of them names another',
    tell: story('keys', 'kyes'),
    told: ['Deployment/shop/api FailedMount 1', 'Deployment/shop/web FailedMount 1'],
  },
};

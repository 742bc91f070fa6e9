import type { Coverage, CoverageReason } from '../model/coverage.ts';
import type { Unseen } from './answer.ts';

/** What it means for an answer that objects of a kind were not seen, where it means more than that they were not judged. */
const meanings: Readonly<Record<string, string>> = {
  pods: 'What fails in Pods is not seen: no crash, no image that cannot be pulled, no Pod that waits for room.',
  nodes: 'A Node that is lost, full or under pressure is not seen, and not found as the cause of what fails on it.',
  namespaces: 'That a namespace is stuck in its deletion is not seen.',
  events:
    'What the scheduler, kubelets and controllers say is not read: reasons that stand in Events alone are missing.',
  replicasets: 'Which release changed what is not seen, so that no release is found as a cause.',
  'replicasets.apps': 'Which release changed what is not seen, so that no release is found as a cause.',
  'deployments.apps': 'Pods stand for themselves: what was edited and what is left of a Deployment is not seen.',
  configmaps: 'A ConfigMap or a key that Pods need and that is not there is known only by what the kubelet says.',
  services: 'Addresses in logs are not recognised as Services, so that who depends on whom is seen less often.',
  'endpointslices.discovery.k8s.io': 'A Service behind which nothing serves is not seen.',
  persistentvolumeclaims: 'Claims that wait for a volume are not seen, and not found as causes.',
  'pods/log': 'What programs say is not read: causes that stand in logs alone are missing.',
  'apiservices.apiregistration.k8s.io': 'An extension API that does not answer is not seen.',
};

const ordinary = 'What is wrong with them is not seen, and they are not found as causes.';

const reasons: Partial<Readonly<Record<CoverageReason, string>>> = {
  Forbidden: 'you may not list and watch them',
  Unauthorized: 'the API server does not accept the credentials',
  DiscoveryFailed: 'the API server did not say whether it serves them',
  ConnectionLost: 'the connection to the API server was lost',
  ServerError: 'the API server answered with an error',
  Throttled: 'the API server asked to wait',
  InitialList: 'their list was not complete in time',
  Relisting: 'their list was not complete in time',
  TooLarge: 'there is too much of them',
};

/** What was not seen of what is looked at, by how its sources stand. What a cluster does not serve is not lacking. */
export function unseenOf(coverage: Iterable<Coverage>): readonly Unseen[] {
  const unseen: Unseen[] = [];
  for (const { source, state, reason } of coverage)
    if (state !== 'Watching' && state !== 'NotServed' && state !== 'Disabled')
      unseen.push(unseenResource(source, reasons[reason] ?? reason));
  return unseen.sort(byWeight);
}

/** First that without which an answer says less than that it was not judged. */
export function byWeight(a: Unseen, b: Unseen): number {
  return Number(b.resource in meanings) - Number(a.resource in meanings);
}

/** What it means that a resource was not seen. `why`: for people. */
export function unseenResource(resource: string, why: string): Unseen {
  return { resource, why, means: meanings[resource] ?? ordinary };
}

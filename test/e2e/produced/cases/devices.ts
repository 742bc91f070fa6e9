import { produced } from '../case.ts';
import type { Manifest } from '../hands.ts';
import { pod } from '../manifests.ts';

/** A claim for one device of the class named after the case's namespace. */
function deviceClaim(ns: string): Manifest {
  const requests = [{ name: 'gpu', exactly: { deviceClassName: ns } }];
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'gpu' },
    spec: { devices: { requests } },
  };
}

const unschedulable = 'status.conditions.PodScheduled.reason';

/** Devices that Pods ask for. */
export const cases = [
  produced({
    ...{ id: 'G22', reason: 'ResourceClaimUnallocated', edition: 'Pro' },
    what: 'no driver offers any device',
    subject: (ns) => `ResourceClaim/${ns}/gpu`,
    async produce({ apply, ns }) {
      await apply({ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: ns }, spec: {} });
      const resourceClaims = [{ name: 'gpu', resourceClaimName: 'gpu' }];
      await apply(deviceClaim(ns), pod('train', { pod: { resourceClaims } }));
    },
    settled: ({ some }) => some('Pod', unschedulable, 'Unschedulable'),
    also: ['Unschedulable'],
  }),
  produced({
    ...{ id: 'G22', reason: 'DevicesNotPrepared', edition: 'Pro' },
    what: 'the template of its claim does not exist',
    subject: (ns) => `Pod/${ns}/train`,
    async produce({ apply }) {
      const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }];
      await apply(pod('train', { pod: { resourceClaims } }));
    },
    settled: ({ some }) => some('Event', 'reason', 'FailedResourceClaimCreation'),
  }),
];

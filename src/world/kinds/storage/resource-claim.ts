import { type Fields, fieldsOf, listOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

/** resource.k8s.io ResourceClaim: devices that Pods ask for (dynamic resource allocation). */
export type ResourceClaimView = Meta & {
  readonly kind: 'ResourceClaim';
  readonly isAllocated: boolean;
  /** The classes of devices it asks for, each once. */
  readonly deviceClasses: readonly string[];
  /** What drivers say of allocated devices, as far as they say anything. */
  readonly devices: readonly { readonly device: string; readonly conditions: readonly Condition[] }[];
};

/** Devices that are kept of one claim: a claim has at most 32 results. */
const maxDevices = 32;

/** The class of a request: v1 has it in `exactly` or in one of `firstAvailable`, older versions in the request itself. */
function classesOf(request: Fields): string[] {
  const requests = [request, fieldsOf(request.exactly), ...listOf(request.firstAvailable)];
  return requests.flatMap(({ deviceClassName }) => textOf(deviceClassName) ?? []);
}

const group = { group: 'resource.k8s.io', versions: ['v1', 'v1beta2', 'v1beta1'] } as const;

/** resource.k8s.io ResourceClaim. */
export const resourceClaims: WatchedKind<ResourceClaimView> = watched({
  ...group,
  kind: 'ResourceClaim',
  namespaced: true,
  fields: ({ spec, status, meta }) => ({
    isAllocated: status.allocation !== undefined && status.allocation !== null,
    deviceClasses: [...new Set(listOf(fieldsOf(spec.devices).requests).flatMap(classesOf))],
    devices: listOf(status.devices)
      .slice(0, maxDevices)
      .map((device) => ({
        device: textOf(device.device) ?? '',
        conditions: conditionsOf({ status: device }, meta.createdAt),
      })),
  }),
});

/** resource.k8s.io ResourceSlice: devices that a driver offers, on one Node or on several. */
export type ResourceSliceView = Meta & { readonly kind: 'ResourceSlice'; readonly driver: string };

/** resource.k8s.io ResourceSlice. */
export const resourceSlices: WatchedKind<ResourceSliceView> = watched({
  ...group,
  kind: 'ResourceSlice',
  namespaced: false,
  fields: ({ spec }) => ({ driver: textOf(spec.driver) ?? '' }),
});

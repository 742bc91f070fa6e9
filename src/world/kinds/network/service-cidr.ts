import { type Fields, fieldsOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta, metaOf } from '../../reading/meta.ts';

/** networking.k8s.io/v1 ServiceCIDR: a range from which Services get their addresses. */
export type ServiceCIDRView = Meta & {
  readonly kind: 'ServiceCIDR';
  readonly cidrs: readonly string[];
  readonly conditions: readonly Condition[];
};

function project(raw: Fields): ServiceCIDRView {
  const meta = metaOf('ServiceCIDR', raw);
  const { cidrs } = fieldsOf(raw.spec);
  return {
    ...meta,
    kind: 'ServiceCIDR',
    cidrs: Array.isArray(cidrs) ? cidrs.filter((cidr) => typeof cidr === 'string') : [],
    conditions: conditionsOf(raw, meta.createdAt),
  };
}

/** networking.k8s.io/v1 ServiceCIDR (served from 1.33 on). */
export const serviceCIDRs: WatchedKind<ServiceCIDRView> = {
  group: 'networking.k8s.io',
  versions: ['v1'],
  plural: 'servicecidrs',
  kind: 'ServiceCIDR',
  namespaced: false,
  withoutManagedFields: true,
  project,
};

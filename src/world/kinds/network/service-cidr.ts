import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

/** networking.k8s.io/v1 ServiceCIDR: a range from which Services get their addresses. */
export type ServiceCIDRView = Meta & {
  readonly kind: 'ServiceCIDR';
  readonly cidrs: readonly string[];
  readonly conditions: readonly Condition[];
};

/** networking.k8s.io/v1 ServiceCIDR (served from 1.33 on). */
export const serviceCIDRs: WatchedKind<ServiceCIDRView> = watched({
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  namespaced: false,
  fields({ raw, spec, meta }) {
    const { cidrs } = spec;
    return {
      cidrs: Array.isArray(cidrs) ? cidrs.filter((cidr) => typeof cidr === 'string') : [],
      conditions: conditionsOf(raw, meta.createdAt),
    };
  },
});

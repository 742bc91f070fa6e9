import { namespaceOf, refOf } from '../../../model/ref.ts';
import type { Labels } from '../../../model/subject.ts';
import { labelsOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';
import type { ObjectLink } from '../../reading/object-links.ts';

/** core/v1 ResourceQuota: quantities by resource (`pods`, `requests.cpu`), as its controller reported them. */
export type ResourceQuotaView = Meta & {
  readonly kind: 'ResourceQuota';
  readonly hard: Labels;
  readonly used: Labels;
};

/** core/v1 LimitRange, known by what it is called: the API server says in full what it refuses. */
export type LimitRangeView = Meta & { readonly kind: 'LimitRange' };

function limitsItsNamespace({ ref }: Meta): readonly ObjectLink[] {
  return [{ type: 'limits', to: refOf('Namespace', '', namespaceOf(ref)) }];
}

/** core/v1 ResourceQuota. */
export const resourceQuotas: WatchedKind<ResourceQuotaView> = watched({
  group: '',
  kind: 'ResourceQuota',
  namespaced: true,
  fields: ({ status: { hard, used } }) => ({ hard: labelsOf(hard), used: labelsOf(used) }),
  links: limitsItsNamespace,
});

/** core/v1 LimitRange. */
export const limitRanges: WatchedKind<LimitRangeView> = watched({
  group: '',
  kind: 'LimitRange',
  namespaced: true,
  fields: () => ({}),
  links: limitsItsNamespace,
});

import { namespaceOf, refOf } from '../../../model/ref.ts';
import type { Labels } from '../../../model/subject.ts';
import { type Fields, fieldsOf, labelsOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Meta, metaOf } from '../../reading/meta.ts';
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
export const resourceQuotas: WatchedKind<ResourceQuotaView> = {
  group: '',
  versions: ['v1'],
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
  withoutManagedFields: true,
  project(raw: Fields) {
    const { hard, used } = fieldsOf(raw.status);
    return { ...metaOf('ResourceQuota', raw), kind: 'ResourceQuota', hard: labelsOf(hard), used: labelsOf(used) };
  },
  links: limitsItsNamespace,
};

/** core/v1 LimitRange. */
export const limitRanges: WatchedKind<LimitRangeView> = {
  group: '',
  versions: ['v1'],
  plural: 'limitranges',
  kind: 'LimitRange',
  namespaced: true,
  withoutManagedFields: true,
  project: (raw) => ({ ...metaOf('LimitRange', raw), kind: 'LimitRange' }),
  links: limitsItsNamespace,
};

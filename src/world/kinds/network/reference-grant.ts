import { type Fields, listOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** Who may refer: objects of a kind in a namespace. */
export type GrantedFrom = { readonly group: string; readonly kind: string; readonly namespace: string };

/** To what they may: objects of a kind in the grant's own namespace, or one of them by name. */
export type GrantedTo = { readonly group: string; readonly kind: string; readonly name?: string };

/** gateway.networking.k8s.io ReferenceGrant. */
export type ReferenceGrantView = Meta & {
  readonly kind: 'ReferenceGrant';
  readonly from: readonly GrantedFrom[];
  readonly to: readonly GrantedTo[];
};

const groupAndKind = ({ group, kind }: Fields) => ({ group: textOf(group) ?? '', kind: textOf(kind) ?? '' });

/** ReferenceGrants: what may be referred to from other namespaces. */
export const referenceGrants: WatchedKind<ReferenceGrantView> = watched({
  group: 'gateway.networking.k8s.io',
  versions: ['v1', 'v1beta1'],
  kind: 'ReferenceGrant',
  namespaced: true,
  fields({ spec }) {
    const { from, to } = spec;
    return {
      from: listOf(from).map((each) => ({ ...groupAndKind(each), namespace: textOf(each.namespace) ?? '' })),
      to: listOf(to).map((each) => {
        const name = textOf(each.name);
        return { ...groupAndKind(each), ...(name !== undefined && { name }) };
      }),
    };
  },
});

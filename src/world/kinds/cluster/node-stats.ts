import { nameOf, refOf } from '../../../model/ref.ts';
import { type Fields, fieldsOf, given, listOf, messageOf, numberOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';
import type { ObjectLink } from '../../reading/object-links.ts';
import { bands, type Measured, type Usage } from '../../reading/usage.ts';

/**
 * What the kubelet of the Node of its name said last. It is no object of the API: the runtime asks the kubelets, and puts what
 * is to be judged into this form, so that a recording holds it.
 */
export type NodeStatsView = Meta & {
  readonly kind: 'NodeStats';
  /** What is nearly used up, of the Node, its Pods and their claims. */
  readonly usages: readonly Usage[];
  /** The kubelet has not answered so often in a row, and what was said instead. */
  readonly unreachable?: { readonly failures: number; readonly message: string };
};

function isMeasured(word: unknown): word is Measured {
  return typeof word === 'string' && Object.hasOwn(bands, word);
}

function usageOf(raw: Fields): Usage[] {
  if (!isMeasured(raw.of)) return [];
  const { of, percent, used, capacity, namespace, name, container, fullInHours } = raw;
  return [
    {
      of,
      percent: numberOf(percent) ?? 0,
      ...given({ used: numberOf(used), capacity: numberOf(capacity), fullInHours: numberOf(fullInHours) }),
      ...given({ namespace: textOf(namespace), name: textOf(name), container: textOf(container) }),
    },
  ];
}

/** To whom what is measured belongs, where it is not the Node. */
const owners: Readonly<Partial<Record<Measured, string>>> = {
  claimBytes: 'PersistentVolumeClaim',
  claimInodes: 'PersistentVolumeClaim',
  containerMemory: 'Pod',
  podStorage: 'Pod',
};

function links({ ref, usages }: NodeStatsView): readonly ObjectLink[] {
  const described = usages.flatMap(({ of, namespace, name }) => {
    const kind = owners[of];
    return kind === undefined || name === undefined ? [] : [refOf(kind, namespace, name)];
  });
  return [refOf('Node', '', nameOf(ref)), ...new Set(described)].map((to) => ({ type: 'describes', to }));
}

/** What kubelets say; asked for, not watched. */
export const nodeStats: WatchedKind<NodeStatsView> = watched({
  group: '',
  plural: 'nodestats',
  kind: 'NodeStats',
  namespaced: false,
  fields({ raw }) {
    const { failures, message } = fieldsOf(raw.unreachable);
    const failed = numberOf(failures);
    return {
      usages: listOf(raw.usages).flatMap(usageOf),
      ...given({ unreachable: failed === undefined ? undefined : { failures: failed, message: messageOf(message) } }),
    };
  },
  links,
  judgedBy: ['Node', 'PersistentVolumeClaim', 'Pod'],
  fingerprintForDependents: ({ uid, usages, unreachable }) => [uid, usages, unreachable],
});

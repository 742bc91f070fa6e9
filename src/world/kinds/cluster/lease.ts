import { type Fields, fieldsOf, given, numberOf, textOf, timeOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Meta, metaOf } from '../../reading/meta.ts';

/** coordination.k8s.io/v1 Lease of kube-system: who leads a component of the control plane, and when that was renewed. */
export type LeaseView = Meta & {
  readonly kind: 'Lease';
  /** Absent: it was given up. */
  readonly holder?: string;
  readonly durationSeconds: number;
  /** By the clock of its holder (epoch milliseconds). */
  readonly renewedAt: number;
};

function project(raw: Fields): LeaseView {
  const { labels: _, ...meta } = metaOf('Lease', raw);
  const spec = fieldsOf(raw.spec);
  return {
    ...meta,
    labels: {},
    kind: 'Lease',
    durationSeconds: numberOf(spec.leaseDurationSeconds) ?? 0,
    renewedAt: timeOf(spec.renewTime) ?? timeOf(spec.acquireTime) ?? meta.createdAt,
    ...given({ holder: textOf(spec.holderIdentity) }),
  };
}

/** coordination.k8s.io/v1 Lease, of kube-system only: those of Nodes are 500 events a second at 5,000 Nodes. */
export const leases: WatchedKind<LeaseView> = {
  group: 'coordination.k8s.io',
  versions: ['v1'],
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
  namespace: 'kube-system',
  withoutManagedFields: true,
  // Each is renewed every 2 s.
  gatherSeconds: 15,
  project,
};

import { given, numberOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** coordination.k8s.io/v1 Lease of kube-system: who leads a component of the control plane, and when that was renewed. */
export type LeaseView = Meta & {
  readonly kind: 'Lease';
  /** Absent: it was given up. */
  readonly holder?: string;
  readonly durationSeconds: number;
  /** By the clock of its holder (epoch milliseconds). */
  readonly renewedAt: number;
};

/** coordination.k8s.io/v1 Lease, of kube-system only: those of Nodes are 500 events a second at 5,000 Nodes. */
export const leases: WatchedKind<LeaseView> = watched({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  namespaced: true,
  namespace: 'kube-system',
  // Each is renewed every 2 s.
  gatherSeconds: 15,
  fields: ({ spec, meta }) => ({
    labels: {},
    durationSeconds: numberOf(spec.leaseDurationSeconds) ?? 0,
    renewedAt: timeOf(spec.renewTime) ?? timeOf(spec.acquireTime) ?? meta.createdAt,
    ...given({ holder: textOf(spec.holderIdentity) }),
  }),
});

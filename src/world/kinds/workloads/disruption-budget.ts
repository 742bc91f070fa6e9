import { given, numberOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type LabelSelector, labelSelectorOf, selectorText } from '../../reading/label-selector.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

/** policy/v1 PodDisruptionBudget. */
export type PodDisruptionBudgetView = Meta & {
  readonly kind: 'PodDisruptionBudget';
  readonly selector?: LabelSelector;
  /** As people wrote them: `1`, `50%`. At most one is given. */
  readonly minAvailable?: string;
  readonly maxUnavailable?: string;
  readonly observedGeneration: number;
  readonly healthy: number;
  readonly desiredHealthy: number;
  readonly expected: number;
  readonly allowed: number;
  readonly conditions: readonly Condition[];
};

const written = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;

/** What its status says and has no time in the API. */
function facets({ healthy, desiredHealthy, allowed, expected }: PodDisruptionBudgetView): readonly string[] {
  const held: string[] = [];
  if (healthy < desiredHealthy) held.push('short');
  if (allowed === 0 && expected > 0) held.push('blocking');
  return held;
}

/** policy/v1 PodDisruptionBudget. */
export const podDisruptionBudgets: WatchedKind<PodDisruptionBudgetView> = watched({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  namespaced: true,
  managedFields: true,
  fields: ({ raw, spec, status, meta }) => ({
    observedGeneration: numberOf(status.observedGeneration) ?? 0,
    healthy: numberOf(status.currentHealthy) ?? 0,
    desiredHealthy: numberOf(status.desiredHealthy) ?? 0,
    expected: numberOf(status.expectedPods) ?? 0,
    allowed: numberOf(status.disruptionsAllowed) ?? 0,
    conditions: conditionsOf(raw, meta.createdAt),
    ...given({
      selector: labelSelectorOf(spec.selector),
      minAvailable: written(spec.minAvailable),
      maxUnavailable: written(spec.maxUnavailable),
    }),
  }),
  edited: ({ minAvailable, maxUnavailable, selector }) => [
    {
      field: 'budget',
      says: maxUnavailable === undefined ? `minAvailable ${minAvailable ?? '1'}` : `maxUnavailable ${maxUnavailable}`,
      path: ['f:spec'],
    },
    { field: 'selector', says: selectorText(selector), path: ['f:spec', 'f:selector'] },
  ],
  selector: ({ selector }) => selector,
  facets,
});

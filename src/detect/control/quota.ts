import { parseQuantity } from '../../model/quantity.ts';
import type { Reason } from '../../model/reason.ts';
import type { ResourceQuotaView } from '../../world/kinds/workloads/quota.ts';
import { type Detector, detector } from '../kit/detector.ts';

/** From which share on a quota is almost used up. */
const almost = 0.9;
/** Of what is counted in ones, a quota of less than this is always nearly used up. */
const fewest = 10;

type Use = { readonly resource: string; readonly share: number; readonly hard: number };

/** How much of each resource is used, the most first. What is forbidden altogether (a quota of 0) is not used up. */
function usesOf({ hard, used }: ResourceQuotaView): readonly Use[] {
  return Object.keys(hard)
    .flatMap((resource): Use[] => {
      const [limit, use] = [parseQuantity(hard[resource] ?? ''), parseQuantity(used[resource] ?? '')];
      return limit === undefined || use === undefined || limit === 0
        ? []
        : [{ resource, share: use / limit, hard: limit }];
    })
    .sort((a, b) => b.share - a.share || (a.resource < b.resource ? -1 : 1));
}

/** What a quota says of itself: more than all is used, all of it, or almost all. */
function standing({ share, hard, resource }: Use): Reason | undefined {
  if (share > 1) return 'QuotaOverused';
  if (share === 1) return 'QuotaFullyUsed';
  const isCount = !/cpu|memory|storage/.test(resource);
  return share > almost && !(isCount && hard < fewest) ? 'QuotaAlmostFull' : undefined;
}

const quotaUse = detector({
  id: 'G10',
  judges: 'ResourceQuota',
  reasons: [
    { reason: 'QuotaOverused', family: 'consequence', sure: 'high' },
    { reason: 'QuotaFullyUsed', family: 'consequence', sure: 'high' },
    { reason: 'QuotaAlmostFull', family: 'consequence', sure: 'high' },
  ],
  severity: 'low',
  forSeconds: 900,
  source: 'core/v1 ResourceQuota status.hard and status.used',
  predicate:
    'more of a resource is used than its quota allows (medium), all of it, or more than 90 % (low), for 15 min; one that refuses Pods is reported at once, under another reason',
  clears: 'less is used, or the quota was raised',
  symptom: 'scaling',
  patience: '15 min: a rollout uses more for a while',
  isNot: 'a quota of nothing, which forbids; 9 of a quota of 10 Pods',
  judge: (quota) => {
    const [first, ...others] = usesOf(quota);
    const reason = first && standing(first);
    if (!first || !reason) return false;
    const resources = [first, ...others.filter((use) => standing(use) === reason)].map(({ resource }) => resource);
    const { resource } = first;
    return {
      reason,
      since: 'observed',
      ...(reason === 'QuotaOverused' && { severity: 'medium' as const }),
      facts: {
        ...{ resource, used: quota.used[resource] ?? '', hard: quota.hard[resource] ?? '' },
        ...(resources.length > 1 && { others: resources.slice(1, 4).join(', ') }),
      },
    };
  },
});

/** Quotas. */
export const quotaDetectors: readonly Detector[] = [quotaUse];

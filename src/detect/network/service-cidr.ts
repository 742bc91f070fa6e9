import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector } from '../kit/detector.ts';

const serviceCIDRNotReady = detector({
  id: 'T21',
  reasons: [{ reason: 'ServiceCIDRNotReady', family: 'create', sure: 'high' }],
  judges: 'ServiceCIDR',
  severity: 'medium',
  forSeconds: 900,
  // One that cannot go says so by this very condition.
  exemptions: [],
  source: 'networking.k8s.io/v1 ServiceCIDR condition Ready=False, reason Terminating (servicecidrs controller)',
  predicate:
    'a range of Service addresses has not been ready for 15 min: as a rule it was deleted, and Services still use it',
  clears: 'Ready is True, or it is gone',
  symptom: 'service',
  patience: '15 min: a range that is deleted waits for the Services in it to go',
  isNot: 'a range that is deleted and goes within that time',
  judge: (range) => {
    const ready = conditionOf(range, 'Ready');
    if (ready?.status !== 'False') return false;
    const facts = { conditionReason: ready.reason, range: range.cidrs.join(', ') };
    return { since: ready.since, detail: ready.message, facts };
  },
});

/** Ranges of Service addresses. */
export const serviceCIDRDetectors: readonly Detector[] = [serviceCIDRNotReady];

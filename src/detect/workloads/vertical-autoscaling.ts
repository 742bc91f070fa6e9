import { conditionOf } from '../kit/conditions.ts';
import { detector } from '../kit/detector.ts';

/** Conditions of a VerticalPodAutoscaler that say it does nothing; those of a first start (`LowConfidence`) are normal. */
const verticalConditions = [
  { type: 'ConfigUnsupported', bad: 'True', reason: 'VPAConfigUnsupported' },
  { type: 'NoPodsMatched', bad: 'True', reason: 'VPANoPodsMatched' },
  { type: 'RecommendationProvided', bad: 'False', reason: 'VPANoRecommendation' },
] as const;

/** A vertical autoscaler that does nothing. */
export const verticalIdle = detector({
  id: 'A11',
  reasons: [
    { reason: 'VPAConfigUnsupported', family: 'config', sure: 'high' },
    { reason: 'VPANoPodsMatched', family: 'config', sure: 'high' },
    { reason: 'VPANoRecommendation', family: 'consequence', sure: 'unknown' },
  ],
  judges: 'VerticalPodAutoscaler',
  edition: 'Pro',
  severity: 'low',
  forSeconds: 3600,
  source:
    'autoscaling.k8s.io/v1 VerticalPodAutoscaler conditions ConfigUnsupported, NoPodsMatched, RecommendationProvided',
  predicate: 'a vertical autoscaler has done nothing for an hour and says why',
  clears: 'the condition has changed',
  symptom: 'scaling',
  patience: 'a recommender learns for a while',
  isNot: '`LowConfidence` and `FetchingHistory` of a first start',
  judge: (autoscaler) => {
    for (const { type, bad, reason } of verticalConditions) {
      const condition = conditionOf(autoscaler, type);
      if (condition?.status === bad)
        return {
          reason,
          since: condition.since,
          detail: condition.message,
          facts: { target: autoscaler.target },
        };
    }
    return false;
  },
});

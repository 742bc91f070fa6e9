import { admissionPolicyDetectors } from './admission-policy.ts';
import { apiExtensionDetectors } from './api-extension.ts';
import { apiServerDetectors } from './api-server.ts';
import { autoscalingDetectors } from './autoscaling.ts';
import { certificateRequestDetectors } from './certificate-request.ts';
import { claimDetectors } from './claim.ts';
import { claimChangeDetectors } from './claim-change.ts';
import { claimPlaceDetectors } from './claim-place.ts';
import { containerDetectors } from './container.ts';
import { crashDetectors } from './crash.ts';
import { creationDetectors } from './creation.ts';
import { cronJobDetectors } from './cron-job.ts';
import { customDetectors } from './custom.ts';
import { deletionDetectors } from './deletion.ts';
import { departedDetectors } from './departed.ts';
import type { Detector, ReasonRow } from './detector.ts';
import { deviceClaimDetectors } from './device-claim.ts';
import { disruptionDetectors } from './disruption.ts';
import { endedDetectors } from './ended.ts';
import { gatewayDetectors } from './gateway.ts';
import { imageDetectors } from './image.ts';
import { ingressDetectors } from './ingress.ts';
import { ingressConflictDetectors } from './ingress-conflict.ts';
import { jobDetectors } from './job.ts';
import { leaseDetectors } from './lease.ts';
import { loadBalancerDetectors } from './load-balancer.ts';
import { lostKeyDetectors } from './lost-key.ts';
import { lostPortDetectors } from './lost-port.ts';
import { namedDetectors } from './named.ts';
import { nodeDetectors } from './node.ts';
import { nodeUsageDetectors } from './node-usage.ts';
import { ownSightDetectors } from './own-sight.ts';
import { parkedDetectors } from './parked.ts';
import { podDetectors } from './pod.ts';
import { podUsageDetectors } from './pod-usage.ts';
import { probeDetectors } from './probe.ts';
import { quotaDetectors } from './quota.ts';
import { readyDetectors } from './ready.ts';
import { refusedDetectors } from './refused.ts';
import { regressionDetectors } from './regression.ts';
import { restartRateDetectors } from './restart-rate.ts';
import { revisionDetectors } from './revision.ts';
import { rolloutDetectors } from './rollout.ts';
import { serviceDetectors } from './service.ts';
import { serviceCIDRDetectors } from './service-cidr.ts';
import { selectorDetectors } from './service-selector.ts';
import { tlsSecretDetectors } from './tls-secret.ts';
import { unplacedDetectors } from './unplaced.ts';
import { unusualEventDetectors } from './unusual-events.ts';
import { volumeDetectors } from './volume.ts';
import { volumeUsageDetectors } from './volume-usage.ts';
import { webhookDetectors } from './webhook.ts';
import { workloadDetectors } from './workload.ts';
import { placementDetectors, standingDetectors } from './workload-standing.ts';

/** Every detector that judges objects as they are seen. */
export const detectors: readonly Detector[] = [
  ...crashDetectors,
  ...imageDetectors,
  ...containerDetectors,
  ...creationDetectors,
  ...probeDetectors,
  ...unplacedDetectors,
  ...podDetectors,
  ...lostKeyDetectors,
  ...endedDetectors,
  ...readyDetectors,
  ...placementDetectors,
  ...workloadDetectors,
  ...departedDetectors,
  ...rolloutDetectors,
  ...standingDetectors,
  ...refusedDetectors,
  ...revisionDetectors,
  ...regressionDetectors,
  ...jobDetectors,
  ...cronJobDetectors,
  ...quotaDetectors,
  ...nodeDetectors,
  ...apiExtensionDetectors,
  ...webhookDetectors,
  ...admissionPolicyDetectors,
  ...certificateRequestDetectors,
  ...tlsSecretDetectors,
  ...leaseDetectors,
  ...apiServerDetectors,
  ...ownSightDetectors,
  ...deletionDetectors,
  ...autoscalingDetectors,
  ...disruptionDetectors,
  ...claimDetectors,
  ...claimPlaceDetectors,
  ...claimChangeDetectors,
  ...volumeDetectors,
  ...deviceClaimDetectors,
  ...volumeUsageDetectors,
  ...nodeUsageDetectors,
  ...podUsageDetectors,
  ...customDetectors,
  ...selectorDetectors,
  ...serviceDetectors,
  ...lostPortDetectors,
  ...parkedDetectors,
  ...loadBalancerDetectors,
  ...serviceCIDRDetectors,
  ...ingressDetectors,
  ...ingressConflictDetectors,
  ...gatewayDetectors,
  ...unusualEventDetectors,
  ...restartRateDetectors,
];

/** What is known of each reason that a detector states, as it declares it; in the order of the catalogue. */
export function declaredReasons(): readonly ReasonRow[] {
  return [...detectors, ...namedDetectors].flatMap(({ reasons }) => reasons);
}

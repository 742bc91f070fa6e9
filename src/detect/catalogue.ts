import { admissionPolicyDetectors } from './control/admission-policy.ts';
import { alertDetectors } from './control/alerts.ts';
import { apiExtensionDetectors } from './control/api-extension.ts';
import { apiServerDetectors } from './control/api-server.ts';
import { certificateRequestDetectors } from './control/certificate-request.ts';
import { customDetectors } from './control/custom.ts';
import { deletionDetectors } from './control/deletion.ts';
import { leaseDetectors } from './control/lease.ts';
import { ownSightDetectors } from './control/own-sight.ts';
import { quotaDetectors } from './control/quota.ts';
import { signatureDetectors } from './control/signatures.ts';
import { unusualEventDetectors } from './control/unusual-events.ts';
import { webhookDetectors } from './control/webhook.ts';
import { cronJobDetectors } from './jobs/cron-job.ts';
import { jobDetectors } from './jobs/job.ts';
import type { Detector, ReasonRow } from './kit/detector.ts';
import { namedDetectors } from './named.ts';
import { gatewayDetectors } from './network/gateway.ts';
import { ingressDetectors } from './network/ingress.ts';
import { ingressConflictDetectors } from './network/ingress-conflict.ts';
import { loadBalancerDetectors } from './network/load-balancer.ts';
import { lostPortDetectors } from './network/lost-port.ts';
import { serviceDetectors } from './network/service.ts';
import { serviceCIDRDetectors } from './network/service-cidr.ts';
import { selectorDetectors } from './network/service-selector.ts';
import { tlsSecretDetectors } from './network/tls-secret.ts';
import { nodeDetectors } from './nodes/node.ts';
import { nodeUsageDetectors } from './nodes/node-usage.ts';
import { containerDetectors } from './pods/container.ts';
import { crashDetectors } from './pods/crash.ts';
import { endedDetectors } from './pods/ended.ts';
import { podDetectors } from './pods/pod.ts';
import { podUsageDetectors } from './pods/pod-usage.ts';
import { probeDetectors } from './pods/probe.ts';
import { readyDetectors } from './pods/ready.ts';
import { restartRateDetectors } from './pods/restart-rate.ts';
import { unplacedDetectors } from './pods/unplaced.ts';
import { creationDetectors } from './starts/creation.ts';
import { imageDetectors } from './starts/image.ts';
import { claimDetectors } from './storage/claim.ts';
import { claimChangeDetectors } from './storage/claim-change.ts';
import { claimPlaceDetectors } from './storage/claim-place.ts';
import { deviceClaimDetectors } from './storage/device-claim.ts';
import { volumeDetectors } from './storage/volume.ts';
import { volumeUsageDetectors } from './storage/volume-usage.ts';
import { autoscalingDetectors } from './workloads/autoscaling.ts';
import { departedDetectors } from './workloads/departed.ts';
import { disruptionDetectors } from './workloads/disruption.ts';
import { lostKeyDetectors } from './workloads/lost-key.ts';
import { parkedDetectors } from './workloads/parked.ts';
import { refusedDetectors } from './workloads/refused.ts';
import { regressionDetectors } from './workloads/regression.ts';
import { revisionDetectors } from './workloads/revision.ts';
import { rolloutDetectors } from './workloads/rollout.ts';
import { workloadDetectors } from './workloads/workload.ts';
import { placementDetectors, standingDetectors } from './workloads/workload-standing.ts';

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
  ...signatureDetectors,
  // What others say tells least.
  ...alertDetectors,
];

/** What is known of each reason that a detector states, as it declares it; in the order of the catalogue. */
export function declaredReasons(): readonly ReasonRow[] {
  return [...detectors, ...namedDetectors].flatMap(({ reasons }) => reasons);
}

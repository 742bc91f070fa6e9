import type { Finding } from '../model/finding.ts';
import type { Reason } from '../model/reason.ts';
import { kindOf } from '../model/ref.ts';
import type { Case } from './case.ts';
import type { Phrase } from './phrase.ts';
import { apiServerPhrases } from './phrases/api-server.ts';
import { calledPhrases } from './phrases/called.ts';
import { capacityPhrases } from './phrases/capacity.ts';
import { containerPhrases } from './phrases/container.ts';
import { calledPhrase, callerReasons, controlPhrases } from './phrases/control.ts';
import { customPhrases } from './phrases/custom.ts';
import { departedPhrases } from './phrases/departed.ts';
import { devicePhrases } from './phrases/device.ts';
import { eventPhrases } from './phrases/event.ts';
import { gatewayPhrases } from './phrases/gateway.ts';
import { imagePhrases } from './phrases/image.ts';
import { ingressPhrases } from './phrases/ingress.ts';
import { jobPhrases } from './phrases/job.ts';
import { leasePhrases } from './phrases/lease.ts';
import { namedPhrases, obstaclePhrases } from './phrases/named.ts';
import { nodePhrases } from './phrases/node.ts';
import { ownSightPhrases } from './phrases/own-sight.ts';
import { podPhrases } from './phrases/pod.ts';
import { probePhrases } from './phrases/probe.ts';
import { quotaPhrases } from './phrases/quota.ts';
import { scalingPhrases } from './phrases/scaling.ts';
import { servicePhrases } from './phrases/service.ts';
import { sharedPhrases } from './phrases/shared.ts';
import { sharedStoragePhrases } from './phrases/shared-storage.ts';
import { standingPhrases } from './phrases/standing.ts';
import { startPhrases } from './phrases/start.ts';
import { storagePhrases } from './phrases/storage.ts';
import { tlsSecretPhrases } from './phrases/tls-secret.ts';
import { usagePhrases } from './phrases/usage.ts';
import { volumePhrases } from './phrases/volume.ts';
import { workloadPhrases } from './phrases/workload.ts';

/** The words for every reason; one row each. A reason without a row does not compile. */
const phrases: Readonly<Record<Reason, Phrase>> = {
  ...containerPhrases,
  ...imagePhrases,
  ...podPhrases,
  ...startPhrases,
  ...probePhrases,
  ...departedPhrases,
  ...workloadPhrases,
  ...jobPhrases,
  ...standingPhrases,
  ...quotaPhrases,
  ...nodePhrases,
  ...capacityPhrases,
  ...scalingPhrases,
  ...storagePhrases,
  ...volumePhrases,
  ...devicePhrases,
  ...usagePhrases,
  ...servicePhrases,
  ...ingressPhrases,
  ...gatewayPhrases,
  ...controlPhrases,
  ...leasePhrases,
  ...apiServerPhrases,
  ...ownSightPhrases,
  ...tlsSecretPhrases,
  ...customPhrases,
  ...eventPhrases,
  ...namedPhrases,
  ...calledPhrases,
};

/** What is wrong with an object, in one plain sentence. */
export function sentenceOf(finding: Finding): string {
  return phrases[finding.reason].says(finding);
}

/** The words for a reason at a root: what a quota does is not what the workload does that it refuses. */
export function phraseOf({ root, reason, edited }: Pick<Case, 'root' | 'reason' | 'edited'>): Phrase {
  const kind = kindOf(root);
  // What is wrong with a webhook itself has words of its own.
  if (reason in controlPhrases) {
    const own = phrases[reason];
    return callerReasons.includes(reason) ? (calledPhrase(kind, own) ?? own) : own;
  }
  // Claims have words of their own for what is wrong with themselves.
  const isStorage = [storagePhrases, volumePhrases, devicePhrases, usagePhrases].some((words) => reason in words);
  const obstacle = isStorage ? sharedStoragePhrases.get(`${kind} ${reason}`) : obstaclePhrases.get(kind);
  const shared = edited ? undefined : sharedPhrases.get(`${kind.includes('.') ? 'CustomResource' : kind} ${reason}`);
  const { why, ended, ...rest } = phrases[reason];
  // What stands in the way has causes of its own.
  if (obstacle ?? shared) return { ...rest, ...obstacle, ...shared };
  return { ...rest, ...(why && { why }), ...(ended && { ended }) };
}

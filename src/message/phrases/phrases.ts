import type { Finding } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf } from '../../model/ref.ts';
import type { Case } from '../parts/case.ts';
import { describeRoot } from '../parts/next.ts';
import type { Phrase } from '../parts/phrase.ts';
import { alertPhrases } from './cluster/alert.ts';
import { apiServerPhrases } from './cluster/api-server.ts';
import { calledPhrase, callerReasons, controlPhrases } from './cluster/control.ts';
import { customPhrases } from './cluster/custom.ts';
import { eventPhrases } from './cluster/event.ts';
import { leasePhrases } from './cluster/lease.ts';
import { nodePhrases } from './cluster/node.ts';
import { ownSightPhrases } from './cluster/own-sight.ts';
import { quotaPhrases } from './cluster/quota.ts';
import { signaturePhrases } from './cluster/signature.ts';
import { usagePhrases } from './cluster/usage.ts';
import { calledPhrases } from './network/called.ts';
import { gatewayPhrases } from './network/gateway.ts';
import { ingressPhrases } from './network/ingress.ts';
import { servicePhrases } from './network/service.ts';
import { tlsSecretPhrases } from './network/tls-secret.ts';
import { capacityPhrases } from './several/capacity.ts';
import { namedPhrases, obstaclePhrases } from './several/named.ts';
import { sharedPhrases } from './several/shared.ts';
import { sharedStoragePhrases } from './storage/shared-storage.ts';
import { storagePhrases } from './storage/storage.ts';
import { volumePhrases } from './storage/volume.ts';
import { containerPhrases } from './workloads/container.ts';
import { departedPhrases } from './workloads/departed.ts';
import { devicePhrases } from './workloads/device.ts';
import { imagePhrases } from './workloads/image.ts';
import { jobPhrases } from './workloads/job.ts';
import { podPhrases } from './workloads/pod.ts';
import { probePhrases } from './workloads/probe.ts';
import { scalingPhrases } from './workloads/scaling.ts';
import { standingPhrases } from './workloads/standing.ts';
import { startPhrases } from './workloads/start.ts';
import { workloadPhrases } from './workloads/workload.ts';

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
  ...alertPhrases,
  ...signaturePhrases,
  ...namedPhrases,
  ...calledPhrases,
};

/** What is wrong with an object, in one plain sentence. */
export function sentenceOf(finding: Finding): string {
  return phrases[finding.reason].says(finding);
}

/** A phrase with what is left to the default. */
type WholePhrase = Phrase & Required<Pick<Phrase, 'next' | 'facts'>>;

/** The words for a reason at a root: what a quota does is not what the workload does that it refuses. */
export function phraseOf(about: Pick<Case, 'root' | 'reason' | 'edited'>): WholePhrase {
  return { next: describeRoot, facts: [], ...ownPhraseOf(about) };
}

function ownPhraseOf({ root, reason, edited }: Pick<Case, 'root' | 'reason' | 'edited'>): Phrase {
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

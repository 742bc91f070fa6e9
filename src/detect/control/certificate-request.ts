import { earliest } from '../../model/instants.ts';
import { nameOf, refOf } from '../../model/ref.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Judgement, type NamedDetector } from '../kit/detector.ts';

const row = { edition: 'Pro', symptom: 'certificate' } as const;

/** Signers of the certificates that kubelets ask for by themselves: nobody is meant to wait for a person. */
const kubeletSigners: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);
/** What was refused or failed is told this long (ms); the garbage collector takes it away about then. */
const refusedLifeMs = 3_600_000;

const signingRequest = detector({
  ...row,
  id: 'G13',
  judges: 'CertificateSigningRequest',
  reasons: [
    { reason: 'CSRPending', family: 'consequence', sure: 'likely' },
    { reason: 'CSRNotIssued', family: 'consequence', sure: 'likely' },
    { reason: 'CSRFailed', family: 'config', sure: 'high' },
    { reason: 'CSRDenied', family: 'config', sure: 'high' },
  ],
  severity: 'medium',
  source: 'certificates.k8s.io/v1 conditions Approved, Denied, Failed; status.certificate',
  predicate:
    'a request waits for approval for 30 min (10 min where kubelets ask), is approved and not signed for 75 s, has failed, or was denied (low)',
  clears: 'it is signed or gone; an hour after it failed or was denied',
  patience: '10 min: approvers work in seconds; 30 min where a person may approve',
  isNot: 'a request that is signed at once',
  judge: ({ conditions, signer, requestor, isIssued, createdAt }, _, now): Judgement => {
    if (isIssued) return false;
    const is = (type: string) => conditions.find((each) => each.type === type && each.status === 'True');
    const found = { facts: { signer, requestor }, names: [refOf('Signer', '', signer)] };
    const refused = is('Failed') ?? is('Denied');
    if (refused) {
      const ended = refused.since + refusedLifeMs;
      if (ended <= now) return false;
      const isFailed = refused.type === 'Failed';
      return {
        ...{ reason: isFailed ? 'CSRFailed' : 'CSRDenied', since: refused.since, settle: 'conclusive' },
        ...{ severity: isFailed ? 'medium' : 'low', detail: refused.message, facts: found.facts, lookAgainAt: ended },
      };
    }
    const approved = is('Approved');
    if (approved) return { ...found, reason: 'CSRNotIssued', since: approved.since, forSeconds: 75 };
    return { ...found, reason: 'CSRPending', since: createdAt, forSeconds: kubeletSigners.has(signer) ? 600 : 1800 };
  },
});

const podRequest = detector({
  ...row,
  id: 'G14',
  judges: 'PodCertificateRequest',
  reasons: [{ reason: 'PodCertificateRequestFailed', family: 'config', sure: 'high' }],
  severity: 'high',
  forSeconds: 30,
  settle: 'conclusive',
  source: 'certificates.k8s.io PodCertificateRequest conditions Denied, Failed (KEP-4317)',
  predicate: 'the certificate that a Pod needs to start was refused or could not be issued for 30 s',
  clears: 'another request is issued, or the Pod is gone',
  patience: '30 s: the kubelet may ask again',
  isNot: 'a request that waits for its signer',
  judge: (request) => {
    const failed = [conditionOf(request, 'Failed'), conditionOf(request, 'Denied')].find(
      (each) => each?.status === 'True',
    );
    return failed !== undefined && { since: failed.since, detail: failed.message, facts: { signer: request.signer } };
  },
});

/** So many requests that wait are the signer's or approver's trouble. */
const minWaiting = 3;

/** Who signs: judged by the requests that wait for it. */
export const signerDetector: NamedDetector = {
  ...row,
  id: 'G13',
  judges: 'Signer',
  reasons: [{ reason: 'SignerNotSigning', family: 'named', sure: 'likely' }],
  severity: 'medium',
  settle: 'conclusive',
  source: 'the findings CSRPending and CSRNotIssued of three or more requests of one signer',
  predicate: 'three or more requests wait for the same signer or its approver; high where kubelets ask',
  clears: 'fewer wait',
  patience: 'none besides that of the requests',
  isNot: 'one request that a person forgot',
  judge: (ref, naming) => {
    const waiting = [...naming.values()].flat();
    if (waiting.length < minWaiting) return false;
    return {
      since: earliest(waiting.map(({ since }) => since)),
      severity: kubeletSigners.has(nameOf(ref)) ? 'high' : 'medium',
      facts: { requests: waiting.length },
    };
  },
};

/** Requests for certificates. */
export const certificateRequestDetectors: readonly Detector[] = [signingRequest, podRequest];

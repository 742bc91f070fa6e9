import { given } from '../../world/reading/fields.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Judgement } from '../kit/detector.ts';

const pro = { edition: 'Pro', symptom: 'controlPlane' } as const;

/** In every edition: autoscalers that cannot scale are told in every one, and this is their cause. */
const apiServiceUnavailable = detector({
  ...pro,
  id: 'G1',
  edition: 'Community',
  judges: 'APIService',
  reasons: [{ reason: 'APIServiceUnavailable', family: 'consequence', sure: 'likely' }],
  severity: 'high',
  forSeconds: 60,
  source:
    'apiregistration.k8s.io/v1 APIService condition Available=False (kube-aggregator, remote_available_controller.go)',
  predicate:
    'the API server cannot reach who serves an API for 60 s (20 s where its Service or port does not exist): autoscalers, deletion of namespaces and garbage collection suffer',
  clears: 'Available is True, held for 2 min',
  patience: '60 s: a single replica that is replaced is away for as long; 20 s for what is not there',
  isNot: 'an APIService whose state the API server does not know (ServiceAccessError); one made just now',
  judge: ({ service, group, version, ...view }) => {
    const available = view.conditions.find(({ type }) => type === 'Available');
    if (available?.status !== 'False') return false;
    const isMissing = ['ServiceNotFound', 'ServicePortError'].includes(available.reason);
    return {
      since: available.since,
      detail: available.message,
      facts: { api: `${group}/${version}`, conditionReason: available.reason },
      clearHoldMs: 2 * 60_000,
      ...given({ names: service && [service] }),
      ...(isMissing && { forSeconds: 20, settle: 'conclusive' }),
    };
  },
});

const crdNotEstablished = detector({
  ...pro,
  id: 'G2',
  judges: 'CustomResourceDefinition',
  reasons: [{ reason: 'CRDNotEstablished', family: 'config', sure: 'high' }],
  severity: 'high',
  forSeconds: 60,
  source:
    'apiextensions.k8s.io/v1 conditions NamesAccepted, Established, NonStructuralSchema (naming_controller.go, establishing_controller.go)',
  predicate:
    'a kind is not served: its names are taken (15 s), its conversion has no valid CA bundle, or it is not established for 60 s; or its schema is not structural (medium)',
  clears: 'it is established',
  patience: '60 s: a definition is served a few seconds after it is made',
  isNot: 'a definition that is being deleted',
  judge: (crd): Judgement => {
    const [names, established] = [conditionOf(crd, 'NamesAccepted'), conditionOf(crd, 'Established')];
    const schema = conditionOf(crd, 'NonStructuralSchema');
    const facts = { defines: crd.defines };
    if (names?.status === 'False')
      return {
        scope: names.type,
        since: names.since,
        detail: names.message,
        facts,
        forSeconds: 15,
        settle: 'conclusive',
      };
    if (established?.status === 'False')
      return { scope: established.type, since: established.since, detail: established.message, facts };
    if (schema?.status !== 'True') return false;
    return { scope: schema.type, since: schema.since, detail: schema.message, facts, severity: 'medium' };
  },
});

/** How long the objects of a definition may take to go. */
const objectsGoSeconds = 900;

const crdDeletionFailed = detector({
  ...pro,
  id: 'G2',
  judges: 'CustomResourceDefinition',
  reasons: [{ reason: 'CRDDeletionFailed', family: 'config', sure: 'likely' }],
  severity: 'medium',
  forSeconds: 60,
  exemptions: [],
  source:
    'apiextensions.k8s.io/v1 condition Terminating, reasons InstanceDeletionFailed, InstanceDeletionCheck and InstanceDeletionInProgress (crd_finalizer.go)',
  predicate:
    'a definition is being deleted, and its objects could not be deleted for 60 s, or are still there after 15 min',
  clears: 'it is gone',
  patience:
    '60 s: the API server tries again; 15 min: objects wait for their finalizers, which may give back what clouds lent',
  isNot: 'objects that are still being deleted, for 15 min',
  judge: (crd): Judgement => {
    const terminating = conditionOf(crd, 'Terminating');
    if (crd.deletionAt === undefined || terminating?.status !== 'True') return false;
    const { reason, message, since } = terminating;
    const facts = { defines: crd.defines, conditionReason: reason };
    if (reason === 'InstanceDeletionFailed') return { since, detail: message, facts };
    // It says so anew at each attempt, also where the last one failed.
    return { since, detail: message, facts, forSeconds: objectsGoSeconds, stands: true };
  },
});

const flowSchemaDangling = detector({
  ...pro,
  id: 'G18',
  judges: 'FlowSchema',
  reasons: [{ reason: 'FlowSchemaDangling', family: 'config', sure: 'high' }],
  severity: 'medium',
  forSeconds: 60,
  settle: 'conclusive',
  source: 'flowcontrol.apiserver.k8s.io condition Dangling=True (apf_controller.go, presyncFlowSchemaStatus)',
  predicate: 'the priority level that a FlowSchema sends requests to does not exist for 60 s',
  clears: 'it exists, or the schema names another',
  patience: '60 s: the two are made one after the other',
  isNot: 'requests that are throttled: coverage and /health show ours',
  judge: (schema) => {
    const dangling = conditionOf(schema, 'Dangling');
    if (dangling?.status !== 'True') return false;
    return { since: dangling.since, facts: { priorityLevel: schema.priorityLevel } };
  },
});

/** What extends the API or shares it out. */
export const apiExtensionDetectors: readonly Detector[] = [
  apiServiceUnavailable,
  crdNotEstablished,
  crdDeletionFailed,
  flowSchemaDangling,
];

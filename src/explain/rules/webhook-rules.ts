import type { ChangeField } from '../../model/change-field.ts';
import { longRunning, makers, programs } from './reasons.ts';
import { changeOf, named, type Rule } from './rule.ts';

/** What decides how a webhook judges. */
const whatJudges: readonly ChangeField[] = [
  ...(['data', 'image', 'command', 'args', 'env', 'envFrom', 'containers', 'template'] as const),
];

/** The causal rules of webhooks that answer, and of those that nobody insists on. */
export const webhookRules: readonly Rule[] = [
  {
    id: 'webhook-judges-otherwise',
    cause: changeOf([...longRunning, 'ConfigMap']),
    via: 'called-servers',
    effect: { kinds: ['CustomResource', ...makers], reasons: ['CustomResourceFailing', 'AdmissionDenied'] },
    strength: 'strong',
    withinSeconds: 3600,
    atMost: 'likely',
    fields: whatJudges,
    says: /admission webhook "[^"]{1,253}" denied the request/,
    requires: ['untouchedSince'],
    source:
      'admission: "admission webhook <name> denied the request"; what was made before and is as it was may be refused since who answers was edited (ingress-nginx allow-snippet-annotations, policies that come with an engine)',
  },
  {
    id: 'webhook-done-without',
    cause: named(longRunning),
    via: 'prepared-by',
    effect: programs,
    strength: 'usual',
    atMost: 'likely',
    requires: ['madeWithout'],
    signs: ['CredentialsMissing', 'VariableMissing', 'FileMissing'],
    source:
      'MutatingWebhookConfiguration failurePolicy Ignore: while nobody answers, Pods are made without what is put into them (credentials of the cloud, sidecars, certificates), and nobody is told',
  },
];

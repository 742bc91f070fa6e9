import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { Case } from '../case.ts';
import { describeRoot, endpointsOf } from '../next.ts';
import { kubectl, shellWord } from '../words.ts';

/** The Service that is to answer, `guard/policy` in the facts, where the API server looks for it. */
function serviceOf({ facts, finding }: Case): Ref | undefined {
  const [namespace, name] = String(facts.service ?? '').split('/');
  if (namespace && name) return refOf('Service', namespace, name);
  return finding?.names.find((ref) => kindOf(ref) === 'Service');
}

/** What is behind the Service that is to answer, or which Services there are. */
export function whoAnswers(about: Case): string {
  const service = serviceOf(about);
  if (service === undefined) return describeRoot(about);
  return isMissing(about) ? `kubectl get services -n ${namespaceOf(service)}` : endpointsOf(service);
}

/** Whether the Service that is to answer does not exist, rather than being empty. */
export const isMissing = ({ reason, facts }: Case): boolean =>
  reason === 'WebhookBackendMissing' || facts.conditionReason === 'ServiceNotFound';

/** Who signed the bundle that the API server checks a webhook with, and until when it counts. */
export function readBundle({ root, facts: { webhook } }: Case): string {
  const which = webhook === undefined ? '*' : `?(@.name=="${webhook}")`;
  const bundle = kubectl(
    `get ${kindOf(root).toLowerCase()}`,
    root,
    '-o',
    `jsonpath={.webhooks[${which}].clientConfig.caBundle}`,
  );
  return `${bundle} | base64 -d | openssl x509 -noout -subject -issuer -dates`;
}

/** What is still in the Namespace and what holds it, or which API cannot be asked. */
export function whatIsLeft({ root, finding, facts: { remaining } }: Case): string {
  const api = finding?.names.find((ref) => kindOf(ref) === 'APIService');
  if (api !== undefined) return `kubectl describe apiservice ${nameOf(api)}`;
  if (typeof remaining !== 'string') return `kubectl get namespace ${nameOf(root)} -o yaml`;
  const columns = 'custom-columns=NAME:.metadata.name,FINALIZERS:.metadata.finalizers';
  return `kubectl get ${shellWord(remaining)} -n ${nameOf(root)} -o ${columns}`;
}

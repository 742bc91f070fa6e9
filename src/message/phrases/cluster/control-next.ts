import { asCertificate, type Command, isKubernetesName, kubectl, listOf } from '../../../model/command.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { describeRoot, endpointsOf } from '../../parts/next.ts';

/** The Service that is to answer, `guard/policy` in the facts, where the API server looks for it. */
function serviceOf({ facts, finding }: Case): Ref | undefined {
  const [namespace, name] = String(facts.service ?? '').split('/');
  if (namespace && name) return refOf('Service', namespace, name);
  return finding?.names.find((ref) => kindOf(ref) === 'Service');
}

/** What is behind the Service that is to answer, or which Services there are. */
export function whoAnswers(about: Case): Command | undefined {
  const service = serviceOf(about);
  if (service === undefined) return describeRoot(about);
  return isMissing(about) ? kubectl('get', listOf('services', namespaceOf(service))) : endpointsOf(service);
}

/** Whether the Service that is to answer does not exist, rather than being empty. */
export const isMissing = ({ reason, facts }: Case): boolean =>
  reason === 'WebhookBackendMissing' || facts.conditionReason === 'ServiceNotFound';

/** Who signed the bundle that the API server checks a webhook with, and until when it counts. */
export function readBundle({ root, facts: { webhook } }: Case): Command | undefined {
  const isOne = isKubernetesName(String(webhook ?? ''));
  const which = isOne ? `?(@.name=="${webhook}")` : '*';
  const bundle = kubectl('get', root, '-o', `jsonpath={.webhooks[${which}].clientConfig.caBundle}`);
  return asCertificate(bundle);
}

/** What is still in the Namespace and what holds it, or which API cannot be asked. */
export function whatIsLeft({ root, finding, facts: { remaining } }: Case): Command | undefined {
  const api = finding?.names.find((ref) => kindOf(ref) === 'APIService');
  if (api !== undefined) return kubectl('describe', api);
  if (typeof remaining !== 'string') return kubectl('get', root, '-o', 'yaml');
  const columns = 'custom-columns=NAME:.metadata.name,FINALIZERS:.metadata.finalizers';
  return kubectl('get', listOf(remaining, nameOf(root)), '-o', columns);
}

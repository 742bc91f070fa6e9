import { type Command, kubectl, listOf } from '../../../model/command.ts';
import type { TellingSign } from '../../../model/heard-sign.ts';
import { kindOf, namespaceOf } from '../../../model/ref.ts';
import { endpointsOf } from '../../parts/next.ts';

/** One field of the Pod that said it: names of variables, keys and mounts, never their values. */
export const podField =
  (...paths: readonly string[]) =>
  ({ pod }: TellingSign): Command | undefined =>
    kubectl('get', pod, '-o', `jsonpath=${paths.map((path) => `{${path}}`).join('{"\\n"}')}`);

/** What answers behind the Service that it means, or what it means by itself. */
export function whoAnswers({ to }: TellingSign): Command | undefined {
  switch (to && kindOf(to)) {
    case 'Service':
      return to && endpointsOf(to);
    case 'Pod':
    case 'Node':
      return to && kubectl('describe', to);
    default:
      return undefined;
  }
}

/** Who may talk to whom: what is dropped on the way is not refused. For what is outside, where it comes from. */
export function whoMayPass(sign: TellingSign): Command | undefined {
  const namespace = sign.to && namespaceOf(sign.to) !== '' ? namespaceOf(sign.to) : namespaceOf(sign.pod);
  return kubectl('get', listOf('networkpolicies', namespace));
}

/** The Service of that name; of a name outside, whether the cluster's DNS runs. */
export function whoIsCalledSo({ to }: TellingSign): Command | undefined {
  return to && kindOf(to) === 'Service'
    ? kubectl('get', listOf('services', namespaceOf(to)))
    : kubectl('get', listOf('pods', 'kube-system'), '-l', 'k8s-app=kube-dns');
}

/** A service account as the API server names users: its namespace and name. */
export const serviceAccount = /^system:serviceaccount:([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})$/;

/** What its service account may do; of other users Kubernetes knows nothing. */
export function whatItMayDo({ name, pod }: TellingSign): Command | undefined {
  return name !== undefined && serviceAccount.test(name)
    ? kubectl('auth can-i', undefined, '--list', `--as=${name}`, '-n', namespaceOf(pod))
    : undefined;
}

/** Names of the variables that it is given, and where more come from. */
export const variables = podField('.spec.containers[*].env[*].name', '.spec.containers[*].envFrom');
/** What is mounted, and where. */
export const mounts = podField('.spec.volumes', '.spec.containers[*].volumeMounts');
/** As whom it runs, and what it may do. */
export const rights = podField('.spec.securityContext', '.spec.containers[*].securityContext');
/** The Secrets that its variables come from. */
export const secrets = podField(
  '.spec.containers[*].env[*].valueFrom.secretKeyRef',
  '.spec.containers[*].envFrom[*].secretRef',
);
/** By which account a cloud knows it, and on which node it asks for its credentials. */
export const serviceAccountOf = podField('.spec.serviceAccountName', '.spec.nodeName');

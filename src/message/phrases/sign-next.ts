import type { TellingSign } from '../../model/heard-sign.ts';
import { kindOf, namespaceOf } from '../../model/ref.ts';
import { endpointsOf } from '../next.ts';
import { kubectl } from '../words.ts';

/** One field of the Pod that said it: names of variables, keys and mounts, never their values. */
export const podField =
  (...paths: readonly string[]) =>
  ({ pod }: TellingSign): string =>
    kubectl('get pod', pod, '-o', `jsonpath=${paths.map((path) => `{${path}}`).join('{"\\n"}')}`);

/** What answers behind the Service that it means, or what it means by itself. */
export function whoAnswers({ to }: TellingSign): string | undefined {
  switch (to && kindOf(to)) {
    case 'Service':
      return to && endpointsOf(to);
    case 'Pod':
    case 'Node':
      return to && kubectl(`describe ${kindOf(to).toLowerCase()}`, to);
    default:
      return undefined;
  }
}

/** Who may talk to whom: what is dropped on the way is not refused. For what is outside, where it comes from. */
export function whoMayPass(sign: TellingSign): string {
  const namespace = sign.to && namespaceOf(sign.to) !== '' ? namespaceOf(sign.to) : namespaceOf(sign.pod);
  return `kubectl get networkpolicies -n ${namespace}`;
}

/** The Service of that name; of a name outside, whether the cluster's DNS runs. */
export function whoIsCalledSo({ to }: TellingSign): string {
  return to && kindOf(to) === 'Service'
    ? `kubectl get services -n ${namespaceOf(to)}`
    : 'kubectl get pods -n kube-system -l k8s-app=kube-dns';
}

/** A service account as the API server names users: its namespace and name. */
export const serviceAccount = /^system:serviceaccount:([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})$/;

/** What its service account may do; of other users Kubernetes knows nothing. */
export function whatItMayDo({ name, pod }: TellingSign): string | undefined {
  return name !== undefined && serviceAccount.test(name)
    ? `kubectl auth can-i --list --as=${name} -n ${namespaceOf(pod)}`
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

import { type Ref, refOf } from '../model/ref.ts';
import { heldKinds, kindInRefs } from './kinds.ts';

/** Short names as `kubectl api-resources` prints them, of the kinds that people ask about. */
const shortNames: Readonly<Record<string, string>> = {
  ...{ po: 'Pod', deploy: 'Deployment', sts: 'StatefulSet', ds: 'DaemonSet', rs: 'ReplicaSet', cj: 'CronJob' },
  ...{ rc: 'ReplicationController', svc: 'Service', ing: 'Ingress', hpa: 'HorizontalPodAutoscaler', no: 'Node' },
  ...{ ns: 'Namespace', pvc: 'PersistentVolumeClaim', pv: 'PersistentVolume', sc: 'StorageClass', cm: 'ConfigMap' },
  ...{ pdb: 'PodDisruptionBudget', quota: 'ResourceQuota', sa: 'ServiceAccount', netpol: 'NetworkPolicy' },
};

const byWord = new Map(Object.entries(shortNames));
for (const row of heldKinds)
  for (const word of [row.kind, row.plural, `${row.plural}.${row.group}`])
    byWord.set(word.toLowerCase(), kindInRefs(row));

/**
 * The object that somebody names: `deployment/shop/api`, `deploy/shop/api`, `Node//n1`, `node/n1` where there is no namespace. A kind that
 * is not known is taken as it stands (`Application.argoproj.io/argocd/shop`). `undefined`: that is no name of an object.
 */
export function askedRef(text: string): Ref | undefined {
  const [word = '', ...rest] = text.trim().split('/');
  const [namespace = '', ...name] = rest.length === 1 ? ['', ...rest] : rest;
  if (word === '' || name.length === 0 || name.join('') === '' || text.length > 600) return undefined;
  return refOf(byWord.get(word.toLowerCase()) ?? word, namespace, name.join('/'));
}

/** Pods of one Node that are looked at: kubelets take 110 by default, 250 at most in what clouds offer. */
export const podsOfNode = 256;

/** Owners are followed this far, by the depth of real chains (custom resource, Deployment, ReplicaSet, Pod). */
export const maxOwnerDepth = 6;

/** Workloads of a kind that are looked at for one that does a certain thing: more than all but the largest clusters have. */
export const maxWorkloads = 5000;

import { kindOf, qualifiedKind, type Ref } from '../../model/ref.ts';

/**
 * Kinds whose controllers run Pods to completion, try again by rules of their own and keep the verdict in their own status.
 * A Job is not among them: it is judged itself. Others that own Pods of `restartPolicy: Never` (virtual machines) mean them
 * to stay, so the policy alone does not tell.
 */
const runKinds: readonly (readonly [group: string, ...kinds: readonly string[]])[] = [
  // A Spark driver owns its executors.
  ['', 'Pod'],
  ['argoproj.io', 'Workflow'],
  ['tekton.dev', 'TaskRun', 'PipelineRun', 'CustomRun'],
  ['sparkoperator.k8s.io', 'SparkApplication'],
  ['batch.volcano.sh', 'Job'],
  ['kubeflow.org', 'PyTorchJob', 'TFJob', 'MPIJob', 'XGBoostJob', 'PaddleJob', 'JAXJob'],
  ['build.openshift.io', 'Build'],
  ['actions.github.com', 'EphemeralRunner'],
];

const kinds = new Set(runKinds.flatMap(([group, ...names]) => names.map((name) => qualifiedKind(group, name))));

/** Whether an owner is a run, so that its controller decides what the failure of one Pod means. */
export function isRun(owner: Ref | undefined): boolean {
  return owner !== undefined && kinds.has(kindOf(owner));
}

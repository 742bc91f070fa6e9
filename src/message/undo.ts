import { templateFields } from '../model/change-field.ts';
import { kubectl } from '../model/command.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Notification } from '../model/notification.ts';
import type { Reason } from '../model/reason.ts';

/** Rollouts that stand still: neither the old nor the new, until somebody goes on or back. */
const stuck: ReadonlySet<Reason> = new Set<Reason>([
  'ProgressDeadlineExceeded',
  'StatefulSetRolloutStuck',
  'DaemonSetRolloutStuck',
]);
const templateEdits: ReadonlySet<string> = new Set(templateFields);
/** They would make the same edit again, or lose track of it. */
const delivered = /argo|flux|helm|kustomize-controller/i;

/**
 * The way back from a rollout that is stuck, where one edit of the workload is surely to blame and no delivery tool made it. It changes
 * the cluster, and says so.
 */
export function undoOf({ root, reason, change, confidence }: Explanation): Notification['nextStep'] {
  const isOwn = change !== undefined && change.ref === root.ref && templateEdits.has(change.field);
  if (!isOwn || confidence !== 'high' || !stuck.has(reason) || delivered.test(change.by ?? '')) return undefined;
  const command = kubectl('rollout undo', root.ref);
  return command && { command, changesCluster: true };
}

import { templateFields } from '../../model/change-field.ts';
import { kubectl } from '../../model/command.ts';
import type { BlamedChange, Explanation } from '../../model/explanation.ts';
import type { Notification } from '../../model/notification.ts';
import { kindOf } from '../../model/ref.ts';

const templateEdits: ReadonlySet<string> = new Set(templateFields);
/** What `kubectl rollout undo` knows. */
const undoable: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);
/** They would make the same edit again, or lose track of it. */
const delivered = /argo|flux|helm|kustomize-controller/i;

/** The release that is surely to blame: an edit of the workload's own template. */
function release({ root, change, confidence }: Explanation): BlamedChange | undefined {
  const isOwn = change !== undefined && change.ref === root.ref && templateEdits.has(change.field);
  return isOwn && confidence === 'high' && undoable.has(kindOf(root.ref)) ? change : undefined;
}

/** The way back, where a release is surely to blame and no delivery tool made it. It changes the cluster, and says so. */
export function undoOf(part: Explanation): Notification['nextStep'] {
  const change = release(part);
  if (change === undefined || delivered.test(change.by ?? '')) return undefined;
  const command = kubectl('rollout undo', part.root.ref);
  return command && { command, changesCluster: true };
}

/** The same where a delivery tool made it, which would make it again: who has to take it back. */
export function revertOf(part: Explanation): Notification['facts'] {
  const by = release(part)?.by;
  if (by === undefined || !delivered.test(by)) return [];
  return [{ name: 'Way back', value: `revert it in ${by}, which undoes what is changed by hand` }];
}

import { kindOf } from '../../model/ref.ts';
import type { Labels } from '../../model/subject.ts';
import type { NodeView } from '../kinds/cluster/node.ts';
import { type Projection, watchedKind } from '../kinds/kinds.ts';
import { type ConfigMapView, maxKeys, type SecretMetadataView } from '../kinds/workloads/settings.ts';
import type { WorkloadView } from '../kinds/workloads/workload.ts';
import type { CustomResourceView } from '../reading/custom-resource.ts';
import { controllerLabels, type TemplateFingerprint, templateDifferences } from '../reading/template-fingerprint.ts';
import type { Change } from '../view/world.ts';
import { editsOfAccess, grantedBy, isAccess } from './access-edits.ts';
import { editsOfPolicy } from './policy-edits.ts';

/** Keys named of those that a ConfigMap lost, and labels of those that a Node lost. */
const maxLost = 5;

/** One difference, before it is known when and by whom it was made. */
type Difference = Omit<Change, 'ref' | 'at' | 'by' | 'certain'>;

/** Taints that the node lifecycle controller keeps to mirror conditions and cordons: nobody edited them. */
const derivedTaint = (key: string): boolean =>
  key.startsWith('node.kubernetes.io/') && key !== 'node.kubernetes.io/out-of-service';

function taintsOf(node: NodeView): string {
  return node.taints
    .filter(({ key }) => !derivedTaint(key))
    .map(({ key, value, effect }) => `${key}${value === undefined ? '' : `=${value}`}:${effect}`)
    .sort()
    .join(', ');
}

/** Kinds whose template people edit: ReplicaSets and Jobs get theirs from the Deployment or CronJob. */
const rollingKinds: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** A differing field with where managedFields records its edits (FieldsV1 paths); absent where nobody records it. */
export type Edit = Difference & { readonly path?: readonly string[]; readonly certain?: boolean };

/** What is kept of a workload besides its view, so that its next edit is recognized; `strategy` is the hash of how it rolls out. */
export type Kept = { readonly template: TemplateFingerprint; readonly strategy: number };

/** Labels that a Node has no more, as they were: what selects it by them finds it no longer. */
function lostLabels({ labels: old }: NodeView, { labels }: NodeView): readonly string[] {
  const lost = Object.entries(old).filter(([key, value]) => labels[key] !== value);
  return lost.map(([key, value]) => `${key}=${value}`).slice(0, maxLost);
}

function editsOfNode(before: NodeView, after: NodeView): Edit[] {
  const edits: Edit[] = [];
  const parts = lostLabels(before, after);
  if (parts.length > 0) edits.push({ field: 'labels', parts, path: ['f:metadata', 'f:labels'] });
  const [from, to] = [taintsOf(before), taintsOf(after)];
  if (from !== to) edits.push({ field: 'taints', from, to, path: ['f:spec', 'f:taints'] });
  if (before.unschedulable !== after.unschedulable) {
    const words = { from: String(before.unschedulable), to: String(after.unschedulable) };
    edits.push({ field: 'unschedulable', ...words, path: ['f:spec', 'f:unschedulable'] });
  }
  return edits;
}

const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .filter(([key]) => !controllerLabels.has(key))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join();

/** The labels that the Pods of a workload had before it was edited, and those that they get: a Service may ask for the old ones. */
export function labelsEdited(old: Labels = {}, podLabels: Labels = {}) {
  const [from, to] = [labelsText(old), labelsText(podLabels)];
  return from === to ? undefined : { from, to };
}

function editsOfWorkload(before: WorkloadView, after: WorkloadView, was: Kept, is: Kept): Edit[] {
  const labels = labelsEdited(before.podLabels, after.podLabels);
  const edits = templateDifferences(was.template, is.template).map(
    (difference): Edit => ({
      ...difference,
      ...(difference.field === 'metadata' && labels),
      path: ['f:spec', 'f:template'],
    }),
  );
  if (was.strategy !== is.strategy) edits.push({ field: 'strategy', path: ['f:spec', strategyField(after)] });
  // What a DaemonSet wants follows from the Nodes.
  if (before.replicas !== after.replicas && after.kind !== 'DaemonSet') {
    const words = { from: String(before.replicas), to: String(after.replicas) };
    edits.push({ field: 'replicas', ...words, path: ['f:spec', 'f:replicas'] });
  }
  return edits;
}

type Settings = ConfigMapView | SecretMetadataView;
const isSettings = (view: Projection): view is Settings => view.kind === 'ConfigMap' || view.kind === 'SecretMetadata';

/** Keys that are gone; none where the keys are not known, or not all of them. */
function lostKeys({ keys: old = [] }: Settings, { keys }: Settings): readonly string[] {
  if (keys === undefined || old.length >= maxKeys || keys.length >= maxKeys) return [];
  return old.filter((key) => !keys.includes(key)).slice(0, maxLost);
}

/** Whoever only takes keys away owns nothing by that, so that managedFields have no time of it. */
function editsOfSettings(before: Settings, after: Settings): Edit[] {
  const parts = lostKeys(before, after);
  const isWritten = before.dataChangedAt !== after.dataChangedAt;
  if (!isWritten && parts.length === 0) return [];
  return [
    {
      field: 'data',
      certain: parts.length > 0,
      ...(parts.length > 0 && { parts }),
      ...(isWritten && { path: ['f:data'] }),
    },
  ];
}

const strategyField = ({ kind }: WorkloadView): string => (kind === 'Deployment' ? 'f:strategy' : 'f:updateStrategy');

/**
 * What differs between two views of one object as far as people edit it. Of a workload that rolls out, `was` and `is` are
 * needed too: where either is missing, nothing is said.
 */
export function editsOf(
  before: Projection,
  after: Projection,
  was: Kept | undefined,
  is: Kept | undefined,
): readonly Edit[] {
  if (before.kind === 'Node' && after.kind === 'Node') return editsOfNode(before, after);
  if (isSettings(before) && isSettings(after)) return editsOfSettings(before, after);
  if (before.kind === 'NetworkPolicy' && after.kind === 'NetworkPolicy') return editsOfPolicy(before, after);
  if (before.kind === 'CustomResource' && after.kind === 'CustomResource') return editsOfTraffic(before, after);
  if (isAccess(before) && isAccess(after)) return editsOfAccess(grantedBy(before), after);
  if (isRolling(before) && isRolling(after)) return was && is ? editsOfWorkload(before, after, was, is) : [];
  return editsOfFields(before, after);
}

/** The API server counts the generation up whenever the spec has changed. */
const editsOfTraffic = (before: CustomResourceView, after: CustomResourceView): readonly Edit[] =>
  after.traffic && after.generation > before.generation ? [{ field: 'policy', path: ['f:spec'] }] : [];

/** The edits of a kind whose row states its fields. */
function editsOfFields(before: Projection, after: Projection): readonly Edit[] {
  const row = watchedKind(kindOf(after.ref));
  const [was, is] = [row?.edited?.(before) ?? [], row?.edited?.(after) ?? []];
  const edits: Edit[] = [];
  for (const { field, says, path } of is) {
    const known = was.find((one) => one.field === field)?.says;
    if (known === undefined || known === says) continue;
    edits.push({
      field,
      path,
      ...(typeof known === 'string' && typeof says === 'string' && { from: known, to: says }),
    });
  }
  return edits;
}

function isRolling(view: Projection): view is WorkloadView {
  return rollingKinds.includes(view.kind);
}

import type { ChangeField } from '../../model/change-field.ts';
import type { BlamedChange } from '../../model/explanation.ts';
import type { Ref } from '../../model/ref.ts';
import { clockTime } from './times.ts';
import { list, subjectOf } from './words.ts';

/** An image as people compare it: the first characters of a digest tell it apart. */
export function shortImage(image: string): string {
  return image.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]+$/, '$1…');
}

/** What two images differ in: tag or digest alone where the rest is the same. */
function difference(from: string, to: string): readonly [string, string] {
  const cut = /[:@][^/]*$/.exec(from)?.index ?? from.length;
  const [before, after] = [from.slice(cut + 1), to.slice(cut + 1)];
  const same = before !== '' && after !== '' && to.startsWith(from.slice(0, cut + 1)) && !/[/]/.test(after);
  if (!same) return [shortImage(from), shortImage(to)];
  return [before, after].map((text) => shortImage(`@${text}`).slice(1)) as [string, string];
}

/** Fields as people call them. */
const spoken: Readonly<Record<ChangeField, string>> = {
  image: 'image',
  imagePullPolicy: 'image pull policy',
  command: 'command',
  args: 'arguments',
  env: 'environment variables',
  envFrom: 'sources of environment variables',
  resources: 'resources',
  ports: 'container ports',
  lifecycle: 'lifecycle hooks',
  livenessProbe: 'liveness probe',
  readinessProbe: 'readiness probe',
  startupProbe: 'startup probe',
  volumeMounts: 'volume mounts',
  securityContext: 'security context',
  initContainers: 'init containers',
  containers: 'containers',
  volumes: 'volumes',
  imagePullSecrets: 'image pull secrets',
  serviceAccountName: 'service account',
  nodeSelector: 'node selector',
  affinity: 'affinity rules',
  tolerations: 'tolerations',
  topologySpreadConstraints: 'topology spread constraints',
  priorityClassName: 'priority class',
  runtimeClassName: 'runtime class',
  hostNetwork: 'use of the host network',
  metadata: 'Pod labels or annotations',
  template: 'Pod template',
  replicas: 'number of replicas',
  strategy: 'update strategy',
  schedule: 'schedule',
  suspend: 'suspension',
  selector: 'selector',
  servicePorts: 'ports',
  serviceType: 'type',
  externalName: 'external name',
  routes: 'routes',
  listeners: 'listeners',
  scaleBounds: 'bounds',
  scaleTarget: 'target',
  budget: 'disruption budget',
  policy: 'rules',
  creation: 'creation',
  quota: 'quota',
  limits: 'limits',
  webhook: 'webhooks',
  validation: 'validations',
  versions: 'versions',
  data: 'data',
  identity: 'cloud identity',
  rules: 'rules',
  subjects: 'subjects',
  roleRef: 'role',
  deletion: 'deletion',
  labels: 'labels',
  taints: 'taints',
  unschedulable: 'cordon',
};

/** Parts of fields as people call them. */
const spokenParts: ReadonlyMap<string, string> = new Map([
  ['limits.memory', 'memory limit'],
  ['limits.cpu', 'CPU limit'],
  ['requests.memory', 'memory request'],
  ['requests.cpu', 'CPU request'],
]);
/** More parts than this are not named one by one. */
const maxParts = 3;

/** What changed, in words: `environment variable DB_HOST`, `memory limit`, `liveness probe (timeoutSeconds)`. */
function wordsFor({ field, parts = [] }: Pick<BlamedChange, 'field' | 'parts'>): string {
  const [only = ''] = parts;
  if (parts.length === 0 || parts.length > maxParts) return spoken[field];
  if (field === 'env') return `environment variable${parts.length === 1 ? '' : 's'} ${list(parts)}`;
  if (field === 'resources' && parts.every((part) => spokenParts.has(part)))
    return list(parts.map((part) => spokenParts.get(part) ?? part));
  const isNamed = parts.length === 1 && (field === 'template' || field.endsWith('Probe'));
  return isNamed ? `${spoken[field]} (${only})` : spoken[field];
}

/** Keys that are no longer there: `its key region`. */
const lostKeys = (keys: readonly string[]): string => `its key${keys.length === 1 ? '' : 's'} ${list(keys)}`;

/** Labels that are no longer there, or another: `its label disks=nvme`. */
const lostLabels = (labels: readonly string[]): string => `its label${labels.length === 1 ? '' : 's'} ${list(labels)}`;

/** What was done, without when: `its image changed from 1.4 to 1.5`; `it` is the object called so. */
function deed(change: BlamedChange, it: Ref, verb: string): string {
  const { ref, field, also = [], from, to } = change;
  const own = ref === it;
  const who = own ? 'it' : subjectOf(ref);
  // Labels of a ConfigMap look like its data: the edit is all that is sure.
  if (field === 'data' && change.parts) return `${who} lost ${lostKeys(change.parts)}`;
  if (field === 'data') return `${who} was edited`;
  if (field === 'labels' && change.parts) return `${who} lost ${lostLabels(change.parts)}`;
  if (field === 'deletion') return `${who} was deleted`;
  if (field === 'rules' && change.parts) return `${who} lost the right to ${list(change.parts)}`;
  if (field === 'subjects' && change.parts) return `${who} lost ${list(change.parts)}`;
  if (field === 'unschedulable') return `${who} was ${to === 'true' ? 'cordoned' : 'uncordoned'}`;
  // Whose traffic a network policy restricts tells more than its rules.
  const about =
    (field === 'policy' || field === 'creation') && change.parts ? `, which selects ${list(change.parts)},` : '';
  if (field === 'creation') return `${who}${about} was created`;
  if (field === 'policy') return `the rules of ${who}${about} changed`;
  if (field === 'replicas' && from !== undefined && to !== undefined) return `${who} was scaled from ${from} to ${to}`;
  const what = wordsFor(change);
  const whose = own ? `its ${what}` : `the ${what} of ${subjectOf(ref)}`;
  const more =
    also.length === 0 ? '' : `, together with ${own ? 'its' : 'the'} ${list(also.map((other) => spoken[other]))},`;
  if (!from || !to) return `${whose} changed${to ? ` to ${shortImage(to)}` : ''}${more}`;
  const [before, after] = difference(from, to);
  return `${whose} ${verb} from ${before} to ${after}${more}`;
}

/** Fields of which what they were and are says more than that they changed. */
const telling: ReadonlySet<ChangeField> = new Set<ChangeField>(['image', 'replicas', 'schedule', 'priorityClassName']);

/** A change in few words, for a title: `image 1.4.2 → 1.5.0`, `ConfigMap shop/app edited`. `it`: the object the title is about. */
export function shortChange(change: BlamedChange, it: Ref, name: (ref: Ref) => string): string {
  const { ref, field, parts, from, to } = change;
  const who = name(ref);
  if (field === 'data') return parts ? `${who} lost ${lostKeys(parts).slice(4)}` : `${who} edited`;
  if (field === 'labels' && parts) return `${who} lost ${lostLabels(parts).slice(4)}`;
  if (field === 'unschedulable') return `${who} ${to === 'true' ? 'cordoned' : 'uncordoned'}`;
  if (field === 'creation') return `${who} created`;
  if (field === 'deletion') return `${who} deleted`;
  if (field === 'policy') return `${who} changed`;
  const own = ref === it;
  const what = field === 'replicas' ? (own ? 'scaled' : `${who} scaled`) : wordsFor(change);
  const whose = own || field === 'replicas' ? what : `${what} of ${who}`;
  if (!telling.has(field) || !from || !to) return `${whose} changed`;
  return `${whose} ${difference(from, to).join(' → ')}`;
}

/** The change that ended a problem, in few words: `image back to 1.4.2`. */
export function shortFix(
  fix: BlamedChange,
  blamed: BlamedChange | undefined,
  it: Ref,
  name: (ref: Ref) => string,
): string {
  if (!undoes(fix, blamed) || !fix.from || !fix.to) return shortChange(fix, it, name);
  const [, back] = difference(fix.from, fix.to);
  return `${fix.ref === it ? wordsFor(fix) : `${wordsFor(fix)} of ${name(fix.ref)}`} back to ${back}`;
}

/** Whether an edit takes back the one that is blamed. */
const undoes = (fix: BlamedChange, blamed: BlamedChange | undefined): boolean =>
  blamed !== undefined &&
  blamed.ref === fix.ref &&
  blamed.field === fix.field &&
  blamed.from !== undefined &&
  blamed.from === fix.to;

/** `its image changed from 1.4 to 1.5 at 08:58 UTC (kubectl)`. `it`: the object the sentence is about. `now`: epoch ms. */
export function describeChange(change: BlamedChange, it: Ref, now: number, verb = 'changed'): string {
  const by = change.by === undefined ? '' : ` (${change.by})`;
  return `${deed(change, it, verb)} at ${clockTime(change.at, now)}${by}`;
}

/** The same without what it was and is now: `its image changed at 08:58 UTC (kubectl)`. */
export function briefChange(change: BlamedChange, it: Ref, now: number): string {
  const { from: _from, to: _to, ...brief } = change;
  return describeChange(change.field === 'replicas' || change.field === 'unschedulable' ? change : brief, it, now);
}

/** The change that ended a problem: `its image went back from 1.5 to 1.4 at …` where it undoes the one that is blamed. */
export function describeFix(fix: BlamedChange, blamed: BlamedChange | undefined, it: Ref, now: number): string {
  return describeChange(fix, it, now, undoes(fix, blamed) ? 'went back' : 'changed');
}

/**
 * Fields of Pod templates, in the words of the API; an edit of one makes new Pods. The field of a container or of the
 * `spec`: `image` is any container's image, `env` any of its variables. `template`: the template changed, and it is not
 * known where. `metadata`: labels and annotations of the template, as `kubectl rollout restart` writes them.
 */
export const templateFields = [
  // what runs in the containers
  'image',
  'imagePullPolicy',
  'command',
  'args',
  'env',
  'envFrom',
  'resources',
  'ports',
  'lifecycle',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'volumeMounts',
  'securityContext',
  // the rest of a Pod template
  'initContainers',
  'containers',
  'volumes',
  'imagePullSecrets',
  'serviceAccountName',
  'nodeSelector',
  'affinity',
  'tolerations',
  'topologySpreadConstraints',
  'priorityClassName',
  'runtimeClassName',
  'hostNetwork',
  'metadata',
  'template',
] as const;

/** What can make a program run otherwise; labels and annotations make Pods anew that are as before. */
export const releaseFields: ReadonlySet<ChangeField> = new Set(templateFields.filter((field) => field !== 'metadata'));

/** All fields whose edits are told apart. */
export const changeFields = [
  ...templateFields,
  // workloads
  'replicas',
  'strategy',
  'schedule',
  'suspend',
  // what stands before workloads
  'selector',
  'servicePorts',
  'serviceType',
  'externalName',
  'routes',
  'listeners',
  'scaleBounds',
  'scaleTarget',
  'budget',
  'policy',
  'creation',
  // what decides whether objects may be made
  'quota',
  'limits',
  'webhook',
  'validation',
  'versions',
  // other objects
  'data',
  'identity',
  // what programs may ask of the API server
  'rules',
  'subjects',
  'roleRef',
  'deletion',
  'labels',
  'taints',
  'unschedulable',
] as const;

/** A field of the list above. */
export type ChangeField = (typeof changeFields)[number];

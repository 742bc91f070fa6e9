/**
 * Fields of objects whose edits are told apart, in the words of the API. Of a Pod template the field of its container or of
 * its `spec`: `image` is any container's image, `env` any of its variables. `template`: the template changed, and it is not
 * known where. `metadata`: labels and annotations of the template, as `kubectl rollout restart` writes them.
 */
export const changeFields = [
  // what runs in the containers of a Pod template
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
  // workloads
  'replicas',
  'strategy',
  // other objects
  'data',
  'taints',
  'unschedulable',
] as const;

/** A field of the list above. */
export type ChangeField = (typeof changeFields)[number];

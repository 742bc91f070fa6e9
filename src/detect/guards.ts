/** Shared guards X1 to X18 of the catalogue, by name. */
export type GuardName =
  | 'terminating'
  | 'completed'
  | 'disrupted'
  | 'rollout'
  | 'job'
  | 'oldRevision'
  | 'leavingNode'
  | 'youngNode'
  | 'scaledToZero'
  | 'paused'
  | 'staleNode';

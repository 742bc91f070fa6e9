import type { Cluster } from './cluster.ts';

export function startControllers(_cluster: Cluster): () => void {
  return () => {};
}

/**
 * Provides etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kubectl for the real control plane tier, in a
 * cache outside the tree: found in $KUBEBUILDER_ASSETS or the PATH, else built once with Go from test/controlplane/kubernetes
 * ($KUBERNETES picks another minor version than the newest).
 */
import { prepareBinaries } from '../test/controlplane/binaries.ts';

try {
  const { directory, built } = await prepareBinaries((line) => console.log(line));
  console.log(`Control plane binaries: ${directory ?? 'from the PATH'}${built ? ' (just built)' : ''}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

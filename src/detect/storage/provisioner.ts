import { nameOf, type Ref } from '../../model/ref.ts';
import { maxWorkloads } from '../../world/reading/bounds.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** Provisioners, and what the workloads are called that make volumes for them (the manifests and charts of each project). */
const controllers: readonly (readonly [provisioner: RegExp, workload: RegExp])[] = [
  [/^ebs\.csi\.aws\.com$/, /^ebs-csi-controller$/],
  [/^efs\.csi\.aws\.com$/, /^efs-csi-controller$/],
  [/^pd\.csi\.storage\.gke\.io$/, /^csi-gce-pd-controller$/],
  [/^disk\.csi\.azure\.com$/, /^csi-azuredisk-controller$/],
  [/^file\.csi\.azure\.com$/, /^csi-azurefile-controller$/],
  [/^csi\.vsphere\.vmware\.com$/, /^vsphere-csi-controller$/],
  [/^cinder\.csi\.openstack\.org$/, /cinder.*controller/],
  [/^csi\.hetzner\.cloud$/, /^hcloud-csi-controller$/],
  [/^dobs\.csi\.digitalocean\.com$/, /^csi-do-controller$/],
  [/^nfs\.csi\.k8s\.io$/, /^csi-nfs-controller$/],
  [/^smb\.csi\.k8s\.io$/, /^csi-smb-controller$/],
  [/\.rbd\.csi\.ceph\.com$/, /rbd(?:plugin-provisioner|.*ctrlplugin)/],
  [/\.cephfs\.csi\.ceph\.com$/, /cephfs(?:plugin-provisioner|.*ctrlplugin)/],
  [/^driver\.longhorn\.io$/, /^csi-provisioner$/],
  [/^rancher\.io\/local-path$/, /^local-path-provisioner$/],
];

/** The workloads that make volumes for a provisioner, by the names that its project gives them. */
export function provisionersOf(provisioner: string | undefined, world: ObservedWorld): readonly Ref[] {
  const row = provisioner === undefined ? undefined : controllers.find(([name]) => name.test(provisioner));
  if (row === undefined) return [];
  const found: Ref[] = [];
  for (const kind of ['Deployment', 'StatefulSet'])
    for (const { ref } of Iterator.from(world.all(kind)).take(maxWorkloads))
      if (row[1].test(nameOf(ref))) found.push(ref);
  return found;
}

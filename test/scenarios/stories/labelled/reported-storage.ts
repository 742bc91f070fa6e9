import { innocentRelease, onlyOn, pinned } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, claimOf, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';
import { claim, mounts, volume } from '../../kit/things.ts';

/** Volumes. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/kubernetes/issues/115997, https://github.com/suxess-it/kubriX/issues/893
  'rolling-update-of-a-volume-for-one-machine': reported(
    'A Deployment with a volume for one machine is rolled out; the new Pod is placed elsewhere and waits for the old one',
    (cluster, firm) => {
      disks(cluster, 'cinder');
      cluster.object(volume('pvc-c2edf35f-ba31-48a3-946f-db9afb366aa3', 'cinder'));
      cluster.object(claim('tools/pgadmin4', 'cinder', { volumeName: 'pvc-c2edf35f-ba31-48a3-946f-db9afb366aa3' }));
      const repository = 'docker.io/dpage/pgadmin4';
      const pgadmin = cluster.deployment('tools/pgadmin4', {
        image: `${repository}:8.13`,
        pod: mounts('pgadmin4'),
        spec: { progressDeadlineSeconds: 600 },
      });
      cluster.service('tools/pgadmin4');
      innocentRelease(cluster, after(-30), firm);
      cluster.image(`${repository}:8.14`, {
        heldUp: {
          reason: 'FailedAttachVolume',
          message:
            'Multi-Attach error for volume "pvc-c2edf35f-ba31-48a3-946f-db9afb366aa3" Volume is already used by pod(s) pgadmin4-7798468bd6-ln42z',
        },
      });
      cluster.at(after(0), () => pgadmin.setImage(`${repository}:8.14`));
      cluster.expectIncident({
        root: 'Deployment/tools/pgadmin4',
        accepts: ['PersistentVolumeClaim/tools/pgadmin4'],
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 700,
        mustNotBlame: ['Deployment/logistics/tracking', 'StorageClass//cinder'],
      });
    },
  ),

  // https://github.com/kubernetes-sigs/nfs-ganesha-server-and-external-provisioner/issues/34, https://github.com/kubernetes-retired/external-storage/issues/555
  'file-server-in-the-cluster-is-gone': reported(
    'The NFS server of the cluster does not start after a restart; two workloads that are restarted cannot mount their shares',
    (cluster) => {
      const image = 'registry.k8s.io/sig-storage/nfs-provisioner:v4.0.8';
      const nfs = server(cluster, 'nfs/nfs-server', image, 2049, { clusterIP: '10.96.192.199' });
      const places = ['media/gallery', 'media/uploads'];
      const handles = places.map((place) => {
        const name = place.replace('/', '-');
        cluster.object(
          volume(name, 'nfs', {
            ...{ csi: undefined, accessModes: ['ReadWriteMany'] },
            nfs: { server: '10.96.192.199', path: `/export/${name}` },
          }),
        );
        cluster.object(claim(place, 'nfs', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        return cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
        });
      });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'I1122 09:11:31.102934       1 main.go:66] Provisioner cluster.local/nfs-server specified',
              'I1122 09:11:31.103010       1 main.go:90] Setting up NFS server!',
              'F1122 09:11:36.187711       1 main.go:93] Error starting NFS server: rpcbind failed with error: exit status 1, output: cannot create socket for udp6',
            ],
            255,
            6,
          ),
        );
        nfs.restart();
      });
      cluster.at(after(60), () => {
        for (const place of places) {
          const name = place.replace('/', '-');
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.SetUp failed for volume "${name}" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs -o vers=3 10.96.192.199:/export/${name} /var/lib/kubelet/pods/c9e21798-76ad-404d-b089-c9fff88e0a86/volumes/kubernetes.io~nfs/${name}\nOutput: mount.nfs: Connection timed out`,
            },
          });
        }
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'StatefulSet/nfs/nfs-server',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/media/gallery', 'Deployment/media/uploads', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/bitnami/charts/issues/1210, https://github.com/ansible/awx-operator/issues/1775: another user, the same volume.
  'new-image-runs-as-another-user': reported(
    'The image of a database runs as another user since its upgrade and may not write to its volume; the application behind it fails',
    (cluster) => {
      const spec = disks(cluster);
      const repository = 'quay.io/sclorg/postgresql';
      const postgres = server(cluster, 'awx/awx-postgres', `${repository}-13-c9s:20240101`, 5432, {
        ...{ clusterIP: '10.96.5.30', spec },
      });
      cluster.image(
        `${repository}-15-c9s:20240401`,
        ends(["mkdir: cannot create directory '/var/lib/pgsql/data/userdata': Permission denied"], 1, 1),
      );
      cluster.at(after(0), () =>
        postgres.change({ image: `${repository}-15-c9s:20240401`, pod: { securityContext: { runAsUser: 26 } } }),
      );
      const innocents = clients(cluster, 15, {
        'awx/awx-web': {
          does: ends([
            'psycopg.OperationalError: connection failed: connection to server at "10.96.5.30", port 5432 failed: Connection refused',
            'django.db.utils.OperationalError: connection failed: connection to server at "10.96.5.30", port 5432 failed: Connection refused',
          ]),
          values: { DATABASE_HOST: 'awx-postgres.awx.svc.cluster.local' },
        },
        'awx/awx-task': {
          does: ends([
            '[wait-for-migrations] Attempt 12',
            'django.db.utils.OperationalError: connection failed: connection to server at "10.96.5.30", port 5432 failed: Connection refused',
          ]),
          values: { DATABASE_HOST: 'awx-postgres.awx.svc.cluster.local' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/awx/awx-postgres',
        messages: { resolve: 0 },
        mustNotBlame: [...innocents, 'PersistentVolumeClaim/awx/data-awx-postgres-0', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/longhorn/longhorn/issues/9511, https://github.com/longhorn/longhorn/issues/7313: after a restart of the machine.
  'volumes-of-a-restarted-machine-are-not-ready': reported(
    'A machine restarts, and Longhorn does not attach its volumes there again: two databases that live there do not come back',
    (cluster) => {
      const spec = disks(cluster, 'longhorn', 'driver.longhorn.io');
      cluster.daemonSet('longhorn-system/longhorn-manager', {
        image: 'docker.io/longhornio/longhorn-manager:v1.7.1',
      });
      const databases = ['chat/matrix-db', 'git/forgejo-db'];
      for (const place of databases) cluster.statefulSet(place, { image: imageOf(place), ...pinned('n2'), spec });
      cluster.statefulSet('home/assistant-db', {
        image: imageOf('home/assistant-db'),
        ...pinned('n1'),
        spec: claimOf('longhorn'),
      });
      cluster.at(after(0), () => {
        for (const place of databases)
          cluster.image(
            imageOf(place),
            onlyOn('n2', {
              heldUp: {
                reason: 'FailedAttachVolume',
                message:
                  'AttachVolume.Attach failed for volume "pvc-3adeeb3a-ad02-46dc-9e1f-e888f617bfaf" : rpc error: code = Aborted desc = volume pvc-3adeeb3a-ad02-46dc-9e1f-e888f617bfaf is not ready for workloads',
              },
            }),
          );
        cluster.node('n2').drain();
      });
      cluster.at(after(20), () => cluster.node('n2').reboot('90s'));
      cluster.at(after(150), () => cluster.node('n2').uncordon());
      cluster.expectIncident({
        root: 'DaemonSet/longhorn-system/longhorn-manager',
        accepts: ['CSIDriver//driver.longhorn.io', 'Node//n2', 'StorageClass//longhorn'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['StatefulSet/chat/matrix-db', 'StatefulSet/git/forgejo-db', 'StatefulSet/home/assistant-db'],
      });
    },
  ),
};

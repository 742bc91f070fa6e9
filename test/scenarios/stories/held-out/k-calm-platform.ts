import { scenario } from '../../kit/scenario.ts';
import { budget, claim, ingress, ingressClass, mounts, storageClass, volume } from '../../kit/things.ts';

const port = (number: number): object => ({
  ports: [{ name: 'main', port: number, targetPort: number, protocol: 'TCP' }],
});
const listens = (containerPort: number): object => ({
  ports: [{ containerPort }],
  readinessProbe: { tcpSocket: { port: containerPort } },
});

const quorumRolled = scenario('A quorum is rolled member by member, and its clients grumble but stay', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.service('infra/etcd', { clusterIP: 'None', ...port(2379) });
  const quorum = cluster.statefulSet('infra/etcd', {
    replicas: 3,
    image: 'ghcr.example/etcd:3.5.12',
    container: listens(2379),
  });
  cluster.object(budget('infra/etcd', { maxUnavailable: 1 }));
  cluster.image('ghcr.example/etcd:3.5.13', {
    readyAfterSeconds: 12,
    log: [
      '{"level":"warn","ts":"2026-03-14T08:00:12.001Z","caller":"rafthttp/stream.go:421","msg":"lost TCP streaming connection with remote peer","remote-peer-id":"fd422379fda50e48","error":"EOF"}',
      '{"level":"info","ts":"2026-03-14T08:00:14.310Z","caller":"raft/raft.go:923","msg":"8e9e05c52164694d became leader at term 9"}',
    ],
  });
  cluster.service('infra/scheduler');
  cluster.deployment('infra/scheduler', {
    replicas: 2,
    image: 'ghcr.example/scheduler:1.4',
    values: { ETCD: 'http://etcd.infra.svc:2379' },
  });
  cluster.at('5s', () => quorum.setImage('ghcr.example/etcd:3.5.13'));
  cluster.lasts('4m');
});

const poolReplaced = scenario('A pool of machines is replaced one by one', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.service('shop/web');
  cluster.deployment('shop/web', { replicas: 4, image: 'ghcr.example/web:5.0' });
  cluster.object(budget('shop/web', { maxUnavailable: 1 }));
  cluster.image('ghcr.example/web:5.0', { readyAfterSeconds: 6 });
  cluster.daemonSet('kube-system/node-local-dns', { image: 'registry.k8s.example/dns/k8s-dns-node-cache:1.22.28' });
  for (const [index, begin] of [0, 150, 300].entries()) {
    const [old, fresh] = [`n${index + 1}`, `n${index + 4}`];
    cluster.at(`${begin + 5}s`, () => cluster.addNode({ name: fresh }));
    cluster.at(`${begin + 35}s`, () => cluster.node(old).drain());
    cluster.at(`${begin + 110}s`, () => cluster.node(old).remove());
  }
  cluster.lasts('9m');
});

const machineOrdered = scenario('Pods wait a minute for a machine that was ordered for them', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.nodes([
    { name: 'n1', cpu: '4' },
    { name: 'n2', cpu: '4' },
  ]);
  cluster.deployment('kube-system/cluster-autoscaler', {
    image: 'registry.k8s.example/cluster-autoscaler:v1.29.0',
    probe: false,
  });
  const encode = cluster.statefulSet('video/encode', {
    replicas: 4,
    image: 'ghcr.example/encode:2.9',
    cpu: '1500m',
    spec: { podManagementPolicy: 'Parallel' },
  });
  cluster.at('10s', () => encode.scale(6));
  cluster.at('14s', () => {
    for (const index of [4, 5])
      cluster.event({
        ...{ about: `Pod/video/encode-${index}`, type: 'Normal', reason: 'TriggeredScaleUp', by: 'cluster-autoscaler' },
        message: 'pod triggered scale-up: [{asg-batch-spot 2->3 (max: 10)}]',
      });
  });
  cluster.at('68s', () => cluster.addNode({ name: 'n3', cpu: '4' }));
  cluster.lasts('4m');
});

const machineGivenBack = scenario('The autoscaler gives an underused machine back', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.service('api/quotes');
  cluster.deployment('api/quotes', { replicas: 3, image: 'ghcr.example/quotes:1.0' });
  const event = (reason: string, message: string): void =>
    cluster.event({ about: 'Node//n3', type: 'Normal', reason, message, by: 'cluster-autoscaler' });
  cluster.at('10s', () => event('ScaleDown', 'marked the node as toBeDeleted/unschedulable'));
  cluster.at('11s', () => cluster.node('n3').drain());
  cluster.at('50s', () => event('ScaleDown', 'node removed by cluster autoscaler'));
  cluster.at('60s', () => cluster.node('n3').remove());
  cluster.lasts('4m');
});

const renewed = scenario('A certificate is renewed: a solver comes and goes, and the proxy reloads', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.object(ingressClass);
  const certificate = cluster.secret('shop/web-tls', { note: 'old' });
  cluster.service('shop/web');
  cluster.deployment('shop/web', { replicas: 2, image: 'ghcr.example/web:5.1' });
  cluster.object(ingress('shop/web'));
  cluster.deployment('cert-manager/cert-manager', { image: 'quay.example/cert-manager-controller:v1.14.4' });
  const solver = cluster.planned({
    ...{
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: 'shop',
        name: 'cm-acme-http-solver-7kx2p',
        labels: { 'acme.cert-manager.io/http01-solver': 'true' },
      },
    },
    spec: {
      restartPolicy: 'OnFailure',
      containers: [{ name: 'acmesolver', image: 'quay.example/cert-manager-acmesolver:v1.14.4' }],
    },
  });
  const entry = cluster.planned({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name: 'cm-acme-http-solver-7kx2p' } },
    spec: {
      selector: { 'acme.cert-manager.io/http01-solver': 'true' },
      ports: [{ name: 'http', port: 8089, targetPort: 8089 }],
    },
  });
  cluster.at('5s', () => {
    entry.create();
    solver.create();
  });
  cluster.at('35s', () => {
    solver.delete();
    entry.delete();
  });
  cluster.at('40s', () => certificate.edit({ note: 'new' }));
  cluster.lasts('3m');
});

const secondTry = scenario('A backup fails once on a locked table and succeeds at its second try', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.service('crm/mysql', port(3306));
  cluster.statefulSet('crm/mysql', { image: 'ghcr.example/mysql:8.0.36', container: listens(3306) });
  let first: string | undefined;
  cluster.image('ghcr.example/mysqldump:8.0', ({ metadata }) => {
    first ??= metadata.uid;
    return metadata.uid === first
      ? {
          exit: { afterSeconds: 9, code: 2 },
          log: [
            "mysqldump: Error: 'Lock wait timeout exceeded; try restarting transaction' when trying to dump tablespaces",
            'backup failed',
          ],
        }
      : { exit: { afterSeconds: 25, code: 0 }, log: ['dump of crm complete, 1.3 GB written'] };
  });
  cluster.at('5s', () =>
    cluster.job('crm/mysql-backup-2903', {
      image: 'ghcr.example/mysqldump:8.0',
      values: { MYSQL_HOST: 'mysql.crm.svc' },
      spec: { backoffLimit: 4 },
    }),
  );
  cluster.lasts('4m');
});

const aheadOfBroker = scenario('A consumer starts before its broker, crashes once and recovers', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.image('ghcr.example/rabbitmq:3.13.0', { readyAfterSeconds: 14, pullSeconds: 3 });
  cluster.image('ghcr.example/mailer:3.2', {
    exits: 1,
    exit: { afterSeconds: 3, code: 1 },
    log: [
      'amqp: dial tcp 10.96.9.17:5672: connect: connection refused',
      'mailer: cannot reach amqp://rabbitmq.mail.svc:5672, exiting',
    ],
  });
  cluster.at('5s', () => {
    cluster.service('mail/rabbitmq', port(5672));
    cluster.statefulSet('mail/rabbitmq', { image: 'ghcr.example/rabbitmq:3.13.0', container: listens(5672) });
    cluster.deployment('mail/mailer', {
      replicas: 2,
      image: 'ghcr.example/mailer:3.2',
      probe: false,
      values: { AMQP_URL: 'amqp://rabbitmq.mail.svc:5672' },
    });
  });
  cluster.lasts('4m');
});

const waitsForSchema = scenario('An init container waits a good while for a schema that a Job writes', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.image('ghcr.example/flyway:10.10', {
    exit: { afterSeconds: 50, code: 0 },
    log: ['Successfully applied 31 migrations to schema "public"'],
  });
  cluster.image('ghcr.example/wait-for-schema:1.0', {
    exit: { afterSeconds: 62, code: 0 },
    log: ['schema version is 30, waiting for 61', 'schema version is 44, waiting for 61', 'schema version is 61'],
  });
  cluster.at('5s', () => {
    cluster.job('billing/migrate-61', { image: 'ghcr.example/flyway:10.10' });
    cluster.service('billing/billing');
    cluster.deployment('billing/billing', {
      replicas: 2,
      image: 'ghcr.example/billing:61.0',
      init: 'ghcr.example/wait-for-schema:1.0',
    });
  });
  cluster.lasts('4m');
});

const leaderMoves = scenario(
  'A controller loses its lease in a slow moment, ends as it should and is back at once',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.deployment('kube-system/ebs-csi-controller', {
      replicas: 2,
      image: 'public.ecr.example/ebs-csi-controller:v1.29',
      probe: false,
    });
    let done = false;
    cluster.at('20s', () =>
      cluster.befall('public.ecr.example/ebs-csi-controller:v1.29', () => {
        if (done) return {};
        done = true;
        return {
          exits: 1,
          exit: { afterSeconds: 2, code: 1 },
          log: [
            'E0314 08:00:21.114220       1 leaderelection.go:332] error retrieving resource lock kube-system/ebs-csi-aws-com: Get "https://10.96.0.1:443/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebs-csi-aws-com": context deadline exceeded',
            'I0314 08:00:21.114390       1 leaderelection.go:285] failed to renew lease kube-system/ebs-csi-aws-com: timed out waiting for the condition',
            'E0314 08:00:21.114477       1 leader_election.go:184] "stopped leading"',
          ],
        };
      }),
    );
    cluster.lasts('4m');
  },
);

const volumeGrows = scenario('A volume grows while it is in use', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com', allowVolumeExpansion: true }));
  cluster.object(volume('pvc-0f1e2d3c', 'gp3'));
  const data = cluster.object(claim('db/pg-data', 'gp3'));
  cluster.service('db/pg', port(5432));
  cluster.statefulSet('db/pg', {
    image: 'ghcr.example/postgres:16.3',
    container: listens(5432),
    pod: mounts('pg-data'),
  });
  const size = (storage: string) => ({ capacity: { storage } });
  cluster.at('10s', () => {
    data.patch({ spec: { resources: { requests: { storage: '2Gi' } } } });
    cluster.event({
      ...{
        about: 'PersistentVolumeClaim/db/pg-data',
        type: 'Normal',
        reason: 'ExternalExpanding',
        by: 'volume_expand',
      },
      message: 'waiting for an external controller to expand this PVC',
    });
  });
  const condition = (type: string): object => ({
    conditions: [{ type, status: 'True', lastProbeTime: null, lastTransitionTime: 'now', message: '' }],
  });
  cluster.at('12s', () => data.status({ ...size('1Gi'), ...condition('Resizing') }));
  cluster.at('22s', () => data.status({ ...size('1Gi'), ...condition('FileSystemResizePending') }));
  cluster.at('55s', () => {
    data.status({ ...size('2Gi'), conditions: null });
    cluster.event({
      ...{
        about: 'PersistentVolumeClaim/db/pg-data',
        type: 'Normal',
        reason: 'FileSystemResizeSuccessful',
        by: 'kubelet',
      },
      message: 'MountVolume.NodeExpandVolume succeeded for volume "pvc-0f1e2d3c"',
    });
  });
  cluster.lasts('4m');
});

const volumeMoves = scenario(
  'A store moves to another machine, and its volume follows half a minute later',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', { name: 'n2', labels: { disktype: 'ssd' } }]);
    cluster.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com' }));
    cluster.object(volume('pvc-77aa', 'gp3'));
    cluster.object(claim('git/gitea-data', 'gp3'));
    cluster.service('git/gitea', port(3000));
    cluster.deployment('git/gitea', {
      image: 'ghcr.example/gitea:1.21.8',
      nodeSelector: { disktype: 'ssd' },
      container: listens(3000),
      pod: mounts('gitea-data'),
      spec: { strategy: { type: 'Recreate' } },
    });
    cluster.at('1s', () => cluster.addNode({ name: 'n3', labels: { disktype: 'ssd' } }));
    cluster.at('20s', () => {
      cluster.image('ghcr.example/gitea:1.21.8', {
        heldUp: {
          reason: 'FailedAttachVolume',
          message:
            'Multi-Attach error for volume "pvc-77aa" Volume is already exclusively attached to one node and can\'t be attached to another',
        },
      });
      cluster.node('n2').drain();
    });
    cluster.at('50s', () => cluster.befall('ghcr.example/gitea:1.21.8', { readyAfterSeconds: 4 }));
    cluster.at('3m', () => cluster.node('n2').uncordon());
    cluster.lasts('5m');
  },
);

const spotReclaimed = scenario('A spot machine is taken back with two minutes of notice', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.daemonSet('kube-system/aws-node-termination-handler', {
    image: 'public.ecr.example/nth:v1.22',
    probe: false,
  });
  cluster.deployment('batch/resize', { replicas: 6, image: 'ghcr.example/resize:2.0', probe: false });
  cluster.at('10s', () => {
    cluster.event({
      ...{ about: 'Node//n2', reason: 'SpotInterruption', by: 'aws-node-termination-handler' },
      message: 'Spot ITN received. Instance will be interrupted at 2026-03-14T08:02:10Z',
    });
    cluster.node('n2').drain();
  });
  cluster.at('40s', () => cluster.addNode({ name: 'n4' }));
  cluster.at('2m10s', () => cluster.node('n2').remove());
  cluster.lasts('5m');
});

const kubeletsUpgraded = scenario(
  'Machines are emptied, upgraded, rebooted and taken back, one after the other',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('shop/search');
    cluster.deployment('shop/search', { replicas: 3, image: 'ghcr.example/search:4.0' });
    cluster.object(budget('shop/search', { maxUnavailable: 1 }));
    cluster.image('ghcr.example/search:4.0', { readyAfterSeconds: 5 });
    for (const [index, name] of ['n1', 'n2', 'n3'].entries()) {
      const begin = index * 140;
      cluster.at(`${begin + 5}s`, () => cluster.node(name).drain());
      cluster.at(`${begin + 60}s`, () => cluster.node(name).reboot('25s'));
      cluster.at(`${begin + 110}s`, () => cluster.node(name).uncordon());
    }
    cluster.lasts('9m');
  },
);

const nightToZero = scenario(
  'Queue workers go to sleep when there is nothing to do and wake for the next batch',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const workers = cluster.deployment('etl/workers', {
      replicas: 3,
      image: 'ghcr.example/etl-worker:1.8',
      probe: false,
    });
    const event = (reason: string, message: string): void =>
      cluster.event({ about: 'Deployment/etl/workers', type: 'Normal', reason, message, by: 'keda-operator' });
    cluster.at('15s', () => {
      workers.scale(0);
      event('KEDAScaleTargetDeactivated', 'Deactivated apps/v1.Deployment etl/workers from 3 to 0');
    });
    cluster.at('2m', () => {
      workers.scale(5);
      event(
        'KEDAScaleTargetActivated',
        'Scaled apps/v1.Deployment etl/workers from 0 to 5, triggered by s0-rabbitmq-etl',
      );
    });
    cluster.at('3m30s', () => workers.scale(0));
    cluster.lasts('6m');
  },
);

const previewGone = scenario(
  'A preview environment is taken away with everything in it while another one is set up',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const set = (name: string) => ({
      web: cluster.deployment(`${name}/web`, {
        image: 'ghcr.example/web:pr',
        values: { API: `http://api.${name}.svc` },
      }),
      api: cluster.deployment(`${name}/api`, { image: 'ghcr.example/api:pr', init: 'ghcr.example/wait-for-db:1' }),
      db: cluster.statefulSet(`${name}/db`, { image: 'ghcr.example/postgres:16.3', container: listens(5432) }),
    });
    cluster.image('ghcr.example/wait-for-db:1', {
      exit: { afterSeconds: 15, code: 0 },
      log: ['db:5432 - no response', 'db:5432 - accepting connections'],
    });
    cluster.image('ghcr.example/web:pr', {
      readyAfterSeconds: 18,
      readinessSays: 'HTTP probe failed with statuscode: 502',
    });
    const old = set('preview-101');
    cluster.at('10s', () => void set('preview-102'));
    cluster.at('20s', () => {
      old.db.delete();
      old.web.delete();
      old.api.delete();
    });
    cluster.lasts('4m');
  },
);

/** Days that look like trouble to somebody who only counts Events. */
export const stories = {
  'quorum-rolled-member-by-member': quorumRolled,
  'pool-of-machines-replaced': poolReplaced,
  'pods-wait-for-a-machine-that-was-ordered': machineOrdered,
  'underused-machine-given-back': machineGivenBack,
  'certificate-renewed-with-a-solver': renewed,
  'dump-succeeds-at-its-second-try': secondTry,
  'consumer-ahead-of-its-broker': aheadOfBroker,
  'service-waits-for-its-schema': waitsForSchema,
  'controller-loses-its-lease-once': leaderMoves,
  'volume-grows-in-use': volumeGrows,
  'volume-follows-its-store': volumeMoves,
  'spot-machine-taken-back': spotReclaimed,
  'machines-upgraded-in-turn': kubeletsUpgraded,
  'queue-workers-asleep-between-batches': nightToZero,
  'preview-replaced-by-the-next': previewGone,
};

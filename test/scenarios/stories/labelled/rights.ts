import { account, accountsOf, binding, refusedList, role, rulesOf } from '../../kit/access.ts';
import { condition, custom, define } from '../../kit/company.ts';
import { at, field, image } from '../../kit/field.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

const notSynced =
  '{"level":"error","msg":"problem running manager","error":"failed to wait for caches to sync: timed out waiting for cache to be synced"}';

/** Rights that are taken from programs, and edits of rights that are not why they fail. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.rabbitmq.com/docs/cluster-formation#peer-discovery-k8s: a Pod lists the endpoints of its peers as it starts.
  'binding-of-a-broker-deleted-before-it-starts-anew': field(
    'The binding by which a broker lists its peers is deleted; nothing happens until its Pods are replaced and do not start',
    (cluster) => {
      cluster.object(account('queue/rabbitmq'));
      cluster.object(role('queue/rabbitmq-peers', 'get,list,watch endpoints'));
      const peers = cluster.object(binding('queue/rabbitmq-peers', 'Role/rabbitmq-peers', 'queue/rabbitmq'));
      const other = cluster.object(binding('queue/old-backup', 'Role/rabbitmq-peers', 'queue/backup'));
      const broker = cluster.statefulSet('queue/rabbitmq', {
        replicas: 3,
        image: image('rabbitmq:4.1'),
        pod: { serviceAccountName: 'rabbitmq' },
      });
      cluster.at('5s', () => {
        peers.delete();
        other.delete();
      });
      cluster.at('40s', () => {
        cluster.image(
          image('rabbitmq:4.1'),
          ends([
            'Failed to fetch a list of nodes from Kubernetes API: endpoints is forbidden: User "system:serviceaccount:queue:rabbitmq" cannot list resource "endpoints" in API group "" in the namespace "queue"',
            'BOOT FAILED',
          ]),
        );
        broker.restart();
      });
      cluster.expectIncident({
        root: 'RoleBinding/queue/rabbitmq-peers',
        mustNotBlame: ['RoleBinding/queue/old-backup', 'Role/queue/rabbitmq-peers', 'StatefulSet/queue/rabbitmq'],
      });
    },
    '3m',
  ),

  // https://book.kubebuilder.io/reference/markers/rbac: a role that is generated anew lacks what its marker no longer says.
  'rule-taken-from-a-role-of-two-operators': field(
    'A ClusterRole that two operators in two namespaces share loses the right to list ConfigMaps; both end',
    (cluster, { wiki }) => {
      const shared = cluster.object(
        role('operators', 'get,list,watch configmaps,secrets', 'list,watch deployments apps'),
      );
      for (const name of ['ledger', 'vault']) {
        cluster.object(account(`${name}/operator`));
        cluster.object(binding(`${name}-operator`, 'ClusterRole/operators', `${name}/operator`));
        cluster.deployment(`${name}/operator`, {
          ...{ replicas: 1, image: image(`${name}-operator:2`), pod: { serviceAccountName: 'operator' } },
        });
      }
      cluster.at('6s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('10s', () =>
        shared.patch({ rules: rulesOf('get,list,watch secrets', 'list,watch deployments apps') }),
      );
      for (const [name, when] of [
        ['ledger', '16s'],
        ['vault', '24s'],
      ] as const)
        cluster.at(when, () =>
          cluster.befall(
            image(`${name}-operator:2`),
            ends([refusedList(`${name}/operator`, 'configmaps', ''), notSynced]),
          ),
        );
      cluster.expectIncident({
        root: 'ClusterRole//operators',
        messages: { update: '≤2' },
        mustNotBlame: [at('office/wiki'), at('ledger/operator'), at('vault/operator')],
      });
    },
  ),

  // https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
  'account-taken-from-a-binding': field(
    'A binding for three accounts is written anew without one of them; what runs as that account ends, the others go on',
    (cluster) => {
      cluster.object(role('ci/runs', 'create,get,list,watch,delete pods,pods/log'));
      const names = ['runner', 'reaper', 'reporter'];
      for (const name of names) {
        cluster.object(account(`ci/${name}`));
        cluster.deployment(`ci/${name}`, { replicas: 1, image: image(`${name}:3`), pod: { serviceAccountName: name } });
      }
      const runs = cluster.object(binding('ci/runs', 'Role/runs', ...names.map((name) => `ci/${name}`)));
      cluster.at('8s', () => runs.patch({ subjects: accountsOf('ci/runner', 'ci/reporter') }));
      cluster.at('20s', () =>
        cluster.befall(image('reaper:3'), ends([refusedList('ci/reaper', 'pods', 'ci'), notSynced])),
      );
      cluster.expectIncident({
        root: 'RoleBinding/ci/runs',
        mustNotBlame: ['Role/ci/runs', at('ci/reaper'), at('ci/runner')],
      });
    },
  ),

  // https://helm.sh/docs/chart_best_practices/rbac/: a chart that is renamed takes its role and binding with it.
  'role-and-binding-go-with-a-chart': field(
    'A chart is removed whose role and binding another team had come to use; its collector ends and is refused everything',
    (cluster) => {
      cluster.object(account('metrics/collector'));
      const gone = [
        cluster.object(role('node-metrics', 'get,list,watch nodes,pods')),
        cluster.object(binding('node-metrics', 'ClusterRole/node-metrics', 'metrics/collector', 'old/agent')),
      ];
      cluster.deployment('metrics/collector', {
        ...{ replicas: 1, image: image('collector:7'), pod: { serviceAccountName: 'collector' } },
      });
      cluster.at('7s', () => {
        for (const each of gone) each.delete();
      });
      cluster.at('15s', () =>
        cluster.befall(image('collector:7'), ends([refusedList('metrics/collector', 'nodes', ''), notSynced])),
      );
      cluster.expectIncident({
        root: 'ClusterRoleBinding//node-metrics',
        accepts: ['ClusterRole//node-metrics'],
        mustNotBlame: [at('metrics/collector')],
      });
    },
  ),

  // https://kubernetes.io/docs/reference/access-authn-authz/authorization/: a new version asks for what nobody has granted.
  'release-asks-for-a-right-that-nobody-granted': field(
    'A new version of a controller lists Ingresses, which nobody has granted it; its role has just lost another right that nobody used',
    (cluster) => {
      cluster.object(account('edge/router'));
      const rights = cluster.object(
        role('router', 'get,list,watch services,endpoints', 'get leases coordination.k8s.io'),
      );
      cluster.object(binding('router', 'ClusterRole/router', 'edge/router'));
      const router = cluster.deployment('edge/router', {
        ...{ replicas: 2, image: image('router:1'), pod: { serviceAccountName: 'router' } },
      });
      cluster.image(
        image('router:2'),
        ends([refusedList('edge/router', 'ingresses networking.k8s.io', ''), notSynced]),
      );
      cluster.at('6s', () => rights.patch({ rules: rulesOf('get,list,watch services,endpoints') }));
      cluster.at('14s', () => router.setImage(image('router:2')));
      cluster.expectIncident({
        root: at('edge/router'),
        accepts: ['ServiceAccount/edge/router'],
        mustNotBlame: ['ClusterRole//router', 'ClusterRoleBinding//router'],
      });
    },
  ),

  // https://docs.crossplane.io/latest/composition/compositions/#grant-access-to-composed-resources: its controller says it, and goes on.
  'claims-fail-since-their-controller-may-write-no-settings': field(
    'The role of a controller loses the right to write ConfigMaps; it goes on, and what two teams ask of it is not made any more',
    (cluster) => {
      cluster.pro();
      define(cluster, 'stores.acme.example/v1', ['Store']);
      cluster.object(account('stores-operator/controller'));
      const rights = cluster.object(
        role('stores-operator', 'get,list,watch,create,update configmaps', 'create services'),
      );
      cluster.object(binding('stores-operator', 'ClusterRole/stores-operator', 'stores-operator/controller'));
      cluster.deployment('stores-operator/controller', {
        ...{ replicas: 1, image: image('stores:3'), pod: { serviceAccountName: 'controller' } },
      });
      const stores = ['books', 'shoes'].map((team) => ({
        team,
        store: custom(cluster, 'stores.acme.example/v1', 'Store', `${team}/main`),
      }));
      for (const { store } of stores) store.status(condition('Ready', 'True', 'Available', ''));
      cluster.at('10s', () => rights.patch({ rules: rulesOf('get,list,watch configmaps', 'create services') }));
      cluster.at('30s', () => {
        for (const { team, store } of stores) {
          const says = `cannot apply the settings of the store: configmaps "main" is forbidden: User "system:serviceaccount:stores-operator:controller" cannot update resource "configmaps" in API group "" in the namespace "${team}"`;
          store.status(condition('Ready', 'False', 'ReconcileError', says));
        }
      });
      cluster.expectIncident({
        root: 'ClusterRole//stores-operator',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 1200,
        beginsAfterSeconds: 330,
        mustNotBlame: [at('stores-operator/controller'), 'ClusterRoleBinding//stores-operator'],
      });
    },
    '3m',
  ),

  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/troubleshoot-403-errors.html
  'cloud-refuses-while-a-binding-goes': field(
    'The binding of an exporter is tidied away, which it needs for nothing; a minute later the cloud refuses it its bucket',
    (cluster) => {
      cluster.object(account('reports/exporter'));
      cluster.object(role('reports/reader', 'get,list configmaps'));
      const reader = cluster.object(binding('reports/exporter', 'Role/reader', 'reports/exporter'));
      cluster.deployment('reports/exporter', {
        ...{ replicas: 1, image: image('exporter:4'), pod: { serviceAccountName: 'exporter' } },
      });
      cluster.at('5s', () => reader.delete());
      cluster.at('40s', () =>
        cluster.befall(
          image('exporter:4'),
          ends([
            'botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the PutObject operation: User: arn:aws:sts::123456789012:assumed-role/exporter/i-0 is not authorized to perform: s3:PutObject on resource: "arn:aws:s3:::reports/daily.csv" because no identity-based policy allows the s3:PutObject action',
          ]),
        ),
      );
      cluster.expectIncident({
        root: at('reports/exporter'),
        mustNotBlame: ['RoleBinding/reports/exporter', 'Role/reports/reader', 'ServiceAccount/reports/exporter'],
      });
    },
    '3m',
  ),
};

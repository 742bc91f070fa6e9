import { company, condition, custom, define, imageAt, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { dns, networkPolicy } from '../../kit/things.ts';

/** Normal days: nobody must hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#pod-deletion-cost: a campaign comes and goes.
  'campaign-comes-and-goes': scenario(
    'A workload is scaled from three to nine and back, with a release in between',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const shop = cluster.deployment('shop/landing', { replicas: 3, image: imageAt('landing', 1) });
      cluster.service('shop/landing');
      cluster.at('6s', () => shop.scale(9));
      cluster.at('30s', () => shop.setImage(imageAt('landing', 2)));
      cluster.at('90s', () => shop.scale(3));
      cluster.lasts('3m');
    },
  ),

  // https://kubernetes.io/docs/tutorials/stateful-application/basic-stateful-set/#scaling-up-a-statefulset
  'members-with-new-disks': scenario(
    'A database gets two more members, each with a disk that is made for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: { attachRequired: true },
      });
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'disks' },
        provisioner: 'disk.csi.example',
        volumeBindingMode: 'WaitForFirstConsumer',
      });
      const set = cluster.statefulSet('db/scylla', {
        ...{ replicas: 2, image: imageAt('scylla', 6) },
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: {
                storageClassName: 'disks',
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '20Gi' } },
              },
            },
          ],
        },
      });
      cluster.service('db/scylla', port(9042));
      cluster.image(imageAt('scylla', 6), { readyAfterSeconds: 12, log: ['init - serving'] });
      cluster.at('8s', () => set.scale(4));
      cluster.lasts('3m');
    },
  ),

  // https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/#performing-a-rolling-update: the new one first.
  'agents-replaced-with-a-surge': scenario(
    'An agent of every machine is replaced by its new version, which is ready before the old one goes',
    (cluster) => {
      company(cluster);
      const agent = cluster.daemonSet('net/flow-agent', {
        image: imageAt('flow-agent', 1),
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      });
      cluster.at('6s', () => agent.setImage(imageAt('flow-agent', 2)));
      cluster.lasts('90s');
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#backoff-limit-per-index: one part needs a second try.
  'part-of-a-run-needs-a-second-try': scenario('One part of an Indexed Job fails once, and all is done', (cluster) => {
    company(cluster);
    const failed = new Set<string>();
    cluster.image(imageAt('shards', 1), ({ metadata }) => {
      const isFirstOfTwo =
        metadata.annotations?.['batch.kubernetes.io/job-completion-index'] === '2' &&
        (failed.size === 0 || failed.has(metadata.name));
      if (isFirstOfTwo) failed.add(metadata.name);
      return {
        exit: { afterSeconds: 4, code: isFirstOfTwo ? 1 : 0 },
        log: isFirstOfTwo ? ['connection reset by peer'] : ['done'],
      };
    });
    cluster.at('5s', () =>
      cluster.job('maps/shards', {
        image: imageAt('shards', 1),
        spec: { completionMode: 'Indexed', completions: 4, parallelism: 2, backoffLimitPerIndex: 2 },
      }),
    );
    cluster.lasts('2m');
  }),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/: work moves to a new pool, and the old one is drained.
  'work-moves-to-a-new-pool': scenario('Two new machines join, an old one is drained and taken away', (cluster) => {
    cluster.recordedFrom('sandbox');
    company(cluster);
    for (const place of ['shop/menu', 'crm/notes']) {
      cluster.deployment(place, { replicas: 3, image: imageOf(place) });
      cluster.service(place);
    }
    cluster.at('6s', () => cluster.addNode({ name: 'm1' }));
    cluster.at('12s', () => cluster.addNode({ name: 'm2' }));
    cluster.at('40s', () => cluster.node('n1').drain());
    cluster.at('75s', () => cluster.node('n1').remove());
    cluster.lasts('3m');
  }),

  // https://kubernetes.io/docs/concepts/configuration/secret/#editing-a-secret: a password is changed as it should be.
  'password-changed-as-it-should-be': scenario(
    'A password is changed in its Secret, and the three that read it are restarted one after the other',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const secret = cluster.secret('bank/login', { password: 'one' });
      const handles = ['cards', 'loans', 'rates'].map((name) =>
        cluster.deployment(`bank/${name}`, {
          replicas: 2,
          image: imageAt(name, 1),
          env: { PASSWORD: 'secret/login/password' },
        }),
      );
      cluster.at('6s', () => secret.edit({ password: 'two' }));
      for (const [index, handle] of handles.entries()) cluster.at(`${15 + 20 * index}s`, () => handle.restart());
      cluster.lasts('2m30s');
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/network-policies/: everybody gets policies, and all still works.
  'policies-for-everybody': scenario('Three namespaces get policies that let in what is used', (cluster) => {
    cluster.recordedFrom('sandbox');
    company(cluster);
    const places = ['shop/wheel', 'crm/desk', 'wiki/page'];
    for (const place of places) {
      cluster.deployment(place, { replicas: 2, image: imageOf(place) });
      cluster.service(place);
    }
    const policies = places.map((place) =>
      cluster.planned(networkPolicy(place, { ingress: [{ from: [{ namespaceSelector: {} }] }] })),
    );
    for (const [index, policy] of policies.entries()) cluster.at(`${6 + 5 * index}s`, () => policy.create());
    cluster.lasts('2m');
  }),

  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-startup-probes
  'slow-one-with-a-startup-probe': scenario(
    'A release that takes seventy seconds to start comes up under its startup probe',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const container = {
        startupProbe: { httpGet: { path: '/started', port: 8080 }, failureThreshold: 30, periodSeconds: 10 },
      };
      const erp = cluster.deployment('erp/core', { replicas: 2, image: imageAt('erp-core', 1), container });
      cluster.service('erp/core');
      cluster.image(imageAt('erp-core', 2), { readyAfterSeconds: 70, log: ['Starting modules: 112 of 340'] });
      cluster.at('6s', () => erp.setImage(imageAt('erp-core', 2)));
      cluster.lasts('4m');
    },
  ),

  // https://cert-manager.io/docs/usage/certificate/#issuance-triggers: a certificate is renewed in time.
  'certificate-renewed-in-time': scenario(
    'A certificate is renewed: it is being issued for half a minute, and then ready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, 'cert-manager.io/v1', ['Certificate', 'CertificateRequest']);
      const secret = cluster.secret('web/site-tls', { 'tls.crt': 'one', 'tls.key': 'one' });
      const certificate = custom(cluster, 'cert-manager.io/v1', 'Certificate', 'web/site', {
        secretName: 'site-tls',
        issuerRef: { name: 'ca', kind: 'Issuer' },
      });
      const is = (issuing: boolean): object => ({
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Ready', message: 'Certificate is up to date and has not expired' },
          ...(issuing
            ? [
                {
                  type: 'Issuing',
                  status: 'True',
                  reason: 'Renewing',
                  message: 'Renewing certificate as renewal was scheduled at 2026-11-22 09:00:00',
                  lastTransitionTime: 'now',
                },
              ]
            : []),
        ],
      });
      certificate.status(is(false));
      cluster.at('6s', () => {
        certificate.status(is(true));
        custom(cluster, 'cert-manager.io/v1', 'CertificateRequest', 'web/site-2', {
          issuerRef: { name: 'ca', kind: 'Issuer' },
        });
      });
      const request = cluster.planned({
        apiVersion: 'cert-manager.io/v1',
        kind: 'CertificateRequest',
        metadata: { namespace: 'web', name: 'site-2' },
      });
      cluster.at('8s', () =>
        request.status(
          condition('Ready', 'False', 'Pending', 'Waiting on certificate issuance from order web/site-2: "pending"'),
        ),
      );
      cluster.at('32s', () => {
        request.status(condition('Ready', 'True', 'Issued', 'Certificate fetched from issuer successfully'));
        secret.edit({ 'tls.crt': 'two', 'tls.key': 'two' });
        certificate.status(is(false));
      });
      cluster.lasts('4m');
    },
  ),

  // https://fluxcd.io/flux/components/kustomize/kustomizations/#progressing-kustomization
  'flux-brings-a-change': scenario(
    'Flux brings a change: its objects are under way for half a minute, the workload rolls out',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, 'kustomize.toolkit.fluxcd.io/v1', ['Kustomization']);
      const app = cluster.deployment('shop/stories', { replicas: 3, image: imageAt('stories', 1) });
      const part = custom(cluster, 'kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'flux-system/shop', {
        path: './shop',
      });
      part.status(condition('Ready', 'True', 'ReconciliationSucceeded', 'Applied revision: main@sha1:1a2b'));
      cluster.at('6s', () => part.status(condition('Ready', 'Unknown', 'Progressing', 'Reconciliation in progress')));
      cluster.at('8s', () => app.setImage(imageAt('stories', 2)));
      cluster.at('35s', () =>
        part.status(condition('Ready', 'True', 'ReconciliationSucceeded', 'Applied revision: main@sha1:3c4d')),
      );
      cluster.lasts('4m');
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/pods/disruptions/: the primary moves, its clients lose it for some seconds.
  'primary-moves': scenario(
    'The members of a database are restarted one by one; a client is unready for some seconds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const set = cluster.statefulSet('shop/pgsql', { replicas: 3, image: imageAt('pgsql', 17) });
      cluster.service('shop/pgsql', port(5432));
      const client = imageOf('shop/trolley');
      cluster.deployment('shop/trolley', { replicas: 2, image: client, values: { PGHOST: 'pgsql.shop.svc' } });
      cluster.at('6s', () => set.restart());
      cluster.at('14s', () =>
        cluster.befall(client, {
          readyAfterSeconds: 'never',
          log: ['FATAL:  terminating connection due to administrator command (pgsql.shop.svc:5432)'],
        }),
      );
      cluster.at('46s', () => cluster.befall(client, {}));
      cluster.lasts('3m');
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/dns-horizontal-autoscaling/
  'names-get-another-server': scenario('CoreDNS is released anew and gets a third replica', (cluster) => {
    company(cluster, { dnsService: 'none' });
    const coredns = cluster.deployment('kube-system/coredns', dns.workload);
    cluster.object(dns.service);
    cluster.at('5s', () => coredns.setImage('registry.example/coredns:1.13'));
    cluster.at('40s', () => coredns.scale(3));
    cluster.lasts('90s');
  }),

  // https://kubernetes.io/docs/concepts/policy/resource-quotas/#viewing-and-setting-quotas: full to the last Pod, and nothing is refused.
  'quota-full-to-the-last': scenario(
    'A workload grows until a quota is full to the last Pod, and wants no more',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.quota('choir/pods', { pods: '6' });
      const voices = cluster.deployment('choir/voices', { replicas: 3, image: imageAt('voices', 1) });
      cluster.at('5s', () => voices.scale(6));
      cluster.lasts('90s');
    },
  ),
};

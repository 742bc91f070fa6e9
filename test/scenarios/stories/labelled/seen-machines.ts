import { dnsAt, imageAt, innocentRelease, onlyOn } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { type Manifest, split } from '../../kit/manifests.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** The Service of the API server, as every cluster has it. */
const apiServer: Manifest = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'default', name: 'kubernetes' } },
  spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, targetPort: 6443, protocol: 'TCP' }] },
};

/** Machines that go on and on, and what runs there does not; the API server that all controllers need. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/awslabs/amazon-eks-ami/issues/1219: a kernel that leaks the memory of its filters.
  'kernel-of-one-machine-takes-no-more-filters': reported(
    'The kernel of one machine has no memory left for seccomp filters: probes cannot be run there, and no new Pod starts there',
    (cluster, firm) => {
      const places = ['fares/quotes', 'fares/search', 'crew/roster'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));
      innocentRelease(cluster, after(-40), firm);
      const filter =
        'unable to init seccomp: error loading seccomp filter into kernel: error loading seccomp filter: errno 524';
      cluster.at(after(0), () => {
        for (const place of ['fares/quotes', 'crew/roster'])
          cluster.befall(
            imageOf(place),
            onlyOn('n2', {
              readyAfterSeconds: 'never',
              readinessSays: `OCI runtime exec failed: exec failed: unable to start container process: ${filter}: unknown`,
            }),
          );
      });
      cluster.at(after(90), () => {
        cluster.image(
          imageOf('fares/search'),
          onlyOn('n2', {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message: `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox container task "b9f84f5b": failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${filter}: unknown`,
            },
          }),
        );
        handles[1]?.restart();
      });
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/fares/quotes', 'Deployment/fares/search', 'Deployment/crew/roster', 'Node//n1'],
      });
    },
  ),

  // https://github.com/canonical/microk8s/issues/4888: the disk has room, the table of mounts has not.
  'machine-takes-no-more-mounts': reported(
    'A machine can mount nothing more, though its disk has room: what two teams roll out hangs there and elsewhere comes up',
    (cluster, firm) => {
      const places = ['survey/forms', 'ticket/inbox'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));
      innocentRelease(cluster, after(-90), firm);
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(
            imageOf(place),
            onlyOn('n3', {
              heldUp: {
                reason: 'FailedCreatePodSandBox',
                message:
                  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/run/containerd/io.containerd.grpc.v1.cri/sandboxes/13b96a077c7a/shm" to rootfs at "/dev/shm": mount src=/run/containerd/io.containerd.grpc.v1.cri/sandboxes/13b96a077c7a/shm, dst=/dev/shm: no space left on device: unknown',
              },
            }),
          );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/survey/forms', 'Deployment/ticket/inbox', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/24092: the addresses of Services are of yesterday on one machine.
  'rules-of-one-machine-are-of-yesterday': reported(
    'kube-proxy of one machine runs on and hears of no change; what runs there reaches servers at addresses that are no more',
    (cluster) => {
      cluster.daemonSet('kube-system/kube-proxy', {
        ...{ image: 'registry.k8s.io/kube-proxy:v1.29.3', probe: false },
      });
      const postgres = server(cluster, 'orders/postgres', 'docker.io/library/postgres:16.2', 5432);
      const sessions = server(cluster, 'web/sessions', 'docker.io/library/redis:7.2.4', 6379);
      const places = {
        'orders/intake': {
          does: onlyOn(
            'n3',
            unready([
              'time=2026-11-23T09:31:20Z level=ERROR msg="ping database" err="dial tcp 10.96.40.7:5432: i/o timeout"',
            ]),
          ),
          values: { PGHOST: 'postgres.orders.svc.cluster.local' },
        },
        'web/basket': {
          does: onlyOn(
            'n3',
            ends([
              'Traceback (most recent call last):',
              '  File "/usr/local/lib/python3.11/site-packages/redis/connection.py", line 279, in connect',
              'redis.exceptions.ConnectionError: Error 113 connecting to sessions.web.svc.cluster.local:6379. No route to host.',
            ]),
          ),
          values: { REDIS_URL: 'redis://sessions.web.svc.cluster.local:6379/0' },
        },
        'web/profile': {
          does: onlyOn('n3', unready(['[ioredis] Unhandled error event: Error: connect ETIMEDOUT'])),
          values: { REDIS_HOST: 'sessions.web.svc.cluster.local' },
        },
      };
      cluster.at(after(0), () => {
        postgres.restart();
        sessions.restart();
      });
      const innocents = clients(cluster, 25, places);
      cluster.at(after(1), () => {
        for (const place of Object.keys(places))
          cluster
            .planned({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: split(place) })
            .patch({ spec: { replicas: 4 } });
      });
      cluster.expectIncident({
        root: 'Node//n3',
        accepts: ['DaemonSet/kube-system/kube-proxy'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'StatefulSet/orders/postgres', 'StatefulSet/web/sessions', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/45419: PLEG and probes on a disk that is slow, not full.
  'disk-of-one-machine-is-slow': reported(
    'The disk of one machine is so slow that nothing there answers in time: a database, a queue and an application, each in its words',
    (cluster, firm) => {
      const does = {
        'stock/postgres': [
          'LOG:  checkpoint complete: wrote 41 buffers (0.3%); write=269.711 s, sync=118.402 s',
          'command timed out: "pg_isready -U postgres" timed out after 5s',
        ],
        'mail/redis': [
          '1:M 23 Nov 2026 09:33:08.113 * Asynchronous AOF fsync is taking too long (disk is busy?). Writing the AOF buffer without waiting for fsync to complete, this may slow down Redis.',
          'command timed out: "redis-cli ping" timed out after 1s',
        ],
        'press/editor': [
          '2026-11-23T09:33:11.500Z WARN  o.h.e.jdbc.spi.SqlExceptionHelper : slow write of /app/data/session.idx: 9120 ms',
          'Get "http://10.244.2.14:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        ],
      };
      for (const place of ['stock/postgres', 'mail/redis'])
        cluster.statefulSet(place, { replicas: 3, image: imageOf(place) });
      cluster.deployment('press/editor', { replicas: 3, image: imageOf('press/editor') });
      innocentRelease(cluster, after(-15), firm);
      Object.entries(does).forEach(([place, [line = '', says]], index) => {
        cluster.at(after(6 * index), () => cluster.befall(imageOf(place), onlyOn('n1', unready([line], says))));
      });
      cluster.at(after(900), () => {
        for (const place of Object.keys(does)) cluster.befall(imageOf(place), {});
      });
      cluster.expectIncident({
        root: 'Node//n1',
        messages: { update: '≤2', resolve: 1 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['StatefulSet/stock/postgres', 'StatefulSet/mail/redis', 'Deployment/press/editor', 'Node//n2'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/istio/istio/issues/43991: all traffic of a machine goes through its tunnel.
  'tunnel-of-one-machine-does-not-come-back': reported(
    'The tunnel of the ambient mesh does not start on one machine after its upgrade; connections of what runs there are reset',
    (cluster) => {
      const repository = 'docker.io/istio/ztunnel';
      const tunnel = cluster.daemonSet('istio-system/ztunnel', {
        image: `${repository}:1.22.1`,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } },
      });
      cluster.image(
        `${repository}:1.23.0`,
        onlyOn(
          'n2',
          ends(
            [
              '2026-11-23T09:31:02.113204Z\tinfo\tztunnel\tversion: version.BuildInfo{Version:"1.23.0"}',
              '2026-11-23T09:31:02.118811Z\terror\tztunnel\tfailed to bind to inpod socket: /var/run/ztunnel/ztunnel.sock: Connection refused (os error 111)',
            ],
            1,
            4,
          ),
        ),
      );
      cluster.at(after(0), () => tunnel.setImage(`${repository}:1.23.0`));
      const innocents = clients(cluster, 25, {
        'tours/offers': {
          does: onlyOn(
            'n2',
            unready([
              'Get "http://availability.tours.svc.cluster.local:8080/v1/slots": read tcp 10.244.2.9:41022->10.96.71.3:8080: read: connection reset by peer',
            ]),
          ),
        },
        'tours/payments': {
          does: onlyOn(
            'n2',
            ends([
              'Error: socket hang up',
              '    at connResetException (node:internal/errors:787:14) {',
              "  code: 'ECONNRESET'",
              '}',
            ]),
          ),
        },
      });
      cluster.expectIncident({
        root: 'DaemonSet/istio-system/ztunnel',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'Node//n1', 'Node//n3'],
      });
    },
  ),

  // https://github.com/cert-manager/cert-manager/issues/7082, https://github.com/VictoriaMetrics/operator/issues/165: who cannot renew a lease ends.
  'store-of-the-api-is-too-slow': reported(
    'The API server waits for its store again and again; controllers of three teams cannot renew their leases and end, all at once',
    (cluster, firm) => {
      cluster.object(apiServer);
      innocentRelease(cluster, after(-50), firm);
      const places = {
        'cert-manager/cert-manager': {
          does: ends(
            [
              'E1123 09:31:14.204411       1 leaderelection.go:332] error retrieving resource lock cert-manager/cert-manager-controller: etcdserver: request timed out',
              'I1123 09:31:19.113200       1 leaderelection.go:285] failed to renew lease cert-manager/cert-manager-controller: timed out waiting for the condition',
              'E1123 09:31:19.113311       1 controller.go:200] "error running cert-manager controller" err="leader election lost"',
            ],
            1,
            25,
          ),
        },
        'external-dns/external-dns': {
          does: ends(
            [
              'time="2026-11-23T09:31:21Z" level=fatal msg="failed to list *v1.Service: Get \\"https://10.96.0.1:443/api/v1/services?limit=500\\": context deadline exceeded"',
            ],
            1,
            20,
          ),
        },
        'kafka/strimzi-cluster-operator': {
          does: ends(
            [
              'io.fabric8.kubernetes.client.KubernetesClientException: Operation: [list]  for kind: [Kafka]  with name: [null]  in namespace: [kafka]  failed.',
              'Caused by: java.io.InterruptedIOException: timeout',
            ],
            1,
            14,
          ),
        },
      };
      const innocents = clients(cluster, 0, places);
      recover(cluster, 600, ...Object.keys(places));
      cluster.expectIncident({
        root: 'Service/default/kubernetes',
        accepts: ['APIServer//kube-apiserver', 'ExternalEndpoint//10.96.0.1:443'],
        messages: { update: '≤2', resolve: 1 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 24, dnsService: dnsAt('10.96.0.10') },
  ),

  // https://github.com/cert-manager/cert-manager/issues/3281: the server shows the certificate of another authority.
  'api-shows-another-certificate': reported(
    'The authority of the cluster was replaced; programs that trust the old one are refused nowhere and trust the API server no more',
    (cluster) => {
      cluster.object(apiServer);
      const innocents = clients(cluster, 0, {
        'cert-manager/cainjector': {
          does: ends([
            'E1123 09:31:01.753641       1 manager.go:279] cert-manager/controller-runtime/manager "msg"="Failed to get API Group-Resources" "error"="Get \\"https://10.96.0.1:443/api?timeout=32s\\": x509: certificate signed by unknown authority"',
            'Error: error creating manager: Get "https://10.96.0.1:443/api?timeout=32s": x509: certificate signed by unknown authority',
          ]),
        },
        'lab/notebook-hub': {
          does: ends([
            'urllib3.exceptions.MaxRetryError: HTTPSConnectionPool(host=\'10.96.0.1\', port=443): Max retries exceeded with url: /api/v1/namespaces/lab/pods (Caused by SSLError(SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)")))',
          ]),
        },
        'ci/controller': {
          does: unready([
            'WARNING o.c.j.p.k.KubernetesSlave#_terminate: Failed to list pods',
            'Caused by: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target',
          ]),
          values: { KUBERNETES_SERVICE_URL: 'https://kubernetes.default.svc' },
        },
      });
      cluster.deployment('ci/artifacts', { replicas: 2, image: imageAt('artifacts', 9) });
      cluster.expectIncident({
        root: 'Service/default/kubernetes',
        accepts: ['APIServer//kube-apiserver', 'ExternalEndpoint//10.96.0.1:443'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'Deployment/ci/artifacts'],
      });
    },
    { dnsService: dnsAt('10.96.0.10') },
  ),
};

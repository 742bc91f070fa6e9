import { company, condition, custom, define, dnsAt, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass, networkPolicy } from '../../kit/things.ts';

/** Ways in, ways out, and what is trusted on them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/website/issues/54997, https://github.com/kubernetes/website/issues/38267
  'default-deny-forgets-the-names': reported(
    'A namespace gets a policy that denies all egress but to its database; its workloads resolve no name any more; taken back after twelve minutes',
    (cluster) => {
      server(cluster, 'clinic/postgres', 'docker.io/library/postgres:16.3', 5432);
      cluster.deployment('portal/frontend', { replicas: 2, image: imageAt('frontend', '9.1') });
      const policy = cluster.planned(
        networkPolicy('clinic/default-deny', {
          podSelector: {},
          policyTypes: ['Egress'],
          egress: [
            { to: [{ podSelector: { matchLabels: { app: 'postgres' } } }], ports: [{ port: 5432, protocol: 'TCP' }] },
          ],
        }),
      );
      cluster.at(after(0), () => policy.create());
      const values = { PGHOST: 'postgres.clinic.svc.cluster.local' };
      const innocents = clients(cluster, 12, {
        'clinic/appointments': {
          does: unready([
            'level=error msg="readiness: ping database" error="dial tcp: lookup postgres.clinic.svc.cluster.local on 10.96.0.10:53: read udp 10.244.1.31:51877->10.96.0.10:53: i/o timeout"',
          ]),
          values,
        },
        'clinic/records': {
          does: ends([
            'psycopg2.OperationalError: could not translate host name "postgres.clinic.svc.cluster.local" to address: Temporary failure in name resolution',
          ]),
          values,
        },
        'clinic/reminders': {
          does: ends(['Error: getaddrinfo EAI_AGAIN postgres.clinic.svc.cluster.local']),
          values,
        },
      });
      cluster.at(after(720), () => policy.delete());
      recover(cluster, 725, 'clinic/appointments', 'clinic/records', 'clinic/reminders');
      cluster.expectIncident({
        root: 'NetworkPolicy/clinic/default-deny',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: [...innocents, 'StatefulSet/clinic/postgres', 'Deployment/kube-system/coredns'],
      });
    },
    { minutes: 24, dnsService: dnsAt('10.96.0.10') },
  ),

  // https://github.com/metallb/metallb/issues/2553, https://github.com/metallb/metallb/issues/1586
  'no-address-left-for-another-balancer': reported(
    'MetalLB has no address left for the Service of a new namespace',
    (cluster) => {
      cluster.deployment('metallb-system/metallb-controller', { image: 'quay.io/metallb/controller:v0.14.8' });
      for (const [index, name] of ['dns-a', 'dns-b'].entries()) {
        cluster.deployment(`pihole/${name}`, { image: imageAt(name, 1) });
        const service = cluster.service(`pihole/${name}`, { type: 'LoadBalancer' });
        service.status({ loadBalancer: { ingress: [{ ip: `192.168.1.${240 + index}` }] } });
      }
      cluster.at(after(0), () => {
        cluster.deployment('tickets/desk', { replicas: 2, image: imageAt('desk', 4) });
        cluster.service('tickets/desk', { type: 'LoadBalancer' });
      });
      for (const seconds of [3, 63, 303, 603])
        cluster.at(after(seconds), () =>
          cluster.event({
            about: 'Service/tickets/desk',
            reason: 'AllocationFailed',
            message: 'Failed to allocate IP for "tickets/desk": no available IPs',
            by: 'metallb-controller',
            count: 1 + Math.floor(seconds / 60),
          }),
        );
      cluster.expectIncident({
        root: 'Service/tickets/desk',
        messages: { resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/tickets/desk', 'Deployment/metallb-system/metallb-controller'],
      });
    },
  ),

  // https://github.com/cert-manager/cert-manager/issues/4676
  'authority-counts-too-many-orders': reported(
    'A certificate for a new site is asked for, and the authority refuses more orders for now',
    (cluster) => {
      cluster.pro();
      define(cluster, 'cert-manager.io/v1', ['Certificate', 'CertificateRequest']);
      define(cluster, 'acme.cert-manager.io/v1', ['Order']);
      define(cluster, 'cert-manager.io/v1', ['ClusterIssuer'], 'Cluster');
      cluster.deployment('cert-manager/cert-manager', { image: 'quay.io/jetstack/cert-manager-controller:v1.15.3' });
      const issuer = custom(cluster, 'cert-manager.io/v1', 'ClusterIssuer', '/letsencrypt', {
        acme: { server: 'https://acme-v02.api.letsencrypt.org/directory' },
      });
      issuer.status(
        condition('Ready', 'True', 'ACMEAccountRegistered', 'The ACME account was registered with the ACME server'),
      );
      cluster.deployment('clinicsite/web', { replicas: 2, image: imageAt('web', 3) });
      cluster.service('clinicsite/web');
      cluster.object(ingressClass);
      cluster.object(ingress('clinicsite/web'));
      const refused =
        'Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: Error creating new order :: too many failed authorizations recently: see https://letsencrypt.org/docs/rate-limits/';
      cluster.at(after(0), () => {
        custom(cluster, 'cert-manager.io/v1', 'Certificate', 'clinicsite/web-cert', {
          secretName: 'web-cert',
          dnsNames: ['web.example'],
          issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' },
        });
        custom(cluster, 'acme.cert-manager.io/v1', 'Order', 'clinicsite/web-cert-1-3761388167', {
          issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' },
        });
        custom(cluster, 'cert-manager.io/v1', 'CertificateRequest', 'clinicsite/web-cert-1', {
          issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' },
        });
      });
      const made = (apiVersion: string, kind: string, name: string) =>
        cluster.planned({ apiVersion, kind, metadata: { namespace: 'clinicsite', name } });
      const certificate = made('cert-manager.io/v1', 'Certificate', 'web-cert');
      const order = made('acme.cert-manager.io/v1', 'Order', 'web-cert-1-3761388167');
      const request = made('cert-manager.io/v1', 'CertificateRequest', 'web-cert-1');
      cluster.at(after(4), () => {
        order.status({ state: 'errored', reason: refused });
        const why = `Failed to wait for order resource "web-cert-1-3761388167" to become ready: order is in "errored" state: ${refused}`;
        request.status(condition('Ready', 'False', 'Failed', why));
        certificate.status({
          conditions: [
            {
              ...{ type: 'Ready', status: 'False', reason: 'DoesNotExist', lastTransitionTime: 'now' },
              message: 'Issuing certificate as Secret does not exist',
            },
            {
              ...{ type: 'Issuing', status: 'False', reason: 'Failed', lastTransitionTime: 'now' },
              message: `The certificate request has failed to complete and will be retried: ${why}`,
            },
          ],
        });
      });
      cluster.expectIncident({
        root: 'Certificate.cert-manager.io/clinicsite/web-cert',
        accepts: [
          'Order.acme.cert-manager.io/clinicsite/web-cert-1-3761388167',
          'CertificateRequest.cert-manager.io/clinicsite/web-cert-1',
          'ClusterIssuer.cert-manager.io//letsencrypt',
        ],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 334,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/cert-manager/cert-manager', 'Deployment/clinicsite/web'],
      });
    },
  ),

  // https://github.com/istio/istio/issues/27169, https://github.com/emissary-ingress/emissary/issues/5130
  'mesh-turned-strict-for-one-namespace': reported(
    'Mutual TLS is made strict for a namespace, and two clients without a sidecar have their connections reset',
    (cluster) => {
      cluster.pro();
      define(cluster, 'security.istio.io/v1', ['PeerAuthentication']);
      cluster.deployment('istio-system/istiod', { replicas: 2, image: 'docker.io/istio/pilot:1.23.2' });
      cluster.deployment('policy/opa-bundle-service', { replicas: 2, image: imageAt('opa-bundle-service', '1.9') });
      cluster.service('policy/opa-bundle-service', { ...port(80, 'http'), clusterIP: '10.96.22.163' });
      const peer = custom(cluster, 'security.istio.io/v1', 'PeerAuthentication', 'policy/default', {
        mtls: { mode: 'PERMISSIVE' },
      });
      cluster.at(after(0), () => peer.patch({ spec: { mtls: { mode: 'STRICT' } } }));
      const values = { BUNDLE_URL: 'http://opa-bundle-service.policy.svc.cluster.local:80' };
      const innocents = clients(cluster, 6, {
        'edge/emissary': {
          does: unready([
            '{"level":"error","msg":"Bundle load failed: request failed: Get \\"http://opa-bundle-service.policy.svc.cluster.local:80/api/bundle/bundle.tar.gz\\": read tcp 10.244.0.61:46530->10.96.22.163:80: read: connection reset by peer","name":"authz","plugin":"bundle"}',
          ]),
          values,
        },
        'batch/authorizer': {
          does: ends([
            "requests.exceptions.ConnectionError: ('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer')) while fetching http://opa-bundle-service.policy.svc.cluster.local:80/api/bundle/bundle.tar.gz",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'PeerAuthentication.security.istio.io/policy/default',
        messages: { resolve: 0 },
        mustNotBlame: [
          ...innocents,
          'Deployment/policy/opa-bundle-service',
          'Service/policy/opa-bundle-service',
          'Deployment/istio-system/istiod',
        ],
      });
    },
  ),

  // https://github.com/karmada-io/karmada/issues/4787: certificates of a year, and nobody made new ones.
  'certificates-of-the-store-have-run-out': reported(
    'The certificates of an etcd have run out after a year; the API server and the controllers that talk to it end',
    (cluster) => {
      server(cluster, 'karmada-system/etcd', 'registry.k8s.io/etcd:3.5.9-0', 2379, {
        ...{ clusterIP: '10.96.30.40' },
        pod: { volumes: [{ name: 'etcd-cert', secret: { secretName: 'karmada-cert' } }] },
      });
      cluster.secret('karmada-system/karmada-cert', { 'etcd-server.crt': 'one', 'etcd-server.key': 'one' });
      const expired =
        'x509: certificate has expired or is not yet valid: current time 2026-11-22T09:20:11Z is after 2026-11-22T09:19:02Z';
      const values = { ETCD_SERVERS: 'https://etcd.karmada-system.svc.cluster.local:2379' };
      const innocents = clients(cluster, 0, {
        'karmada-system/karmada-apiserver': {
          does: ends([
            `W1122 09:20:11.061780       1 clientconn.go:1223] grpc: addrConn.createTransport failed to connect to {https://etcd.karmada-system.svc.cluster.local:2379  <nil> 0 <nil>}. Err :connection error: desc = "transport: authentication handshake failed: ${expired}". Reconnecting...`,
            'F1122 09:20:31.066710       1 instance.go:280] Error creating leases: error creating storage factory: context deadline exceeded',
          ]),
          values,
        },
        'karmada-system/karmada-search': {
          does: ends([
            `{"level":"warn","logger":"etcd-client","caller":"v3@v3.5.9/retry_interceptor.go:62","msg":"retrying of unary invoker failed","target":"etcd-endpoints://0xc0003ea000/etcd.karmada-system.svc.cluster.local:2379","error":"rpc error: code = DeadlineExceeded desc = latest balancer error: last connection error: connection error: desc = \\"transport: authentication handshake failed: ${expired}\\""}`,
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Secret/karmada-system/karmada-cert',
        accepts: ['StatefulSet/karmada-system/etcd', 'Service/karmada-system/etcd'],
        messages: { resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/kubernetes/website/issues/45965, https://github.com/Dynatrace/easytrade/issues/5
  'frontend-names-a-renamed-service': scenario(
    'A Service is renamed in a clean-up; the proxies of two websites that name it start no more once they are moved',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      cluster.deployment('trade/loginservice', { replicas: 2, image: imageAt('loginservice', 5) });
      const service = cluster.service('trade/loginservice');
      const image = 'docker.io/library/nginx:1.25.3';
      const names = ['frontendreverseproxy', 'partnerproxy'];
      const handles = names.map((name) => {
        const handle = cluster.deployment(`trade/${name}`, { replicas: 2, image });
        cluster.service(`trade/${name}`);
        return handle;
      });
      innocentRelease(cluster, after(-45), firm);
      cluster.at(after(0), () => {
        service.delete();
        cluster.service('trade/login', { selector: { app: 'loginservice' } });
      });
      cluster.at(after(30), () => {
        cluster.image(
          image,
          ends(
            [
              '/docker-entrypoint.sh: Configuration complete; ready for start up',
              '2026/11/22 09:21:20 [emerg] 1#1: host not found in upstream "loginservice" in /etc/nginx/nginx.conf:17',
              'nginx: [emerg] host not found in upstream "loginservice" in /etc/nginx/nginx.conf:17',
            ],
            1,
            1,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.lasts(after(1200));
      cluster.expectIncident({
        root: 'Service/trade/loginservice',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Deployment/trade/frontendreverseproxy',
          'Deployment/trade/partnerproxy',
          'Deployment/trade/loginservice',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),
};

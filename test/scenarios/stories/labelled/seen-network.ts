import { custom, define, dnsAt, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

/** A workload of the mesh: its container and the proxy beside it. */
const meshed = (place: string): object => ({
  containers: [
    { name: place.split('/')[1], image: imageOf(place), readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
    {
      ...{ name: 'istio-proxy', image: 'docker.io/istio/proxyv2:1.22.3' },
      env: [{ name: 'CA_ADDR', value: 'istiod.istio-system.svc:15012' }],
    },
  ],
});

/** The network of a cluster, its names, its mesh and its way in, where nothing of them looks broken. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://imroc.cc/tke/en/networking/cilium/troubleshooting/connect-apiserver-operation-not-permitted
  'agents-lock-themselves-out': reported(
    'An upgrade of Cilium leaves programs in the kernel that keep its own agents from the API server; new Pods of two teams get no network',
    (cluster) => {
      const repository = 'quay.io/cilium/cilium';
      const agents = cluster.daemonSet('kube-system/cilium', {
        image: `${repository}:v1.17.4`,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } } },
      });
      const refused =
        'error="Get \\"https://10.15.1.8:443/api/v1/namespaces/kube-system\\": dial tcp 10.15.1.8:443: connect: operation not permitted"';
      cluster.image(
        `${repository}:v1.18.5`,
        ends(
          [
            'time=2026-11-23T09:31:16.844750142Z level=info msg="Establishing connection to apiserver" subsys=cilium-dbg module=k8s-client ipAddr=https://10.15.1.8:443',
            `time=2026-11-23T09:31:26.850125515Z level=error msg="Unable to contact k8s api-server" subsys=cilium-dbg module=k8s-client ipAddr=https://10.15.1.8:443 ${refused}`,
            `time=2026-11-23T09:31:26.850204644Z level=error msg="Failed to start hive" subsys=cilium-dbg ${refused} duration=1m0.033776717s`,
          ],
          1,
          60,
        ),
      );
      const places = ['grid/meters', 'billing/cycles'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.at(after(0), () => agents.setImage(`${repository}:v1.18.5`));
      cluster.at(after(120), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message:
                'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "a51c0c2d": plugin type="cilium-cni" failed (add): unable to connect to Cilium agent: failed to create cilium agent client after 30.000000 seconds timeout: Get "http://localhost/v1/config": dial unix /var/run/cilium/cilium.sock: connect: connection refused',
            },
          });
        for (const handle of handles) handle.scale(4);
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/cilium',
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 330,
        mustNotBlame: ['Deployment/grid/meters', 'Deployment/billing/cycles', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/poseidon/typhoon/issues/794, https://github.com/projectcalico/calico/issues/4861
  'pool-of-addresses-is-used-up': reported(
    'The only pool of addresses of Calico is used up on all machines; what two teams scale up gets no network',
    (cluster, firm) => {
      cluster.pro();
      define(cluster, 'crd.projectcalico.org/v1', ['IPPool'], 'Cluster');
      custom(cluster, 'crd.projectcalico.org/v1', 'IPPool', '/default-ipv4-ippool', {
        cidr: '10.244.0.0/24',
        blockSize: 26,
      });
      cluster.daemonSet('calico-system/calico-node', { image: 'docker.io/calico/node:v3.27.3' });
      const places = ['quiz/rounds', 'lobby/rooms'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      innocentRelease(cluster, after(-100), firm);
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message:
                'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "77ba13d0": plugin type="calico" failed (add): failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; No more free affine blocks and strict affinity enabled',
            },
          });
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'IPPool.crd.projectcalico.org//default-ipv4-ippool',
        accepts: ['DaemonSet/calico-system/calico-node', 'Cluster//nodes'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/quiz/rounds', 'Deployment/lobby/rooms', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/coredns/coredns/issues/5998: the new version does not ask for long answers.
  'release-of-the-names-cuts-long-answers': reported(
    'CoreDNS is upgraded and passes no answer of a name outside that is long; three callers of that name fail, each in its language',
    (cluster) => {
      const dns = cluster.deployment('kube-system/coredns', {
        ...{ replicas: 2, image: 'registry.k8s.io/coredns/coredns:v1.10.0', labels: { 'k8s-app': 'kube-dns' } },
      });
      cluster.object(dnsAt('10.96.0.10'));
      const values = { EXCHANGE_URL: 'https://feeds.exchange.example/v2' };
      cluster.at(after(0), () => dns.setImage('registry.k8s.io/coredns/coredns:v1.10.1'));
      const places = {
        'fx/rates': {
          does: unready([
            '2026/11/23 09:32:40 fetch rates: Get "https://feeds.exchange.example/v2/rates": dial tcp: lookup feeds.exchange.example on 10.96.0.10:53: server misbehaving',
          ]),
          values,
        },
        'fx/hedging': {
          does: ends([
            'Caused by: java.net.UnknownHostException: feeds.exchange.example: Temporary failure in name resolution',
            '\tat java.base/java.net.Inet6AddressImpl.lookupAllHostAddr(Native Method)',
          ]),
        },
        'shop/prices': {
          does: unready([
            "[error] price refresh failed { errno: -3001, code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname: 'feeds.exchange.example' }",
          ]),
          values,
        },
      };
      const innocents = clients(cluster, 40, places);
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        accepts: ['ExternalEndpoint//feeds.exchange.example', 'Service/kube-system/kube-dns'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: innocents,
      });
    },
    { dnsService: 'none' },
  ),

  // https://github.com/istio/istio/issues/14516, https://github.com/istio/istio/issues/36687
  'root-of-the-mesh-was-replaced': reported(
    'The authority of the mesh is replaced in one go; proxies that were restarted since trust no other, and three callers of a ledger get 503',
    (cluster) => {
      const secret = cluster.secret('istio-system/cacerts', { 'root-cert.pem': 'first', 'ca-cert.pem': 'first' });
      const head = cluster.deployment('istio-system/istiod', { image: 'docker.io/istio/pilot:1.22.3' });
      cluster.service('istio-system/istiod', { ...port(15012) });
      cluster.deployment('bank/ledger', { replicas: 2, image: imageOf('bank/ledger'), pod: meshed('bank/ledger') });
      cluster.service('bank/ledger', { ...port(8080) });
      const values = { LEDGER_URL: 'http://ledger.bank.svc.cluster.local:8080' };
      const does = {
        'bank/transfers': unready([
          'feign.FeignException$ServiceUnavailable: [503 Service Unavailable] during [GET] to [http://ledger.bank.svc.cluster.local:8080/accounts] [LedgerClient#accounts()]: [upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, transport failure reason: TLS_error:|268435581:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED:TLS_error_end]',
        ]),
        'cards/limits': unready(['{"level":"error","msg":"readiness","err":"unexpected status 503 from ledger"}']),
        'fraud/scores': ends([
          'AxiosError: Request failed with status code 503',
          '    at settle (/app/node_modules/axios/lib/core/settle.js:19:12)',
        ]),
      };
      for (const place of Object.keys(does)) {
        const { containers } = meshed(place) as { containers: object[] };
        const [own, proxy] = containers;
        const env = Object.entries(values).map(([name, value]) => ({ name, value }));
        cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: { containers: [{ ...own, env }, proxy] },
        });
      }
      cluster.at(after(0), () => {
        secret.edit({ 'root-cert.pem': 'second', 'ca-cert.pem': 'second' });
        head.restart();
      });
      cluster.at(after(60), () => {
        for (const [place, behaviour] of Object.entries(does)) cluster.befall(imageOf(place), behaviour);
      });
      cluster.expectIncident({
        root: 'Secret/istio-system/cacerts',
        accepts: ['Deployment/istio-system/istiod'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'Deployment/bank/transfers',
          'Deployment/cards/limits',
          'Deployment/fraud/scores',
          'Deployment/bank/ledger',
        ],
      });
    },
  ),

  // https://github.com/istio/istio/issues/42698: what is not registered is sent nowhere.
  'mesh-lets-nothing-out-any-more': reported(
    'The settings of the mesh are changed so that only registered hosts may be called; callers of three hosts outside fail, each in its way; taken back later',
    (cluster, firm) => {
      const settings = cluster.configMap('istio-system/istio', { mesh: 'outboundTrafficPolicy:\n  mode: ALLOW_ANY\n' });
      cluster.deployment('istio-system/istiod', { image: 'docker.io/istio/pilot:1.22.3', envFrom: ['istio'] });
      cluster.service('istio-system/istiod', { ...port(15012) });
      const does = {
        'shop/shipping': unready([
          'Error: write EPROTO 139:error:1408F10B:SSL routines:ssl3_get_record:wrong version number',
          'POST https://api.parcels.example/labels failed',
        ]),
        'travel/hotels': ends([
          'requests.exceptions.HTTPError: 502 Server Error: Bad Gateway for url: http://inventory.rooms.example/v1/availability',
        ]),
        'crm/sync': unready(['{"level":"error","err":"Post \\"https://hooks.mailing.example/contacts\\": EOF"}']),
      };
      for (const place of Object.keys(does))
        cluster.deployment(place, { replicas: 2, image: imageOf(place), pod: meshed(place) });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => settings.edit({ mesh: 'outboundTrafficPolicy:\n  mode: REGISTRY_ONLY\n' }));
      Object.entries(does).forEach(([place, behaviour], index) => {
        cluster.at(after(12 + 15 * index), () => cluster.befall(imageOf(place), behaviour));
      });
      cluster.at(after(900), () => settings.edit({ mesh: 'outboundTrafficPolicy:\n  mode: ALLOW_ANY\n' }));
      recover(cluster, 910, ...Object.keys(does));
      cluster.expectIncident({
        root: 'ConfigMap/istio-system/istio',
        accepts: ['Deployment/istio-system/istiod'],
        messages: { update: '≤2', resolve: 1 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'Deployment/shop/shipping',
          'Deployment/travel/hotels',
          'Deployment/crm/sync',
          'Deployment/logistics/tracking',
        ],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/projectcalico/calico/pull/4050: one policy for all namespaces.
  'policy-for-all-namespaces-denies': reported(
    'A global policy of Calico denies what leaves Pods but names; clients of three servers of three teams time out; taken back after a quarter of an hour',
    (cluster) => {
      cluster.pro();
      define(cluster, 'crd.projectcalico.org/v1', ['GlobalNetworkPolicy'], 'Cluster');
      server(cluster, 'orders/postgres', 'docker.io/library/postgres:16.2', 5432);
      server(cluster, 'media/minio', 'quay.io/minio/minio:RELEASE.2024-05-10T01-41-38Z', 9000);
      const made = {
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'GlobalNetworkPolicy',
        metadata: { name: 'default.deny-egress' },
      };
      const policy = cluster.planned({
        ...made,
        spec: {
          order: 2000,
          types: ['Egress'],
          egress: [{ action: 'Allow', protocol: 'UDP', destination: { ports: [53] } }],
        },
      } as never);
      cluster.at(after(0), () => policy.create());
      const places = {
        'orders/intake': {
          does: unready([
            'sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at "postgres.orders.svc.cluster.local" (10.96.81.4), port 5432 failed: Connection timed out',
          ]),
          values: { DATABASE_URL: 'postgresql://app@postgres.orders.svc.cluster.local:5432/orders' },
        },
        'media/thumbnails': {
          does: ends([
            'panic: Put "http://minio.media.svc:9000/thumbs/1.webp": dial tcp 10.96.12.77:9000: connect: connection timed out',
          ]),
          values: { S3_ENDPOINT: 'http://minio.media.svc:9000' },
        },
        'partners/export': { does: unready(['Error: connect ETIMEDOUT 203.0.113.24:443']) },
      };
      const innocents = clients(cluster, 35, places);
      cluster.at(after(900), () => policy.delete());
      recover(cluster, 910, ...Object.keys(places));
      cluster.expectIncident({
        root: 'GlobalNetworkPolicy.crd.projectcalico.org//default.deny-egress',
        messages: { update: '≤2', resolve: 1 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'StatefulSet/orders/postgres', 'StatefulSet/media/minio'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/vouch/vouch-proxy/issues/592: who comes in through the new controller gets its default page.
  'release-of-the-way-in-forgets-a-host': reported(
    'The ingress controller is upgraded and sends the host of the sign-on to its default page; three programs of the house ask there for keys',
    (cluster) => {
      const repository = 'registry.k8s.io/ingress-nginx/controller';
      cluster.object(ingressClass);
      const controller = cluster.deployment('ingress-nginx/ingress-nginx-controller', {
        replicas: 2,
        image: `${repository}:v1.9.6`,
      });
      cluster
        .service('ingress-nginx/ingress-nginx-controller', { type: 'LoadBalancer' })
        .status({ loadBalancer: { ingress: [{ ip: '203.0.113.44' }] } });
      cluster.deployment('auth/sign-in', { replicas: 2, image: imageAt('sign-in', 12) });
      cluster.service('auth/sign-in');
      cluster.object(ingress('auth/sign-in')).status({ loadBalancer: { ingress: [{ ip: '203.0.113.44' }] } });
      const values = { OIDC_ISSUER: 'https://sign-in.example/realms/staff' };
      cluster.at(after(0), () => controller.setImage(`${repository}:v1.12.0`));
      const innocents = clients(cluster, 50, {
        'tools/wiki': {
          does: ends(['panic: oidc: failed to get provider: 404 Not Found: default backend - 404']),
          values,
        },
        'tools/board': {
          does: unready([
            'org.springframework.security.oauth2.jwt.JwtDecoderInitializationException: Failed to lazily resolve the supplied JwtDecoder instance',
            'Caused by: org.springframework.web.client.HttpClientErrorException$NotFound: 404 Not Found: "default backend - 404"',
          ]),
          values,
        },
        'hr/leave': { does: unready(['OPError: expected 200 OK, got: 404 Not Found']), values },
      });
      cluster.expectIncident({
        root: 'Deployment/ingress-nginx/ingress-nginx-controller',
        accepts: ['Ingress/auth/sign-in', 'ExternalEndpoint//sign-in.example', 'ExternalEndpoint//sign-in.example:443'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'Deployment/auth/sign-in'],
      });
    },
  ),
};

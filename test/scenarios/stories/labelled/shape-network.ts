import { custom, define, dnsAt, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, killed, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

/** The network of a cluster: its agents, its names, its mesh and its policies. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/cilium/cilium/issues/17462, https://github.com/rancher/rke2/issues/4053: nobody has registered the new kinds.
  'agents-wait-for-kinds-of-their-operator': reported(
    'Cilium is upgraded; its operator crashes and registers no new kinds, all agents wait for them, and new Pods get no network',
    (cluster) => {
      const [agents, operators] = ['quay.io/cilium/cilium', 'quay.io/cilium/operator-generic'];
      const agent = cluster.daemonSet('kube-system/cilium', {
        image: `${agents}:v1.13.9`,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } },
      });
      const operator = cluster.deployment('kube-system/cilium-operator', {
        replicas: 2,
        image: `${operators}:v1.13.9`,
      });
      const handle = cluster.deployment('web/portal', { replicas: 2, image: imageOf('web/portal') });
      cluster.image(
        `${operators}:v1.15.1`,
        ends(
          [
            'level=info msg="Cilium Operator 1.15.1 a368c8f0 2024-02-14T22:16:57+00:00 go version go1.21.6 linux/amd64" subsys=cilium-operator-generic',
            'level=error msg="Start hook failed" error="Unable to create CRDs: unable to create custom resource definition: customresourcedefinitions.apiextensions.k8s.io \\"ciliumbgppeeringpolicies.cilium.io\\" is forbidden: User \\"system:serviceaccount:kube-system:cilium-operator\\" cannot update resource \\"customresourcedefinitions\\" in API group \\"apiextensions.k8s.io\\" at the cluster scope" function="apis.createCRDs.func1" subsys=hive',
            'level=fatal msg="failed to start: Unable to create CRDs" subsys=cilium-operator-generic',
          ],
          1,
          5,
        ),
      );
      cluster.image(
        `${agents}:v1.15.1`,
        unready(
          [
            'level=info msg="Waiting until all Cilium CRDs are available" subsys=k8s',
            'level=error msg="Still waiting for Cilium Operator to register the following CRDs: [crd:ciliumpodippools.cilium.io crd:ciliuml2announcementpolicies.cilium.io]" subsys=k8s',
          ],
          'Get "http://127.0.0.1:9879/healthz": dial tcp 127.0.0.1:9879: connect: connection refused',
        ),
      );
      cluster.at(after(0), () => {
        operator.setImage(`${operators}:v1.15.1`);
        agent.setImage(`${agents}:v1.15.1`);
      });
      cluster.at(after(60), () => {
        cluster.image(imageOf('web/portal'), {
          heldUp: {
            reason: 'FailedCreatePodSandBox',
            message:
              'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "f1d0b3c0": plugin type="cilium-cni" failed (add): unable to connect to Cilium agent: failed to create cilium agent client after 30.000000 seconds timeout: Get "http://localhost/v1/config": dial unix /var/run/cilium/cilium.sock: connect: no such file or directory',
          },
        });
        handle.scale(5);
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/cilium-operator',
        accepts: ['DaemonSet/kube-system/cilium'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/web/portal', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/network-policies/: the policy is where the names are answered, not where they are asked for.
  'policy-shuts-the-names-in': reported(
    'Somebody denies all that comes into kube-system; the names of the cluster are answered to nobody, while CoreDNS is healthy; taken back after ten minutes',
    (cluster) => {
      const values = { DATABASE_URL: 'postgres://app@postgres.billing.svc.cluster.local:5432/app' };
      server(cluster, 'billing/postgres', 'docker.io/library/postgres:15.6', 5432);
      const policy = cluster.planned(networkPolicy('kube-system/default-deny-ingress', { podSelector: {} }));
      cluster.at(after(0), () => policy.create());
      const innocents = clients(cluster, 9, {
        'billing/invoices': {
          does: unready([
            'ERROR 1 --- [scheduling-1] c.z.h.p.HikariPool : HikariPool-1 - Exception during pool initialization.',
            'java.net.UnknownHostException: postgres.billing.svc.cluster.local: Temporary failure in name resolution',
          ]),
          values,
        },
        'newsletter/sender': {
          does: ends([
            'Error: getaddrinfo EAI_AGAIN smtp.mailhost.example',
            '    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26)',
          ]),
        },
        'search/crawler': {
          does: ends([
            'panic: Get "https://sitemap.customers.example/index.xml": dial tcp: lookup sitemap.customers.example on 10.96.0.10:53: read udp 10.244.2.8:40113->10.96.0.10:53: i/o timeout',
          ]),
        },
      });
      cluster.at(after(600), () => policy.delete());
      recover(cluster, 610, 'billing/invoices', 'newsletter/sender', 'search/crawler');
      cluster.expectIncident({
        root: 'NetworkPolicy/kube-system/default-deny-ingress',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: [...innocents, 'Deployment/kube-system/coredns', 'StatefulSet/billing/postgres'],
      });
    },
    { dnsService: dnsAt('10.96.0.10'), minutes: 24 },
  ),

  // https://github.com/linkerd/linkerd2/issues/6200
  'mesh-answers-no-destinations': reported(
    'The destination controller of Linkerd runs out of memory; proxies that start learn no addresses, and three services that were moved do not get ready',
    (cluster) => {
      const image = 'cr.l5d.io/linkerd/controller:stable-2.14.10';
      server(cluster, 'linkerd/linkerd-destination', image, 8086, { clusterIP: '10.43.88.12', memory: '250Mi' });
      const proxy = 'cr.l5d.io/linkerd/proxy:stable-2.14.10';
      const places = ['shop/cart', 'shop/pricing', 'loyalty/points'];
      const handles = places.map((place) =>
        cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: {
            containers: [
              { name: place.split('/')[1], image: imageOf(place) },
              {
                ...{ name: 'linkerd-proxy', image: proxy },
                env: [
                  {
                    name: 'LINKERD2_PROXY_DESTINATION_SVC_ADDR',
                    value: 'linkerd-dst-headless.linkerd.svc.cluster.local.:8086',
                  },
                ],
                readinessProbe: { httpGet: { path: '/ready', port: 4191 } },
              },
            ],
          },
        }),
      );
      cluster.service('linkerd/linkerd-dst-headless', {
        ...port(8086, 'grpc'),
        ...{ clusterIP: 'None', selector: { app: 'linkerd-destination' } },
      });
      cluster.at(after(0), () => cluster.befall(image, killed([], 9)));
      cluster.at(after(30), () => {
        cluster.image(
          proxy,
          unready(
            [
              '[     0.004318s]  INFO ThreadId(01) linkerd2_proxy: release 2.207.0 (0b5ffc4) by linkerd on 2023-11-15T17:41:55Z',
              '[    15.012887s]  WARN ThreadId(01) policy:controller{addr=linkerd-policy.linkerd.svc.cluster.local:8090}:endpoint{addr=10.42.1.9:8090}: linkerd_reconnect: Failed to connect error=endpoint 10.42.1.9:8090: Connection refused (os error 111) error.sources=[Connection refused (os error 111)]',
              '[    31.020115s]  WARN ThreadId(01) dst:controller{addr=linkerd-dst-headless.linkerd.svc.cluster.local:8086}: linkerd_stack::failfast: Service entering failfast after 10s',
            ],
            'Get "http://10.42.2.17:4191/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'StatefulSet/linkerd/linkerd-destination',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/shop/cart', 'Deployment/shop/pricing', 'Deployment/loyalty/points'],
      });
    },
  ),

  // https://github.com/istio/istio/issues/24665: a policy with a rule allows nothing but what it names.
  'mesh-allows-the-wrong-caller': reported(
    'A policy of Istio for a namespace allows one caller and by that refuses all others; two clients are told that access is denied; taken back after a quarter of an hour',
    (cluster) => {
      cluster.pro();
      define(cluster, 'security.istio.io/v1', ['AuthorizationPolicy']);
      cluster.deployment('stock/inventory', { replicas: 2, image: imageAt('inventory', '4.2') });
      cluster.service('stock/inventory', { ...port(8080, 'http'), clusterIP: '10.96.71.3' });
      const policy = cluster.planned({
        ...{ apiVersion: 'security.istio.io/v1', kind: 'AuthorizationPolicy' },
        metadata: { namespace: 'stock', name: 'inventory-viewers' },
        spec: {
          selector: { matchLabels: { app: 'inventory' } },
          action: 'ALLOW',
          rules: [{ from: [{ source: { principals: ['cluster.local/ns/ops/sa/console'] } }] }],
        },
      });
      const values = { INVENTORY_URL: 'http://inventory.stock.svc.cluster.local:8080' };
      cluster.at(after(0), () => policy.create());
      const innocents = clients(cluster, 7, {
        'shop/checkout': {
          does: unready(
            [
              'ERROR checkout.inventory - GET http://inventory.stock.svc.cluster.local:8080/v1/items/1: 403 Forbidden: RBAC: access denied',
            ],
            'HTTP probe failed with statuscode: 503',
          ),
          values,
        },
        'shop/replenish': {
          does: ends([
            'requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: http://inventory.stock.svc.cluster.local:8080/v1/levels',
          ]),
          values,
        },
      });
      cluster.at(after(900), () => policy.delete());
      recover(cluster, 905, 'shop/checkout', 'shop/replenish');
      cluster.expectIncident({
        root: 'AuthorizationPolicy.security.istio.io/stock/inventory-viewers',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: [...innocents, 'Deployment/stock/inventory', 'Service/stock/inventory'],
      });
    },
    { minutes: 26 },
  ),

  // https://istio.io/latest/docs/ops/common-problems/network-issues/: the rule of the clients says no TLS, and the server takes nothing else.
  'rule-for-a-destination-turns-tls-off': reported(
    'A rule for a destination is edited and turns TLS off, while the server takes nothing else; three clients of it get connections that end',
    (cluster, firm) => {
      cluster.pro();
      define(cluster, 'networking.istio.io/v1', ['DestinationRule']);
      cluster.deployment('istio-system/istiod', { image: 'docker.io/istio/pilot:1.22.4' });
      cluster.deployment('quotes/rates', { replicas: 2, image: imageAt('rates', '11') });
      cluster.service('quotes/rates', { ...port(8080, 'http'), clusterIP: '10.96.17.20' });
      const rule = custom(cluster, 'networking.istio.io/v1', 'DestinationRule', 'quotes/rates', {
        host: 'rates.quotes.svc.cluster.local',
        trafficPolicy: { tls: { mode: 'ISTIO_MUTUAL' } },
      });
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => rule.patch({ spec: { trafficPolicy: { tls: { mode: 'DISABLE' } } } }));
      const values = { RATES: 'http://rates.quotes.svc.cluster.local:8080' };
      const reset = 'upstream connect error or disconnect/reset before headers. reset reason: connection termination';
      const innocents = clients(cluster, 5, {
        'quotes/offers': {
          does: unready([
            `{"level":"error","url":"http://rates.quotes.svc.cluster.local:8080/eur","status":503,"body":"${reset}"}`,
          ]),
          values,
        },
        'claims/estimator': {
          does: ends([
            `HttpServerErrorException$ServiceUnavailable: 503 Service Unavailable on GET request for "http://rates.quotes.svc.cluster.local:8080/eur": "${reset}"`,
          ]),
          values,
        },
        'claims/reports': {
          does: ends([`Error: rates.quotes.svc.cluster.local:8080 answered 503: ${reset}`]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'DestinationRule.networking.istio.io/quotes/rates',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          ...innocents,
          'Deployment/quotes/rates',
          'Service/quotes/rates',
          'Deployment/istio-system/istiod',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/k0sproject/k0s/issues/4626: the mode is changed, and the kernel has not the modules for it.
  'proxies-get-a-mode-their-kernel-lacks': reported(
    'The settings of kube-proxy ask for IPVS; after a restart it ends on all machines, and what starts reaches no Service',
    (cluster) => {
      const image = 'registry.k8s.io/kube-proxy:v1.31.2';
      const settings = cluster.configMap('kube-system/kube-proxy', { 'config.conf': 'mode: "iptables"' });
      const proxies = cluster.daemonSet('kube-system/kube-proxy', {
        ...{ image, probe: false },
        pod: { volumes: [{ name: 'kube-proxy', configMap: { name: 'kube-proxy' } }] },
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } } },
      });
      const handle = cluster.deployment('erp/orders', { replicas: 2, image: imageOf('erp/orders') });
      cluster.at(after(-20), () => settings.edit({ 'config.conf': 'mode: "ipvs"' }));
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'I1122 09:05:12.410227       1 server_linux.go:66] "Using ipvs Proxier"',
              'E1122 09:05:12.498110       1 server_linux.go:167] "Unable to create proxier" err="can\'t use the IPVS proxier: IPVS proxier will not be used because the following required kernel modules are not loaded: [ip_vs_rr ip_vs_wrr ip_vs_sh]"',
              'E1122 09:05:12.498171       1 run.go:72] "command failed" err="can\'t use the IPVS proxier: IPVS proxier will not be used because the following required kernel modules are not loaded: [ip_vs_rr ip_vs_wrr ip_vs_sh]"',
            ],
            1,
            2,
          ),
        );
        proxies.restart();
      });
      cluster.at(after(100), () => {
        cluster.image(
          imageOf('erp/orders'),
          ends(['Unable to connect to the server: dial tcp 10.96.0.1:443: connect: no route to host']),
        );
        handle.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/kube-proxy',
        accepts: ['DaemonSet/kube-system/kube-proxy'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/erp/orders', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://istio.io/latest/docs/ops/common-problems/injection/: Pods that are made without the label have no sidecar, and the others take nothing else.
  'namespace-loses-the-label-of-the-mesh': reported(
    'A namespace loses the label that brings sidecars; what is restarted has none, and the strict server closes its connections',
    (cluster, firm) => {
      const namespace = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Namespace' },
        metadata: { name: 'tours', labels: { 'istio-injection': 'enabled', team: 'tours' } },
      });
      cluster.deployment('istio-system/istiod', { replicas: 2, image: 'docker.io/istio/pilot:1.23.2' });
      cluster.deployment('seats/inventory', { replicas: 2, image: imageAt('seats', 6) });
      cluster.service('seats/inventory', { ...port(8080, 'http'), clusterIP: '10.96.44.8' });
      const values = { SEATS: 'http://inventory.seats.svc.cluster.local:8080' };
      const places = ['tours/booking', 'tours/planner'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place), values }));
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => namespace.patch({ metadata: { labels: { 'istio-injection': null } } }));
      cluster.at(after(90), () => {
        cluster.image(
          imageOf('tours/booking'),
          ends([
            'Error: read ECONNRESET http://inventory.seats.svc.cluster.local:8080/v1/seats',
            '    at TCP.onStreamRead (node:internal/stream_base_commons:217:20)',
          ]),
        );
        cluster.image(
          imageOf('tours/planner'),
          ends([
            'time="2026-11-22T09:14:30Z" level=fatal msg="warm up" error="Get \\"http://inventory.seats.svc.cluster.local:8080/v1/seats\\": read tcp 10.244.1.12:40114->10.96.44.8:8080: read: connection reset by peer"',
          ]),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Namespace//tours',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Deployment/tours/booking',
          'Deployment/tours/planner',
          'Deployment/seats/inventory',
          'Service/seats/inventory',
          'Deployment/istio-system/istiod',
        ],
      });
    },
  ),

  // https://docs.cilium.io/en/stable/security/dns/: what a list of names outside does not name is dropped.
  'list-of-names-outside-is-too-short': reported(
    'A policy of Cilium lists the hosts outside that a namespace may call, and leaves two out; both callers time out',
    (cluster, firm) => {
      cluster.pro();
      define(cluster, 'cilium.io/v2', ['CiliumNetworkPolicy']);
      cluster.daemonSet('kube-system/cilium', { image: 'quay.io/cilium/cilium:v1.16.3' });
      cluster.deployment('travel/website', { replicas: 2, image: imageAt('website', 31) });
      innocentRelease(cluster, after(-15), firm);
      cluster.at(after(0), () =>
        custom(cluster, 'cilium.io/v2', 'CiliumNetworkPolicy', 'travel/egress-allow-list', {
          endpointSelector: {},
          egress: [
            { toEndpoints: [{ matchLabels: { 'k8s:io.kubernetes.pod.namespace': 'kube-system' } }] },
            { toFQDNs: [{ matchName: 'api.flights.example' }] },
          ],
        }),
      );
      const innocents = clients(cluster, 14, {
        'travel/hotels': {
          does: unready([
            'time="2026-11-22T09:31:20Z" level=error msg="availability" error="Post \\"https://api.rooms.example/v3/search\\": dial tcp 203.0.113.18:443: connect: connection timed out"',
          ]),
        },
        'travel/payments': {
          does: ends([
            "urllib3.exceptions.ConnectTimeoutError: (<urllib3.connection.HTTPSConnection object at 0x7f8e>, 'Connection to gateway.cards.example timed out. (connect timeout=10)')",
          ]),
        },
      });
      cluster.expectIncident({
        root: 'CiliumNetworkPolicy.cilium.io/travel/egress-allow-list',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'DaemonSet/kube-system/cilium', 'Deployment/logistics/tracking'],
      });
    },
  ),
};

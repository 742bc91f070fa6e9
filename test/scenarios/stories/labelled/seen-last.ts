import { dnsAt, imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, disks, recover, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

const zone = 'topology.kubernetes.io/zone';
const nodes = [
  { name: 'a1', labels: { [zone]: 'eu-1a' } },
  { name: 'a2', labels: { [zone]: 'eu-1a' } },
  { name: 'b1', labels: { [zone]: 'eu-1b' } },
  { name: 'b2', labels: { [zone]: 'eu-1b' } },
];

/** What fails for a place, a driver, an answer or a way in that look well. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-troubleshooting.html: machines of one zone are well and reach nobody outside.
  'way-out-of-one-zone-is-closed': reported(
    'The way out of one zone is closed: its machines are well, and what three teams run there reaches nobody outside; the other zone does; it comes back',
    (cluster, firm) => {
      cluster.nodes(nodes);
      const there = (does: ReturnType<typeof ends>) => (pod: { readonly spec: { readonly nodeName?: string } }) =>
        String(pod.spec.nodeName).startsWith('a') ? does : {};
      const does = {
        'travel/fares': unready([
          '{"level":"error","msg":"readiness","err":"Get \\"https://api.fares.example/v1\\": dial tcp 203.0.113.9:443: i/o timeout"}',
        ]),
        'pay/payouts': ends([
          'Error: connect ETIMEDOUT 198.51.100.20:443',
          '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)',
        ]),
        'mail/sender': unready([
          'org.springframework.mail.MailSendException: Mail server connection failed; nested exception is: java.net.SocketTimeoutException: Connect timed out',
        ]),
      };
      for (const place of Object.keys(does)) cluster.deployment(place, { replicas: 6, image: imageOf(place) });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => {
        for (const [place, behaviour] of Object.entries(does)) cluster.befall(imageOf(place), there(behaviour));
      });
      recover(cluster, 900, ...Object.keys(does));
      cluster.expectIncident({
        root: 'Zone//eu-1a',
        messages: { update: '≤2', resolve: 1 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'Deployment/travel/fares',
          'Deployment/pay/payouts',
          'Deployment/mail/sender',
          'Node//b1',
          'Node//b2',
        ],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/faq.md: the role of the controller has lost what it needs.
  'attacher-may-not-attach': reported(
    'The controller of a volume driver may attach no volume any more; databases of two teams that are moved by a drain wait, on different machines',
    (cluster, firm) => {
      const spec = disks(cluster);
      cluster.deployment('kube-system/ebs-csi-controller', {
        replicas: 2,
        image: 'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.31.0',
      });
      cluster.daemonSet('kube-system/ebs-csi-node', {
        image: 'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.31.0',
      });
      const places = ['wiki/mariadb', 'tickets/postgres'];
      for (const place of places) cluster.statefulSet(place, { replicas: 3, image: imageOf(place), spec });
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedAttachVolume',
              message: `AttachVolume.Attach failed for volume "pvc-3f0f2c1a-${place.length}" : rpc error: code = Internal desc = Could not attach volume "vol-0d2c1f" to node "i-07c9": could not attach volume "vol-0d2c1f" to node "i-07c9": operation error EC2: AttachVolume, https response error StatusCode: 403, RequestID: 5c0f, api error UnauthorizedOperation: You are not authorized to perform this operation.`,
            },
          });
        cluster.node('n1').drain();
      });
      cluster.at(after(90), () => cluster.node('n1').uncordon());
      cluster.expectIncident({
        root: 'CSIDriver//ebs.csi.aws.com',
        accepts: [
          'Deployment/kube-system/ebs-csi-controller',
          'DaemonSet/kube-system/ebs-csi-node',
          'StorageClass//gp3',
        ],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 700,
        mustNotBlame: ['StatefulSet/wiki/mariadb', 'StatefulSet/tickets/postgres', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/nodelocaldns/: the cache on the machines is released and answers SERVFAIL.
  'cache-of-names-is-released': reported(
    'The cache of names on all machines is upgraded and answers with errors, while CoreDNS is well; three programs cannot resolve theirs',
    (cluster) => {
      const repository = 'registry.k8s.io/dns/k8s-dns-node-cache';
      const cache = cluster.daemonSet('kube-system/node-local-dns', {
        image: `${repository}:1.22.20`,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } } },
      });
      cluster.at(after(0), () => cache.setImage(`${repository}:1.25.0`));
      const innocents = clients(cluster, 30, {
        'shop/cart': {
          does: unready([
            'level=error err="dial tcp: lookup pricing.shop.svc.cluster.local on 169.254.20.10:53: server misbehaving"',
          ]),
        },
        'auth/login': {
          does: ends(['[ioredis] Unhandled error event: Error: getaddrinfo EAI_AGAIN sessions.auth.svc.cluster.local']),
        },
        'ledger/books': {
          does: unready([
            'java.net.UnknownHostException: postgres.ledger.svc.cluster.local: Temporary failure in name resolution',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/node-local-dns',
        accepts: ['Service/kube-system/kube-dns'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'Deployment/kube-system/coredns'],
      });
    },
    { dnsService: dnsAt('10.96.0.10') },
  ),

  // https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/#use-proxy-protocol: who does not speak the protocol is refused.
  'way-in-expects-another-protocol': reported(
    'The settings of the ingress controller are edited to expect the PROXY protocol; programs of the house that call its hosts are refused, each in its words',
    (cluster, firm) => {
      cluster.object(ingressClass);
      const settings = cluster.configMap('ingress-nginx/ingress-nginx-controller', { 'use-proxy-protocol': 'false' });
      cluster.deployment('ingress-nginx/ingress-nginx-controller', {
        replicas: 2,
        image: 'registry.k8s.io/ingress-nginx/controller:v1.10.1',
        envFrom: ['ingress-nginx-controller'],
      });
      cluster
        .service('ingress-nginx/ingress-nginx-controller', { type: 'LoadBalancer' })
        .status({ loadBalancer: { ingress: [{ ip: '203.0.113.44' }] } });
      cluster.deployment('shop/catalog', { replicas: 2, image: imageAt('catalog', 4) });
      cluster.service('shop/catalog');
      cluster.object(ingress('shop/catalog')).status({ loadBalancer: { ingress: [{ ip: '203.0.113.44' }] } });
      const values = { CATALOG_URL: 'https://catalog.example/api' };
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => settings.edit({ 'use-proxy-protocol': 'true' }));
      const innocents = clients(cluster, 15, {
        'partners/feed': {
          does: ends([
            "requests.exceptions.ConnectionError: ('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer'))",
          ]),
          values,
        },
        'search/indexer': {
          does: unready(['level=error msg="fetch" err="Get \\"https://catalog.example/api/items\\": EOF"']),
          values,
        },
        'mobile/bff': {
          does: unready([
            "Error: Client network socket disconnected before secure TLS connection was established { host: 'catalog.example', port: 443 }",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/ingress-nginx/ingress-nginx-controller',
        accepts: [
          'Deployment/ingress-nginx/ingress-nginx-controller',
          'Ingress/shop/catalog',
          'ExternalEndpoint//catalog.example',
          'ExternalEndpoint//catalog.example:443',
        ],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'Deployment/shop/catalog'],
      });
    },
  ),
};

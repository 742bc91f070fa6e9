import { dnsAt, imageAt, innocentRelease } from '../../kit/company.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { dns, ingress, networkPolicy } from '../../kit/things.ts';

/** Ways in, ways between, what is trusted on them, and their names. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/projectcontour/contour/issues/5556, https://github.com/projectcontour/contour/issues/7309: after a year without an upgrade.
  'gateway-shows-a-certificate-of-last-year': reported(
    'The certificates between Contour and its Envoys have run out; Envoys run on until they are restarted, and then get no settings',
    (cluster, firm) => {
      for (const name of ['contourcert', 'envoycert'])
        cluster.secret(`projectcontour/${name}`, { 'ca.crt': 'one', 'tls.crt': 'one', 'tls.key': 'one' });
      cluster.deployment('projectcontour/contour', {
        ...{ replicas: 2, image: 'ghcr.io/projectcontour/contour:v1.20.1', pod: secretVolume('contourcert') },
      });
      cluster.service('projectcontour/contour', {
        ports: [{ name: 'xds', port: 8001, targetPort: 8001, protocol: 'TCP' }],
      });
      const image = 'docker.io/envoyproxy/envoy:v1.21.1';
      const envoy = cluster.daemonSet('projectcontour/envoy', { image, pod: secretVolume('envoycert') });
      cluster.service('projectcontour/envoy');
      innocentRelease(cluster, after(-50), firm);
      cluster.at(after(0), () => {
        cluster.image(
          image,
          unready([
            '[2026-11-23 09:24:11.402][1][warning][config] [./source/common/config/grpc_stream.h:160] StreamClusters gRPC config stream to contour closed since 14s ago: 14, upstream connect error or disconnect/reset before headers. reset reason: connection failure, transport failure reason: TLS error: 268435581:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED',
            '[2026-11-23 09:24:26.118][1][warning][config] StreamListeners gRPC config stream to contour closed: verify cert failed: X509_verify_cert: certificate verification error at depth 0: certificate has expired',
          ]),
        );
        envoy.restart();
      });
      cluster.expectIncident({
        root: 'Secret/projectcontour/envoycert',
        accepts: [
          'Secret/projectcontour/contourcert',
          'Deployment/projectcontour/contour',
          'Service/projectcontour/contour',
        ],
        messages: { resolve: 0, update: '≤2' },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Service/projectcontour/envoy', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/kubernetes-sigs/aws-load-balancer-controller/issues/2812, https://github.com/kubernetes-sigs/aws-load-balancer-controller/issues/2194
  'no-subnet-is-marked-for-balancers': reported(
    'The way in of a new game asks for a balancer, and no subnet is marked for balancers in its account',
    (cluster) => {
      cluster.deployment('kube-system/aws-load-balancer-controller', {
        ...{ replicas: 2, image: 'public.ecr.aws/eks/aws-load-balancer-controller:v2.8.1' },
      });
      cluster.object({
        ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'alb' } },
        spec: { controller: 'ingress.k8s.aws/alb' },
      });
      const way = ingress('game-2048/ingress-2048', 'service-2048');
      cluster.at(after(0), () => {
        cluster.deployment('game-2048/deployment-2048', { replicas: 3, image: imageAt('docker-2048', 1) });
        cluster.service('game-2048/service-2048', { selector: { app: 'deployment-2048' } });
        cluster.object({ ...way, spec: { ...(way.spec as object), ingressClassName: 'alb' } });
      });
      for (const seconds of [4, 34, 94, 214, 454, 934])
        cluster.at(after(seconds), () =>
          cluster.event({
            about: 'Ingress/game-2048/ingress-2048',
            reason: 'FailedBuildModel',
            message: "Failed build model due to couldn't auto-discover subnets: unable to resolve at least one subnet",
            by: 'ingress',
            count: 1 + Math.floor(seconds / 30),
          }),
        );
      cluster.expectIncident({
        root: 'Ingress/game-2048/ingress-2048',
        messages: { resolve: 0 },
        beginsAfterSeconds: 334,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: [
          'Deployment/game-2048/deployment-2048',
          'Service/game-2048/service-2048',
          'Deployment/kube-system/aws-load-balancer-controller',
        ],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/argoproj/argo-cd/issues/4174: "removing network policies helped in my case"; its own policy names its own labels.
  'redis-of-the-deployer-closes-its-door': reported(
    'A manifest brings a policy for the Redis of a deployment tool that names labels nobody carries; three of its parts are cut off; deleted after eleven minutes',
    (cluster) => {
      server(cluster, 'deployer/deployer-redis', 'docker.io/library/redis:7.2.4-alpine', 6379, {
        clusterIP: '10.96.77.12',
      });
      const policy = cluster.planned(
        networkPolicy('deployer/deployer-redis', {
          ingress: [
            {
              from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'argocd-server' } } }],
              ports: [{ protocol: 'TCP', port: 6379 }],
            },
          ],
        }),
      );
      cluster.at(after(0), () => policy.create());
      const values = { REDIS_SERVER: 'deployer-redis.deployer.svc.cluster.local:6379' };
      const places = {
        'deployer/api': {
          does: unready([
            'time="2026-11-23T09:14:24Z" level=warning msg="Reconnect to redis because error: \\"dial tcp 10.96.77.12:6379: i/o timeout\\""',
            'time="2026-11-23T09:14:24Z" level=warning msg="Failed to resync revoked tokens. retrying again in 1 minute: dial tcp 10.96.77.12:6379: i/o timeout"',
          ]),
          values,
        },
        'deployer/controller': {
          does: ends(
            [
              'time="2026-11-23T09:14:41Z" level=fatal msg="failed to get app cache: dial tcp 10.96.77.12:6379: i/o timeout"',
            ],
            20,
            12,
          ),
          values,
        },
        'deployer/manifests': {
          does: unready([
            'time="2026-11-23T09:14:50Z" level=error msg="cache: dial tcp 10.96.77.12:6379: i/o timeout"',
          ]),
          values,
        },
      };
      const innocents = clients(cluster, 8, places);
      cluster.at(after(660), () => policy.delete());
      recover(cluster, 668, ...Object.keys(places));
      cluster.expectIncident({
        root: 'NetworkPolicy/deployer/deployer-redis',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/deployer/deployer-redis', 'Service/deployer/deployer-redis'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/rancher/rke2/issues/5492: the chart was installed anew, and every kubelet still names the address of before.
  'names-are-served-at-another-address': reported(
    'The chart of the cluster DNS is installed anew and gets another address; all Pods ask the address of before',
    (cluster) => {
      cluster.deployment('kube-system/coredns', dns.workload);
      const old = cluster.object(dnsAt('10.96.0.10'));
      cluster.at(after(0), () => old.delete());
      cluster.at(after(3), () => cluster.object(dnsAt('10.96.0.53')));
      const places = {
        'courier/routes': {
          does: unready([
            'level=error msg="health: database" error="dial tcp: lookup pg.courier.svc.cluster.local on 10.96.0.10:53: read udp 10.244.1.8:38201->10.96.0.10:53: i/o timeout"',
          ]),
        },
        'courier/labels': { does: ends(['Error: getaddrinfo EAI_AGAIN pg.courier.svc.cluster.local']) },
        'office/calendar': {
          does: ends([
            "psycopg.OperationalError: failed to resolve host 'pg.office.svc.cluster.local': [Errno -3] Temporary failure in name resolution",
          ]),
        },
      };
      const innocents = clients(cluster, 12, places);
      cluster.expectIncident({
        root: 'Service/kube-system/kube-dns',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/kube-system/coredns'],
      });
    },
    { dnsService: 'none' },
  ),
};

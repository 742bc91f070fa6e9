import { dnsAt, innocentRelease, onlyOn, pinned } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, recover, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Machines, their kubelets, their network and the names of the cluster. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/kubernetes/issues/96256, https://github.com/kubernetes/kubernetes/issues/65991: not rotated for a year.
  'certificate-of-a-kubelet-ran-out': reported(
    'The client certificate of a kubelet has run out and was never rotated; the machine says nothing any more, and two workloads are moved from it',
    (cluster, firm) => {
      const places = ['bakery/orders', 'bakery/shop'];
      for (const place of places) {
        cluster.deployment(place, { replicas: 4, image: imageOf(place) });
        cluster.service(place);
      }
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => cluster.node('n2').losePower());
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 500,
        mustNotBlame: [
          'Deployment/bakery/orders',
          'Deployment/bakery/shop',
          'Deployment/logistics/tracking',
          'Node//n1',
        ],
      });
    },
  ),

  // https://github.com/canonical/microk8s/issues/4888: there are bytes left, and no inodes in the memory file system of the runtime.
  'runtime-of-a-machine-has-no-inodes-left': reported(
    'The file system that a runtime keeps its Pods in has no inodes left on one machine; what is placed there gets no sandbox',
    (cluster) => {
      const places = ['fleet/positions', 'fleet/alerts'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));
      cluster.at(after(0), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(
            imageOf(place),
            onlyOn('n3', {
              heldUp: {
                reason: 'FailedCreatePodSandBox',
                message:
                  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create sandbox root directory "/run/containerd/io.containerd.grpc.v1.cri/sandboxes/6d242fc116f6e483407a9b492f2d431b2faa6cd398cf7aee21ad5f654ef86c5d": mkdir /run/containerd/io.containerd.grpc.v1.cri/sandboxes/6d242fc116f6e483407a9b492f2d431b2faa6cd398cf7aee21ad5f654ef86c5d: no space left on device',
              },
            }),
          );
          handles[index]?.scale(9);
        }
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/fleet/positions', 'Deployment/fleet/alerts', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/aws/amazon-vpc-cni-k8s/issues/201, https://github.com/aws/amazon-vpc-cni-k8s/issues/547: the whole subnet is too small.
  'subnet-of-the-machines-has-no-addresses-left': reported(
    'Two teams scale up for a campaign, and the subnet of all machines has no address left; none of their new Pods gets a network',
    (cluster, firm) => {
      cluster.daemonSet('kube-system/aws-node', {
        ...{ image: '602401143452.dkr.ecr.eu-west-1.amazonaws.com/amazon-k8s-cni:v1.18.3', probe: false },
      });
      const places = ['campaign/landing', 'vouchers/redeem'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      innocentRelease(cluster, after(-45), firm);
      cluster.at(after(0), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message:
                'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "2585244756197a04982514cc97947f5b7f702492df9776871fa3d7d3b3cba718": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container',
            },
          });
          handles[index]?.scale(6);
        }
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/aws-node',
        accepts: ['Node//n1', 'Node//n2', 'Node//n3', 'Cluster//nodes'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/campaign/landing', 'Deployment/vouchers/redeem', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://medium.com/preply-engineering/dns-postmortem-e169efd45afd: 26 minutes; here sixteen.
  'names-are-asked-of-pods-that-are-gone': reported(
    'The DNS Pods are moved, and an old row in a table of connections sends questions to Pods that are gone: three services resolve nothing',
    (cluster) => {
      cluster.daemonSet('kube-system/kube-proxy', { image: 'registry.k8s.io/kube-proxy:v1.18.2', probe: false });
      cluster.at(after(0), () => cluster.evict('kube-system', 'coredns'));
      const lost = 'on 100.64.0.10:53: read udp 100.110.2.7:44120->100.64.0.10:53: i/o timeout';
      const places = {
        'events/ingest': {
          does: unready([
            `level=error msg="cannot write" error="dial tcp: lookup queue.events.svc.cluster.local ${lost}"`,
          ]),
        },
        'events/enrich': { does: ends([`panic: dial tcp: lookup profiles.people.svc.cluster.local ${lost}`]) },
        'lessons/calendar': {
          does: unready([
            'Error: getaddrinfo EAI_AGAIN api.lessons.svc.cluster.local',
            '    at GetAddrInfoReqWrap.onlookup [as oncomplete] (dns.js:66:26)',
          ]),
        },
      };
      const innocents = clients(cluster, 15, places);
      recover(cluster, 960, ...Object.keys(places));
      cluster.expectIncident({
        root: 'Service/kube-system/kube-dns',
        accepts: ['DaemonSet/kube-system/kube-proxy', 'Deployment/kube-system/coredns'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
    { minutes: 28, dnsService: dnsAt('100.64.0.10') },
  ),

  // https://status.rebelmouse.com/incidents/w170d4lz2bhl: the Pod that is left cannot answer all.
  'half-of-dns-cannot-answer-all': reported(
    'A machine is replaced for its patches, a DNS Pod with it, and those that are left are too slow: four workloads time out; over after eight minutes',
    (cluster, firm) => {
      innocentRelease(cluster, after(-80), firm);
      cluster.at(after(0), () => cluster.node('n1').drain());
      cluster.at(after(25), () =>
        cluster.befall('registry.example/coredns:1.12', {
          readyAfterSeconds: 'never',
          readinessSays:
            'Get "http://10.244.2.3:8181/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          log: [
            '[ERROR] plugin/errors: 2 images.pages.svc.cluster.local. A: read udp 10.244.2.3:39004->10.0.0.2:53: i/o timeout',
          ],
        }),
      );
      const slow = 'Temporary failure in name resolution';
      const places = {
        'pages/render': { does: unready([`socket.gaierror: [Errno -3] ${slow}: images.pages.svc.cluster.local`]) },
        'pages/images': {
          does: unready([`php_network_getaddresses: getaddrinfo for storage.pages.svc.cluster.local failed: ${slow}`]),
        },
        'pages/search': { does: ends([`java.net.UnknownHostException: index.pages.svc.cluster.local: ${slow}`]) },
        'ads/bidder': { does: unready([`curl: (6) Could not resolve host: prices.ads.svc.cluster.local (${slow})`]) },
      };
      const innocents = clients(cluster, 30, places);
      cluster.at(after(500), () => {
        cluster.befall('registry.example/coredns:1.12', {});
        cluster.node('n1').uncordon();
      });
      recover(cluster, 508, ...Object.keys(places));
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        accepts: ['Service/kube-system/kube-dns'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Node//n1', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 22 },
  ),

  // https://abdennoor.medium.com/public-post-mortem-kubernetes-incident-63e3bca1d250: a second network on a cluster that runs.
  'second-network-is-put-over-the-first': reported(
    'Somebody installs Calico over the network that a cluster has; its agents do not come up, and no new Pod gets a sandbox',
    (cluster) => {
      const image = 'docker.io/calico/node:v3.17.1';
      cluster.image(
        image,
        unready(
          [
            '2026-11-23 09:12:31.881 [ERROR][8] startup/startup.go 149: failed to query kubeadm\'s config map error=configmaps "kubeadm-config" is forbidden: User "system:serviceaccount:kube-system:calico-node" cannot get resource "configmaps" in API group "" in the namespace "kube-system"',
            '2026-11-23 09:12:33.004 [FATAL][8] startup/startup.go 1029: Unable to autodetect an IPv4 address using interface regexes',
          ],
          'calico/node is not ready: felix is not ready: Get "http://localhost:9099/readiness": dial tcp 127.0.0.1:9099: connect: connection refused',
        ),
      );
      const places = ['ingress/ingress-controller', 'members/portal'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));
      cluster.at(after(0), () => cluster.daemonSet('kube-system/calico-node', { image }));
      cluster.at(after(40), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message:
                'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to set up sandbox container "9234234234de67e8234cdc5c23423dce7e20842b8334208a6bff3a8" network for pod "portal-5659dd6f47-92rj7": networkPlugin cni failed to set up pod "portal-5659dd6f47-92rj7_members" network: stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/',
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-node',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/ingress/ingress-controller', 'Deployment/members/portal', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/k3s-io/k3s/issues/10010, https://github.com/k3s-io/k3s/issues/10882: the proxy restores no rules on that kernel.
  'rules-of-services-are-not-restored-after-an-update': reported(
    'A machine comes back from an update without a module of its kernel; the addresses of Services are dead there, that of the API first',
    (cluster) => {
      const places = {
        'kube-system/local-path-provisioner':
          'time="2026-11-23T09:34:04Z" level=fatal msg="Error starting daemon: Cannot start Provisioner: failed to get Kubernetes server version: Get \\"https://10.43.0.1:443/version?timeout=32s\\": dial tcp 10.43.0.1:443: i/o timeout"',
        'kube-system/metrics-server':
          'panic: unable to load configmap based request-header-client-ca-file: Get "https://10.43.0.1:443/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication": dial tcp 10.43.0.1:443: i/o timeout',
        'garden/pumps': 'Error: connect ETIMEDOUT 10.43.18.7:5432',
      };
      for (const place of Object.keys(places))
        cluster.deployment(place, { image: imageOf(place), probe: false, pod: pinned('n3') });
      cluster.at(after(0), () => cluster.node('n3').reboot('60s'));
      cluster.at(after(65), () => {
        for (const [place, line] of Object.entries(places))
          cluster.befall(imageOf(place), onlyOn('n3', ends([line], 1, 32)));
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: Object.keys(places).map((place) => `Deployment/${place}` as `Deployment/${string}/${string}`),
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/94829, https://github.com/kubernetes/kubernetes/issues/97362: threads of the runtime hang on a dead share.
  'machines-hang-on-a-file-server-that-is-off': reported(
    'A file server in the cluster is switched off; what is begun anew cannot mount its folder, on every machine',
    (cluster, firm) => {
      const server = cluster.deployment('files/nfs-server', { image: 'docker.io/itsthenetwork/nfs-server-alpine:12' });
      cluster.service('files/nfs-server', {
        clusterIP: '10.96.20.49',
        ports: [{ name: 'nfs', port: 2049, targetPort: 2049, protocol: 'TCP' }],
      });
      const places = ['files/thumbnails', 'files/exports'];
      const pod = { volumes: [{ name: 'share', nfs: { server: '10.96.20.49', path: '/' } }] };
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place), pod }));
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => server.scale(0));
      cluster.at(after(50), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message:
                'MountVolume.SetUp failed for volume "share" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs 10.96.20.49:/ /var/lib/kubelet/pods/0f2c9a51-4f0c-4f0e-9a20-4d6ed1ff0aa1/volumes/kubernetes.io~nfs/share\nOutput: mount.nfs: Connection refused',
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'Deployment/files/nfs-server',
        accepts: ['Service/files/nfs-server'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/files/thumbnails', 'Deployment/files/exports', 'Deployment/logistics/tracking'],
      });
    },
  ),
};

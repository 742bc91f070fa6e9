import { dnsAt, imageAt, innocentRelease, onlyOn } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, killed, recover, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Machines, their systems and their network. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/k8snetworkplumbingwg/multus-cni/issues/1283, https://github.com/k8snetworkplumbingwg/multus-cni/issues/1361
  'second-network-is-lost-at-a-restart': reported(
    'After a restart of its machine Multus has no credentials there; no Pod that is placed there gets a network',
    (cluster, firm) => {
      cluster.daemonSet('kube-system/kube-multus-ds', {
        ...{ image: 'ghcr.io/k8snetworkplumbingwg/multus-cni:v4.1.0-thick', probe: false },
      });
      const places = ['telco/session-control', 'telco/user-plane'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => cluster.node('n2').drain());
      cluster.at(after(20), () => cluster.node('n2').reboot('70s'));
      cluster.at(after(140), () => {
        for (const place of places)
          cluster.image(
            imageOf(place),
            onlyOn('n2', {
              heldUp: {
                reason: 'FailedCreatePodSandBox',
                message:
                  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "2abdfc9c59747f33d233f9e46e5c7423f4cf4973f295198e67de801199ebc528": plugin type="multus-shim" name="multus-cni-network" failed (add): CmdAdd (shim): CNI request failed with status 400: \'ERRORED: error configuring pod networking: Multus: error getting pod: Unauthorized\'',
              },
            }),
          );
        cluster.node('n2').uncordon();
      });
      cluster.at(after(160), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'Node//n2',
        accepts: ['DaemonSet/kube-system/kube-multus-ds'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Deployment/telco/session-control', 'Deployment/telco/user-plane', 'Node//n1', 'Node//n3'],
      });
    },
  ),

  // https://github.com/projectcalico/calico/issues/8606, https://github.com/projectcalico/calico/issues/4698: names do not resolve there.
  'routes-of-one-machine-are-not-announced': reported(
    'The routing daemon of Calico is gone on one machine; what runs there reaches nobody else, its names neither',
    (cluster) => {
      const image = 'docker.io/calico/node:v3.27.3';
      cluster.daemonSet('calico-system/calico-node', { image });
      const places = ['stay/search', 'stay/prices'];
      for (const place of places) {
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
      }
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          onlyOn(
            'n3',
            unready(
              [
                'bird: Mesh_172_16_0_4: State changed to start',
                '2026-11-23 09:28:51.402 [ERROR][93] confd/resource.go 302: Error from reloadcmd: "sv: warning: bird: unable to open supervise/ok: file does not exist"',
              ],
              'calico/node is not ready: BIRD is not ready: Error querying BIRD: unable to connect to BIRDv4 socket: dial unix /var/run/calico/bird.ctl: connect: connection refused',
            ),
          ),
        ),
      );
      cluster.at(after(20), () => {
        cluster.befall(
          imageOf('stay/search'),
          onlyOn(
            'n3',
            unready([
              'level=error msg="readiness: catalogue" error="dial tcp: lookup prices.stay.svc.cluster.local on 10.96.0.10:53: read udp 10.244.3.19:44120->10.96.0.10:53: i/o timeout"',
            ]),
          ),
        );
        cluster.befall(
          imageOf('stay/prices'),
          onlyOn(
            'n3',
            ends([
              "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='rates.stay.example', port=443): Max retries exceeded (Caused by ConnectTimeoutError: Connection to rates.stay.example timed out)",
            ]),
          ),
        );
      });
      cluster.expectIncident({
        root: 'DaemonSet/calico-system/calico-node',
        accepts: ['Node//n3'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/stay/search', 'Deployment/stay/prices', 'Node//n1', 'Node//n2'],
      });
    },
    { dnsService: dnsAt('10.96.0.10') },
  ),

  // https://github.com/kubernetes/kops/issues/4533, https://github.com/e2b-dev/infra/pull/3508: 1,024 neighbours are all it knows.
  'machine-knows-too-many-neighbours': reported(
    'The table of neighbours of one machine is full: two workloads cannot send anything from there, and elsewhere they can',
    (cluster, firm) => {
      const places = ['press/feeds', 'press/alerts'];
      for (const place of places) cluster.deployment(place, { replicas: 4, image: imageOf(place) });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => {
        cluster.befall(
          imageOf('press/feeds'),
          onlyOn(
            'n1',
            unready([
              'level=error msg="fetch failed" err="dial udp 10.96.0.10:53: connect: no buffer space available"',
              'level=error msg="fetch failed" err="write tcp 10.244.1.40:51622->10.244.3.11:8080: write: no buffer space available"',
            ]),
          ),
        );
        cluster.befall(
          imageOf('press/alerts'),
          onlyOn(
            'n1',
            ends([
              'Traceback (most recent call last):',
              '  File "/app/push.py", line 88, in connect',
              'OSError: [Errno 105] No buffer space available',
            ]),
          ),
        );
      });
      cluster.expectIncident({
        root: 'Node//n1',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Deployment/press/feeds', 'Deployment/press/alerts', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/bitnami/containers/issues/24449, https://github.com/Azure/AKS/issues/3443: control groups of version 2.
  'new-system-hides-the-limit-from-an-old-runtime': reported(
    'The machines are replaced by ones of a newer system, on which an old Java runtime does not see the limit of its container',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const image = 'docker.io/bitnamilegacy/spring-cloud-dataflow:2.10.0-debian-11-r14';
      cluster.deployment('flows/dataflow-server', { replicas: 2, image, memory: '1Gi' });
      cluster.service('flows/dataflow-server');
      cluster.deployment('flows/ui', { replicas: 2, image: imageAt('ui', 5), memory: '256Mi' });
      cluster.at('120s', () => {
        cluster.addNode({ name: 'm1' });
        cluster.addNode({ name: 'm2' });
        const kill = killed(
          [
            'INFO  o.s.c.d.s.single.DataFlowServerApplication : Starting DataFlowServerApplication using Java 1.8.0_352',
            'INFO  o.s.b.w.e.tomcat.TomcatWebServer : Tomcat initialized with port(s): 8080 (http)',
          ],
          25,
        );
        cluster.image(image, (pod) =>
          String(pod.spec.nodeName).startsWith('m') && typeof kill !== 'function' ? kill : {},
        );
      });
      cluster.at(after(0), () => cluster.node('n1').drain());
      cluster.at(after(90), () => cluster.node('n1').remove());
      cluster.at(after(120), () => cluster.node('n2').drain());
      cluster.at(after(210), () => cluster.node('n2').remove());
      cluster.expectIncident({
        root: 'Deployment/flows/dataflow-server',
        accepts: ['Node//m1', 'Node//m2'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/flows/ui', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://www.reddit.com/r/RedditEng/comments/11xx5o0/you_broke_reddit_the_piday_outage/: the label went with Kubernetes 1.24.
  'route-reflectors-look-for-a-label-of-the-past': reported(
    'An upgrade takes an old label from the machine of the control plane; the route reflectors that select it are gone, and with them the network',
    (cluster) => {
      const label = 'node-role.kubernetes.io/master';
      cluster.nodes([{ name: 'cp1', labels: { [label]: '' } }, 'n1', 'n2']);
      cluster.daemonSet('kube-system/calico-route-reflector', {
        ...{ image: 'docker.io/calico/node:v3.22.5', probe: false, nodeSelector: { [label]: '' } },
      });
      const controlPlane = cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'cp1' } });
      const upgrade = (seconds: number, value: '' | null): void => {
        cluster.at(after(seconds - 4), () => cluster.node('cp1').cordon());
        cluster.at(after(seconds), () => controlPlane.patch({ metadata: { labels: { [label]: value } } }));
        cluster.at(after(seconds + 3), () => cluster.node('cp1').uncordon());
      };
      upgrade(0, null);
      upgrade(890, '');
      const lost = 'i/o timeout';
      const places = {
        'forum/feed': {
          does: unready([
            `level=error msg="memcached" error="dial tcp: lookup cache.forum.svc.cluster.local on 10.96.0.10:53: read udp 10.244.2.4:50991->10.96.0.10:53: ${lost}"`,
          ]),
        },
        'forum/votes': {
          does: ends([
            `panic: dial tcp: lookup queue.forum.svc.cluster.local on 10.96.0.10:53: read udp 10.244.2.7:39114->10.96.0.10:53: ${lost}`,
          ]),
        },
        'chat/gateway': { does: unready(['Error: getaddrinfo EAI_AGAIN sessions.chat.svc.cluster.local']) },
      };
      const innocents = clients(cluster, 20, places);
      recover(cluster, 900, ...Object.keys(places));
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-route-reflector',
        accepts: ['Node//cp1'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/kube-system/coredns', 'Service/kube-system/kube-dns'],
      });
    },
    { minutes: 25, dnsService: dnsAt('10.96.0.10') },
  ),
};

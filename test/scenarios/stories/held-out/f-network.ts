import { innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { at } from '../../kit/field.ts';
import { after, clients, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

/** The network of all: its plug-ins, its names, its policies. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/projectcalico/calico/pull/12872, https://github.com/rancher/rke2/issues/7981
  'upgrade-of-the-network-leaves-the-small-plug-ins-out': reported(
    'An upgrade of Calico brings an image without the small plug-ins that it used to put on each machine: no new Pod gets a network anywhere; taken back after a quarter of an hour',
    (cluster) => {
      const repository = 'docker.io/calico/node';
      const calico = cluster.daemonSet('calico-system/calico-node', { image: `${repository}:v3.30.2`, probe: false });
      const places = ['museum/tickets', 'museum/audio', 'museum/shop'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.at(after(0), () => calico.setImage(`${repository}:v3.32.0`));
      cluster.at(after(60), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message:
                'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "e9ba9aaa20c718f83f414472baaaefcc33413fd19b3e4968683e0251042cfae0": plugin type="loopback" failed (add): failed to find plugin "loopback" in path [/opt/cni/bin]',
            },
          });
        for (const handle of handles) handle.scale(4);
      });
      cluster.at(after(900), () => calico.setImage(`${repository}:v3.30.2`));
      cluster.at(after(960), () => {
        for (const place of places) cluster.befall(imageOf(place), {});
      });
      cluster.expectIncident({
        root: 'DaemonSet/calico-system/calico-node',
        messages: { resolve: 1, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [...places.map((place) => at(place)), 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/easzlab/kubeasz/issues/1010: the file of the machine that it forwards to is empty.
  'names-have-no-server-above': reported(
    'The last of the older machines is drained onto one whose resolver file is empty: the names of the cluster have nobody above them and end',
    (cluster) => {
      cluster.nodes(['n1']);
      const image = 'registry.example/coredns:1.12';
      cluster.at('120s', () => {
        cluster.image(image, ({ spec }) =>
          spec.nodeName === 'm1'
            ? ends(['plugin/forward: no nameservers found', 'Error during parsing: /etc/coredns/Corefile:12'], 1, 1)
            : {},
        );
        cluster.addNode({ name: 'm1' });
      });
      cluster.at(after(0), () => cluster.node('n1').drain());
      const innocents = clients(cluster, 25, {
        'tram/arrivals': {
          does: unready(['Error: getaddrinfo EAI_AGAIN positions.tram.svc.cluster.local']),
        },
        'tram/positions': {
          does: ends([
            'panic: dial tcp: lookup stream.tram.svc.cluster.local on 10.96.0.10:53: read udp 10.244.2.7:51120->10.96.0.10:53: read: connection refused',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        accepts: ['Node//m1', 'Service/kube-system/kube-dns'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Node//n1'],
      });
    },
  ),

  // https://github.com/kubeovn/kube-ovn/issues/218: what it asks for addresses hangs.
  'controller-of-the-network-hangs': reported(
    'The controller of a Kube-OVN loses its database and answers no more; three workloads that grow get no addresses, and what runs runs on',
    (cluster, firm) => {
      const image = 'docker.io/kubeovn/kube-ovn:v1.11.3';
      cluster.deployment('kube-system/kube-ovn-controller', { image });
      cluster.daemonSet('kube-system/kube-ovn-cni', { image: 'docker.io/kubeovn/kube-ovn-cni:v1.11.3', probe: false });
      const places = ['lottery/draws', 'lottery/tickets', 'lottery/wins'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      innocentRelease(cluster, after(-10), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          unready([
            'E1123 09:22:03.638029       6 ovn-nbctl-legacy.go:42] ovn-nbctl command error: ovn-nbctl --timeout=60 --no-wait lsp-list ovn-default in 60001ms, signal: alarm clock',
            'E1123 09:23:04.702011       6 pod.go:512] failed to list logical switch ports, timed out waiting for ovn-nb',
          ]),
        ),
      );
      cluster.at(after(30), () => {
        for (const [index, place] of places.entries()) {
          const name = place.replace('/', '-');
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message: `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "52ffb35b343b88eb33ddb8a7641e662906eaf0c22df9d3994f4b349a12123${index}": plugin type="kube-ovn" failed (add): RPC failed; request ip return 500 no available ip for pod ${name}`,
            },
          });
        }
        for (const handle of handles) handle.scale(5);
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/kube-ovn-controller',
        accepts: ['DaemonSet/kube-system/kube-ovn-cni'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [...places.map((place) => at(place)), 'Node//n1', 'Node//n2', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/prometheus-operator/prometheus-operator/issues/3930, https://github.com/berops/claudie/issues/1013
  'those-who-watch-may-not-ask-the-api': reported(
    'Policies come to the namespace of the monitoring and forget the API server; two of its parts are moved and end for it, and a third cannot refresh; deleted after a while',
    (cluster, firm) => {
      const places = {
        'watch/prometheus-operator': {
          does: ends(
            [
              'level=info ts=2026-11-23T09:33:45.468477134Z caller=server.go:54 msg="enabling server side TLS"',
              'ts=2026-11-23T09:34:15.469300614Z caller=main.go:422 msg="Unhandled error received. Exiting..." err="communicating with server failed: Get \\"https://172.20.0.1:443/version?timeout=32s\\": dial tcp 172.20.0.1:443: i/o timeout"',
            ],
            1,
            31,
          ),
        },
        'watch/state-metrics': {
          does: ends(
            [
              'I1123 09:36:08.450600       1 main.go:184] Testing communication with server',
              'F1123 09:36:38.451180       1 main.go:147] Failed to create client: error while trying to communicate with apiserver: Get https://172.20.0.1:443/version?timeout=32s: dial tcp 172.20.0.1:443: i/o timeout',
            ],
            255,
            31,
          ),
        },
        'watch/grafana-reloader': {
          does: unready([
            "urllib3.exceptions.MaxRetryError: HTTPSConnectionPool(host='172.20.0.1', port=443): Max retries exceeded with url: /api/v1/configmaps (Caused by ConnectTimeoutError: timed out. (connect timeout=None))",
          ]),
        },
      };
      innocentRelease(cluster, after(-45), firm);
      const toNames = { to: [{ namespaceSelector: {} }], ports: [{ protocol: 'UDP', port: 53 }] };
      const policy = cluster.planned(
        networkPolicy('watch/egress-allow-pods', {
          ...{ podSelector: {}, policyTypes: ['Egress'] },
          egress: [toNames, { to: [{ podSelector: {} }] }],
        }),
      );
      cluster.at(after(0), () => policy.create());
      const innocents = clients(cluster, 5, places);
      cluster.at(after(840), () => policy.delete());
      cluster.at(after(850), () => {
        for (const place of Object.keys(places)) cluster.befall(imageOf(place), {});
      });
      cluster.expectIncident({
        root: 'NetworkPolicy/watch/egress-allow-pods',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 26 },
  ),
};

import { dnsAt, innocentRelease, onlyOn, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What the kubelet says while it gets no network for a Pod. */
const noNetwork = (why: string) => ({
  heldUp: {
    reason: 'FailedCreatePodSandBox' as const,
    message: `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "05b491017680fa5f791c634b3417e21a4edb4a3c2b615d430ecd4e56ef0035dc": ${why}`,
  },
});

/** The network between Pods, their names, and the meshes above it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/kubernetes/issues/141943, https://github.com/kubernetes-sigs/kind/issues/2240: machines that are containers.
  'proxy-may-not-set-the-size-of-the-table': reported(
    'kube-proxy is updated on machines that are containers themselves, and may not set the size of the table of connections any more',
    (cluster) => {
      const repository = 'registry.k8s.io/kube-proxy';
      const proxy = cluster.daemonSet('kube-system/kube-proxy', { image: `${repository}:v1.35.8`, probe: false });
      cluster.deployment('lab/notebooks', { replicas: 3, image: imageOf('lab/notebooks') });
      cluster.image(
        `${repository}:v1.36.4`,
        ends(
          [
            'I1123 09:18:22.424330       1 sysctls.go:147] "Setting nf_conntrack_max" nfConntrackMax=1048576',
            'I1123 09:18:22.447366       1 sysctls.go:191] "Set sysctl" entry="net/netfilter/nf_conntrack_max" value=1048576',
            'E1123 09:18:22.447425       1 server.go:136] "Error running ProxyServer" err="could not set conntrack parameters from kube-proxy configuration: open /proc/sys/net/netfilter/nf_conntrack_max: permission denied"',
            'E1123 09:18:22.447440       1 run.go:72] "command failed" err="could not set conntrack parameters from kube-proxy configuration: open /proc/sys/net/netfilter/nf_conntrack_max: permission denied"',
          ],
          1,
          2,
        ),
      );
      cluster.at(after(0), () => proxy.setImage(`${repository}:v1.36.4`));
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/kube-proxy',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/lab/notebooks', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/antrea-io/antrea/issues/832, https://github.com/antrea-io/antrea/issues/3284
  'virtual-switch-is-missing-in-the-new-kernel': reported(
    'A machine comes back with a kernel without the module of Open vSwitch; the agent of Antrea crashes there, and new Pods get no network',
    (cluster, firm) => {
      const image = 'docker.io/antrea/antrea-agent-ubuntu:v2.1.0';
      cluster.daemonSet('kube-system/antrea-agent', { image, probe: false });
      const places = ['tours/guides', 'tours/tickets'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));
      innocentRelease(cluster, after(-45), firm);
      cluster.at(after(0), () => cluster.node('n3').drain());
      cluster.at(after(20), () => {
        cluster.node('n3').reboot('75s');
        cluster.befall(
          image,
          onlyOn(
            'n3',
            ends(
              [
                '[2026-11-23T09:20:11Z INFO antrea-ovs]: Starting ovsdb-server',
                'modprobe: FATAL: Module openvswitch not found in directory /lib/modules/6.8.0-48-generic',
                'E1123 09:20:41.118201       1 ovs_client.go:78] Not connected yet, will try again in 8s',
                'F1123 09:20:49.224571       1 main.go:54] Error running agent: error connecting OVSDB: failed to connect to unix:/var/run/openvswitch/db.sock: endpoint is not serving Open_vSwitch',
              ],
              1,
              12,
            ),
          ),
        );
        for (const place of places)
          cluster.image(
            imageOf(place),
            onlyOn(
              'n3',
              noNetwork(
                'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial unix /var/run/antrea/cni.sock: connect: no such file or directory"',
              ),
            ),
          );
      });
      cluster.at(after(140), () => cluster.node('n3').uncordon());
      cluster.at(after(160), () => {
        for (const handle of handles) handle.scale(7);
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/antrea-agent',
        accepts: ['Node//n3'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Deployment/tours/guides', 'Deployment/tours/tickets', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/weaveworks/weave/issues/3902, https://github.com/weaveworks/weave/issues/3908: the machines are turned off every night.
  'machine-has-seeded-its-addresses-alone': reported(
    'In the morning a machine comes up alone and seeds the addresses of Weave itself; its peers take no connection from it, and its Pods reach nobody',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const image = 'docker.io/weaveworks/weave-kube:2.8.1';
      cluster.daemonSet('kube-system/weave-net', { image });
      const places = ['school/timetable', 'school/marks'] as const;
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.at(after(0), () => {
        cluster.image(
          image,
          onlyOn(
            'n3',
            unready([
              'INFO: 2026/11/23 09:09:04.261622 ->[172.31.5.186:6783|a6:66:22:93:29:51(n1)]: connection shutting down due to error: IP allocation was seeded by different peers (received: [a6:66:22:93:29:51(n1)], ours: [8a:d2:32:87:dc:db(n3)])',
              'INFO: 2026/11/23 09:09:04.261801 ->[172.31.5.187:6783|22:67:0f:db:d8:a2(n2)]: connection shutting down due to error: IP allocation was seeded by different peers (received: [a6:66:22:93:29:51(n1)], ours: [8a:d2:32:87:dc:db(n3)])',
            ]),
          ),
        );
        cluster.image(
          imageOf('school/timetable'),
          onlyOn(
            'n3',
            unready([
              'level=error msg="ping database" err="dial tcp: lookup pg.school.svc.cluster.local on 10.96.0.10:53: read udp 10.32.0.4:41122->10.96.0.10:53: i/o timeout"',
            ]),
          ),
        );
        cluster.image(
          imageOf('school/marks'),
          onlyOn('n3', ends(['Error: getaddrinfo EAI_AGAIN pg.school.svc.cluster.local'], 1, 12)),
        );
        cluster.addNode({ name: 'n3' });
      });
      cluster.at(after(40), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/weave-net',
        accepts: ['Node//n3'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [
          'Deployment/school/timetable',
          'Deployment/school/marks',
          'Deployment/kube-system/coredns',
          'Node//n1',
          'Node//n2',
        ],
      });
    },
    { dnsService: dnsAt('10.96.0.10') },
  ),

  // https://github.com/istio/ztunnel/issues/1360, https://github.com/istio/istio/issues/58523: one part of the mesh before the other.
  'tunnels-of-the-mesh-do-not-get-ready': reported(
    'The tunnels of an ambient mesh are updated before what leads Pods to them; none gets ready, and the Pods of the mesh reach nobody',
    (cluster) => {
      const image = 'docker.io/istio/ztunnel:1.23.3-distroless';
      const tunnels = cluster.daemonSet('istio-system/ztunnel', {
        ...{ image, spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } } } },
      });
      cluster.daemonSet('istio-system/istio-cni-node', { image: 'docker.io/istio/install-cni:1.23.3-distroless' });
      const next = 'docker.io/istio/ztunnel:1.24.0-distroless';
      cluster.image(
        next,
        unready([
          '{"level":"warn","time":"2026-11-23T08:32:16.370762Z","scope":"hickory_proto::udp::udp_client_stream","message":"expected message id: 16243 got: 15069, dropped"}',
          '{"level":"warn","time":"2026-11-23T08:32:16.371049Z","scope":"hickory_proto::udp::udp_client_stream","message":"expected message id: 55666 got: 43184, dropped"}',
        ]),
      );
      cluster.at(after(0), () => tunnels.setImage(next));
      const innocents = clients(cluster, 25, {
        'kiosk/orders': {
          does: unready([
            'Error: dial tcp: lookup postgresql.kiosk.svc.cluster.local on 10.96.0.10:53: read udp 100.64.55.120:37072->10.96.0.10:53: read: connection refused',
          ]),
        },
        'kiosk/screens': {
          does: ends([
            'panic: dial tcp: lookup orders.kiosk.svc.cluster.local on 10.96.0.10:53: read udp 100.64.55.121:50122->10.96.0.10:53: read: connection refused',
          ]),
        },
        'staff/rota': {
          does: unready([
            "urllib3.exceptions.NameResolutionError: <urllib3.connection.HTTPSConnection object>: Failed to resolve 'calendar.staff.svc.cluster.local' ([Errno -3] Temporary failure in name resolution)",
          ]),
        },
      });
      cluster.expectIncident({
        root: 'DaemonSet/istio-system/ztunnel',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/kube-system/coredns', 'Service/kube-system/kube-dns'],
      });
    },
    { dnsService: dnsAt('10.96.0.10') },
  ),

  // https://github.com/linkerd/linkerd2/issues/11325, https://github.com/linkerd/linkerd2/pull/8459: the network was not led to the proxy.
  'traffic-is-not-led-to-the-proxy-on-a-new-machine': reported(
    'On a new machine the network plug-in of Linkerd is not installed; the Pods of the mesh that are placed there do not pass their first check',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const plugin = 'cr.l5d.io/linkerd/cni-plugin:v1.5.1';
      cluster.daemonSet('linkerd-cni/linkerd-cni', { image: plugin, probe: false });
      const check = 'cr.l5d.io/linkerd/proxy-init:edge-24.8.2';
      const places = ['clinic/visits', 'clinic/lab-results'];
      const handles = places.map((place) =>
        cluster.deployment(place, { replicas: 2, image: imageOf(place), init: check }),
      );
      cluster.at(after(0), () => {
        cluster.image(
          plugin,
          onlyOn(
            'n3',
            ends(
              [
                '[2026-11-23 09:14:03] Installed CNI binary linkerd-cni at /host/opt/cni/bin',
                "[2026-11-23 09:14:03] No active CNI configuration file found after 3 checks; cannot watch '/host/etc/cni/net.d'",
              ],
              1,
              5,
            ),
          ),
        );
        cluster.image(
          check,
          onlyOn('n3', {
            exit: { afterSeconds: 10, code: 95 },
            log: [
              '2026-11-23T09:14:46.686000Z  INFO linkerd_network_validator: Listening for connections on 0.0.0.0:4140',
              '2026-11-23T09:14:46.686037Z  INFO linkerd_network_validator: Connecting to 1.1.1.1:20001',
              '2026-11-23T09:14:56.586457Z ERROR linkerd_network_validator: Failed to validate networking configuration. Please ensure iptables rules are rewriting traffic as expected. timeout=10s',
            ],
          }),
        );
        cluster.addNode({ name: 'n3' });
      });
      cluster.at(after(35), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'DaemonSet/linkerd-cni/linkerd-cni',
        accepts: ['Node//n3'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/clinic/visits', 'Deployment/clinic/lab-results', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/kumahq/kuma/issues/2023, https://github.com/kumahq/kuma/issues/12174: its proxies begin with what it tells them.
  'control-plane-of-kuma-does-not-come-up': reported(
    'An upgrade of the control plane of Kuma panics over a plug-in that is gone; gateways and services that restart get no settings',
    (cluster, firm) => {
      const repository = 'docker.io/kumahq/kuma-cp';
      const plane = cluster.deployment('kuma-system/kuma-control-plane', {
        ...{ image: `${repository}:2.6.12`, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('kuma-system/kuma-control-plane', { ...port(5678, 'dp-server'), clusterIP: '10.96.61.7' });
      const egress = 'docker.io/kumahq/kuma-dp:2.6.12';
      const gateway = cluster.deployment('kuma-system/kuma-egress', {
        ...{
          replicas: 2,
          image: egress,
          values: { KUMA_CONTROL_PLANE_URL: 'https://kuma-control-plane.kuma-system:5678' },
        },
      });
      innocentRelease(cluster, after(-20), firm);
      cluster.image(
        `${repository}:2.9.1`,
        ends(
          [
            '2026-11-23T09:15:50.095Z\tINFO\tkuma-cp.run\tstarting Control Plane\t{"version": "2.9.1"}',
            "panic: Couldn't find plugin meshhttproute",
            'goroutine 1 [running]:',
            'github.com/kumahq/kuma/pkg/core/plugins.(*registry).PolicyPlugins(...)',
            '\tgithub.com/kumahq/kuma/pkg/core/plugins/registry.go:131',
          ],
          2,
          3,
        ),
      );
      cluster.at(after(0), () => plane.setImage(`${repository}:2.9.1`));
      cluster.at(after(40), () => {
        cluster.image(
          egress,
          ends(
            [
              '2026-11-23T09:16:18.011Z\tINFO\tdataplane\ttrying to fetch bootstrap configuration from the Control Plane',
              'Error: retryable: could not generate Envoy bootstrap configuration: request to bootstrap server failed: Post "https://kuma-control-plane.kuma-system:5678/bootstrap": dial tcp 10.96.61.7:5678: connect: connection refused',
            ],
            1,
            20,
          ),
        );
        gateway.restart();
      });
      const innocents = clients(cluster, 55, {
        'ferry/bookings': {
          does: unready([
            '2026-11-23T09:16:31.020Z\tINFO\tdataplane\tCould not fetch bootstrap configuration, make sure you are not trying to connect to global-cp. retrying (this could help only if you\'re connecting to zone-cp).\t{"backoff": "3s", "err": "request to bootstrap server failed: Post \\"https://kuma-control-plane.kuma-system:5678/bootstrap\\": dial tcp 10.96.61.7:5678: connect: connection refused"}',
          ]),
          values: { KUMA_CONTROL_PLANE_URL: 'https://kuma-control-plane.kuma-system:5678' },
        },
      });
      cluster.expectIncident({
        root: 'Deployment/kuma-system/kuma-control-plane',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...innocents,
          'Deployment/kuma-system/kuma-egress',
          'Service/kuma-system/kuma-control-plane',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),
};

import { imageAt, innocentRelease, onlyOn } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { at } from '../../kit/field.ts';
import { after, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Single machines: their drivers, their kernels, their addresses. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/pando85/homelab/pull/4110, https://github.com/NVIDIA/k8s-device-plugin/issues/1431: updated at night by itself.
  'driver-and-its-library-disagree': reported(
    'An unattended upgrade changes the library of the graphics driver of one machine below its loaded module: its plug-in and two workloads fail there',
    (cluster, firm) => {
      const plugin = 'nvcr.io/nvidia/k8s-device-plugin:v0.16.2';
      cluster.daemonSet('gpu/nvidia-device-plugin', { image: plugin });
      const places = ['vision/detector', 'vision/captions'];
      for (const place of places) cluster.deployment(place, { replicas: 3, image: imageOf(place) });
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          plugin,
          onlyOn(
            'n3',
            ends([
              'I1123 09:14:06.120211       1 main.go:317] Retrieving plugins.',
              'E1123 09:14:06.131077       1 main.go:132] error starting plugins: error creating plugin manager: unable to create plugin manager: nvml init failed: Driver/library version mismatch',
            ]),
          ),
        ),
      );
      cluster.at(after(15), () => {
        cluster.befall(
          imageOf('vision/detector'),
          onlyOn(
            'n3',
            ends([
              'RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 803: system has unsupported display driver / cuda driver combination',
            ]),
          ),
        );
        cluster.befall(
          imageOf('vision/captions'),
          onlyOn(
            'n3',
            unready(['Failed to initialize NVML: Driver/library version mismatch', 'NVML library version: 570.195']),
          ),
        );
      });
      cluster.expectIncident({
        root: 'Node//n3',
        accepts: ['DaemonSet/gpu/nvidia-device-plugin'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [...places.map((place) => at(place)), 'Node//n1', 'Node//n2', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/90197, https://github.com/kubernetes/kubernetes/issues/96701: an old kernel leaks them.
  'groups-of-the-kernel-are-used-up': reported(
    'One machine with an old kernel has leaked so many memory groups that it can make no more: no new Pod begins there, and what runs runs on',
    (cluster) => {
      const places = ['loans/scoring', 'loans/offers'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(
            imageOf(place),
            onlyOn('n2', {
              heldUp: {
                reason: 'FailedCreatePodSandBox',
                message:
                  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: unable to apply cgroup configuration: mkdir /sys/fs/cgroup/memory/kubepods/burstable/podf69e3e3e-261e-4d0c-bc9a-272504a8fa33: cannot allocate memory: unknown',
              },
            }),
          );
        for (const handle of handles) handle.scale(7);
      });
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [...places.map((place) => at(place)), 'Node//n1', 'Node//n3'],
      });
    },
  ),

  // https://github.com/k3s-io/k3s/issues/4682, https://github.com/kubernetes/kubernetes/issues/108121: each hard reset left some behind.
  'addresses-of-one-machine-are-leaked': reported(
    'A machine is reset once more, and the addresses of all Pods it ever had are still taken: hardly any of its Pods gets one; tidied after a quarter of an hour',
    (cluster, firm) => {
      const places = ['ferry/timetable', 'ferry/seats'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));
      innocentRelease(cluster, after(-80), firm);
      const leaked = {
        heldUp: {
          reason: 'FailedCreatePodSandBox',
          message:
            'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "d615cc04143d0a1e4be8aa76e4214bc7add843b4e6c4813d6dbfee223e1c29d6": plugin type="flannel" failed (add): failed to delegate add: failed to set bridge addr: failed to allocate for range 0: no IP addresses available in range set: 10.42.2.1-10.42.2.254',
        },
      } as const;
      cluster.at(after(0), () => cluster.node('n3').reboot('30s'));
      cluster.at(after(45), () => {
        for (const place of places) cluster.image(imageOf(place), onlyOn('n3', leaked));
        for (const handle of handles) handle.scale(8);
      });
      cluster.at(after(900), () => {
        for (const place of places) cluster.befall(imageOf(place), {});
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 1, update: '≤2' },
        firstMessageWithinSeconds: 450,
        mustNotBlame: [...places.map((place) => at(place)), 'Node//n1', 'Node//n2', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/bottlerocket-os/bottlerocket/issues/3711, https://github.com/kubernetes-sigs/kubespray/issues/4979
  'names-of-one-machine-are-asked-of-another-program': reported(
    'A machine with a newer system joins, on which something listens on port 53 already: its cache of names ends again and again, and what runs there finds nobody',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const cache = 'registry.k8s.io/dns/k8s-dns-node-cache:1.23.1';
      cluster.daemonSet('kube-system/node-local-dns', { image: cache });
      const places = ['rental/cars', 'rental/keys'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.at(after(0), () => {
        cluster.image(
          cache,
          onlyOn(
            'm1',
            ends([
              '2026/11/23 09:08:44 [INFO] Starting node-cache image: 1.23.1',
              '2026/11/23 09:08:44 [INFO] Using Corefile /etc/coredns/Corefile',
              'Listen: listen tcp 169.254.20.10:53: bind: address already in use',
            ]),
          ),
        );
        for (const [index, place] of places.entries())
          cluster.image(
            imageOf(place),
            onlyOn(
              'm1',
              index === 0
                ? unready([
                    'level=error msg="pricing" error="dial tcp: lookup prices.rental.svc.cluster.local on 169.254.20.10:53: read udp 169.254.20.10:40911->169.254.20.10:53: i/o timeout"',
                  ])
                : ends(['Error: getaddrinfo EAI_AGAIN vault.rental.svc.cluster.local']),
            ),
          );
        cluster.addNode({ name: 'm1' });
      });
      cluster.at(after(50), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/node-local-dns',
        accepts: ['Node//m1'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [...places.map((place) => at(place)), 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://www.datadoghq.com/blog/engineering/2023-03-08-deep-dive-into-platform-level-impact/
  'update-of-the-system-flushes-the-routes': reported(
    'An unattended update restarts the network daemon of one machine, which flushes the rules of Cilium: its Pods reach nobody and nobody reaches them, until it is restarted',
    (cluster, firm) => {
      cluster.daemonSet('kube-system/cilium', { image: 'quay.io/cilium/cilium:v1.12.7', probe: false });
      const places = ['metrics/intake', 'metrics/query', 'events/router'];
      for (const place of places) {
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
      }
      innocentRelease(cluster, after(-55), firm);
      const unreached =
        'Get "http://10.0.2.117:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.befall(
            imageOf(place),
            onlyOn(
              'n2',
              unready(
                [
                  'level=error msg="flush" error="dial tcp: lookup store.metrics.svc.cluster.local on 10.96.0.10:53: read udp 10.0.2.117:50422->10.96.0.10:53: i/o timeout"',
                ],
                unreached,
              ),
            ),
          );
      });
      cluster.at(after(840), () => {
        for (const place of places) cluster.image(imageOf(place), {});
        cluster.node('n2').reboot('50s');
      });
      cluster.at(after(900), () => {
        for (const place of places) cluster.befall(imageOf(place), {});
      });
      cluster.expectIncident({
        root: 'Node//n2',
        accepts: ['DaemonSet/kube-system/cilium'],
        messages: { resolve: 1, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [...places.map((place) => at(place)), 'Node//n1', 'Node//n3', 'Deployment/kube-system/coredns'],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/rancher/rke2/issues/8312, https://github.com/kubernetes/kubernetes/issues/88755
  'profile-is-on-the-older-machines-only': reported(
    'Two workloads run with a seccomp profile that was copied to the machines by hand, and a machine that joins does not have it',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const names = ['render', 'convert'];
      const pod = {
        securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/unshare.json' } },
      };
      const handles = names.map((name) =>
        cluster.deployment(`press/${name}`, { replicas: 2, image: imageAt(name, 7), pod }),
      );
      const message =
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to generate sandbox container spec options: failed to generate seccomp spec opts: cannot load seccomp profile "/var/lib/kubelet/seccomp/profiles/unshare.json": open /var/lib/kubelet/seccomp/profiles/unshare.json: no such file or directory';
      cluster.at(after(0), () => {
        for (const name of names)
          cluster.image(imageAt(name, 7), onlyOn('m1', { heldUp: { reason: 'FailedCreatePodSandBox', message } }));
        cluster.addNode({ name: 'm1' });
      });
      cluster.at(after(60), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'Node//m1',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 460,
        mustNotBlame: [...names.map((name) => `Deployment/press/${name}` as const), 'Node//n1', 'Node//n2'],
      });
    },
  ),
};

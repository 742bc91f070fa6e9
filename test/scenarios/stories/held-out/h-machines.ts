import { innocentRelease, onlyOn } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { ClusterBuilder, Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Deployments of three Pods each. */
const teams = (cluster: ClusterBuilder, ...places: readonly string[]) =>
  places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));

/** What the kubelet says while the runtime makes no sandbox. */
const noSandbox = (why: string) => ({
  heldUp: { reason: 'FailedCreatePodSandBox' as const, message: `Failed to create pod sandbox: ${why}` },
});

/** Machines, their systems, and what makes containers on them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/kubernetes/issues/74382, https://github.com/rootsongjc/kubernetes-handbook/issues/313: the kernel leaks them.
  'control-groups-of-one-machine-are-used-up': reported(
    'The kernel of one machine has leaked its memory control groups: no new container is made there, and what runs goes on',
    (cluster, firm) => {
      const places = ['menu/recipes', 'menu/prices'];
      const handles = teams(cluster, ...places);
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(
            imageOf(place),
            onlyOn(
              'n2',
              noSandbox(
                'rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: unable to apply cgroup configuration: mkdir /sys/fs/cgroup/memory/kubepods/burstable/podd1c5d1fd-35ee-11e9-928f-fa163ee640f0/d3c72950f35c9f94b00612c8ec05be9: cannot allocate memory: unknown',
              ),
            ),
          );
        for (const handle of handles) handle.scale(7);
      });
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [
          'Deployment/menu/recipes',
          'Deployment/menu/prices',
          'Deployment/logistics/tracking',
          'Node//n1',
          'Node//n3',
        ],
      });
    },
  ),

  // https://github.com/scylladb/scylladb/issues/19664, https://github.com/scylladb/scylladb/issues/15010: 65,536 by default.
  'new-machine-keeps-the-default-of-asynchronous-requests': reported(
    'A machine that replaces another has the default of asynchronous requests; the member of a ScyllaDB that moves there does not start',
    (cluster) => {
      const pool = { 'acme.example/pool': 'scylla' };
      cluster.nodes(['n1', { name: 'd1', labels: pool }, { name: 'd2', labels: pool }]);
      const image = 'docker.io/scylladb/scylla:6.0.1';
      server(cluster, 'bets/scylla', image, 9042, { replicas: 3, spec: disks(cluster), nodeSelector: pool });
      cluster.deployment('bets/odds', { replicas: 2, image: imageOf('bets/odds') });
      cluster.at(after(0), () => {
        cluster.image(image, ({ spec }) =>
          spec.nodeName === 'd3'
            ? {
                exit: { afterSeconds: 4, code: 1 },
                readyAfterSeconds: 'never',
                log: [
                  'Scylla version 6.0.1-0.20240612.bc89aac9d017 with build-id 4f2a4bda6b8ec2c2 starting ...',
                  'ERROR 2026-11-23 09:21:04,777 [shard 6] seastar - Could not setup Async I/O: Resource temporarily unavailable. The most common cause is not enough request capacity in /proc/sys/fs/aio-max-nr. Try increasing that number or reducing the amount of logical CPUs available for your application',
                ],
              }
            : {},
        );
        cluster.addNode({ name: 'd3', labels: pool });
      });
      cluster.at(after(30), () => cluster.node('d2').drain());
      cluster.at(after(150), () => cluster.node('d2').remove());
      cluster.expectIncident({
        root: 'Node//d3',
        accepts: ['StatefulSet/bets/scylla'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/bets/odds', 'Node//n1', 'Node//d1', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/rootless-containers/rootlesskit/pull/421, https://github.com/containerd/nerdctl/issues/2847: since Ubuntu 24.04.
  'builders-get-no-user-namespace-on-the-newer-system': reported(
    'A machine is replaced by one of a newer Ubuntu, which restricts user namespaces; two rootless builders crash there, elsewhere they run',
    (cluster) => {
      const builders = {
        'build/buildkitd': 'docker.io/moby/buildkit:v0.15.1-rootless',
        'build/dind': 'docker.io/library/docker:26.1-dind-rootless',
      };
      for (const [place, image] of Object.entries(builders)) cluster.deployment(place, { replicas: 4, image });
      cluster.at(after(0), () => {
        cluster.image(
          builders['build/buildkitd'],
          onlyOn(
            'm1',
            ends(
              [
                'time="2026-11-23T09:12:31Z" level=warning msg="[rootlesskit:parent] This error might have happened because /proc/sys/kernel/apparmor_restrict_unprivileged_userns is set to 1" error="fork/exec /proc/self/exe: permission denied"',
                '[rootlesskit:parent] error: failed to start the child: fork/exec /proc/self/exe: permission denied',
              ],
              1,
              2,
            ),
          ),
        );
        cluster.image(
          builders['build/dind'],
          onlyOn(
            'm1',
            ends(
              [
                '+ exec rootlesskit --state-dir=/run/user/1000/dockerd-rootless --net=vpnkit --mtu=1500 dockerd',
                '[rootlesskit:parent] error: failed to start the child: fork/exec /proc/self/exe: permission denied',
              ],
              1,
              2,
            ),
          ),
        );
        cluster.addNode({ name: 'm1' });
      });
      cluster.at(after(20), () => cluster.node('n1').drain());
      cluster.at(after(110), () => cluster.node('n1').remove());
      cluster.expectIncident({
        root: 'Node//m1',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/build/buildkitd', 'Deployment/build/dind', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/labring/sealos/issues/1620, https://github.com/kubernetes-sigs/kubespray/issues/11810: another system than the first.
  'new-machine-without-the-list-of-name-servers': reported(
    'A machine of another system joins, where the kubelet looks for a list of name servers that is not there; nothing gets a sandbox on it',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const places = ['harbour/berths', 'harbour/cranes'];
      const handles = teams(cluster, ...places);
      cluster.at(after(0), () => {
        for (const place of [...places, 'observability/agent'])
          cluster.image(
            place === 'observability/agent' ? 'registry.borealis.example/agent:1.31' : imageOf(place),
            onlyOn('n3', noSandbox('open /run/systemd/resolve/resolv.conf: no such file or directory')),
          );
        cluster.addNode({ name: 'n3' });
      });
      cluster.at(after(45), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [
          'Deployment/harbour/berths',
          'Deployment/harbour/cranes',
          'DaemonSet/observability/agent',
          'Node//n1',
          'Node//n2',
        ],
      });
    },
  ),

  // https://github.com/kata-containers/runtime/issues/1079, https://github.com/kata-containers/kata-containers/issues/3459
  'machine-loses-its-virtualisation': reported(
    'After an update of its firmware a machine offers no virtualisation any more; what runs in sandboxes of Kata gets none there',
    (cluster, firm) => {
      cluster.object({
        ...{ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'kata-qemu' } },
        handler: 'kata-qemu',
      });
      cluster.daemonSet('kube-system/kata-deploy', {
        image: 'quay.io/kata-containers/kata-deploy:3.10.1',
        probe: false,
      });
      const places = ['judge/compile', 'judge/execute'];
      const handles = places.map((place) =>
        cluster.deployment(place, { replicas: 3, image: imageOf(place), pod: { runtimeClassName: 'kata-qemu' } }),
      );
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => cluster.node('n1').drain());
      cluster.at(after(15), () => cluster.node('n1').reboot('80s'));
      cluster.at(after(130), () => {
        for (const place of places)
          cluster.image(
            imageOf(place),
            onlyOn(
              'n1',
              noSandbox(
                'rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: failed to launch qemu: exit status 1, error messages from qemu log: Could not access KVM kernel module: No such file or directory\nqemu-system-x86_64: failed to initialize kvm: No such file or directory\n: unknown',
              ),
            ),
          );
        cluster.node('n1').uncordon();
      });
      cluster.at(after(150), () => {
        for (const handle of handles) handle.scale(7);
      });
      cluster.expectIncident({
        root: 'Node//n1',
        accepts: ['RuntimeClass//kata-qemu', 'DaemonSet/kube-system/kata-deploy'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 500,
        mustNotBlame: ['Deployment/judge/compile', 'Deployment/judge/execute', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/NVIDIA/k8s-device-plugin/issues/1431, https://github.com/NVIDIA/nvidia-container-toolkit/issues/394: a reboot mends it.
  'driver-is-updated-below-a-running-machine': reported(
    'An unattended update replaces the libraries of the graphics driver on one machine while the old module is loaded; two services crash there',
    (cluster) => {
      const places = ['vision/detector', 'speech/whisper'] as const;
      teams(cluster, ...places);
      cluster.deployment('vision/gallery', { replicas: 2, image: imageOf('vision/gallery') });
      cluster.at(after(0), () =>
        cluster.befall(
          imageOf('vision/detector'),
          onlyOn(
            'n2',
            ends(
              [
                'Failed to initialize NVML: Driver/library version mismatch',
                'NVML library version: 570.195',
                'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has unsupported display driver / cuda driver combination',
              ],
              1,
              6,
            ),
          ),
        ),
      );
      cluster.at(after(70), () =>
        cluster.befall(
          imageOf('speech/whisper'),
          onlyOn(
            'n2',
            ends(
              [
                'pynvml.NVMLError_LibRmVersionMismatch: RM has detected an NVML/RM version mismatch.',
                'RuntimeError: CUDA failed with error system has unsupported display driver / cuda driver combination',
              ],
              1,
              9,
            ),
          ),
        ),
      );
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          'Deployment/vision/detector',
          'Deployment/speech/whisper',
          'Deployment/vision/gallery',
          'Node//n1',
          'Node//n3',
        ],
      });
    },
  ),
};

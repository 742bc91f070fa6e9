import { company, imageAt, innocentRelease, onlyOn, pinned, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What runs on every machine. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/open-telemetry/opentelemetry-collector-contrib: the Loki exporter was removed.
  'collector-without-an-exporter-it-is-told-to-use': scenario(
    'A release of the collector on every machine lacks an exporter that its file names',
    (cluster) => {
      const firm = company(cluster);
      const image = 'docker.io/otel/opentelemetry-collector-contrib';
      const collector = cluster.daemonSet('telemetry/collector', { image: `${image}:0.120.0`, probe: false });
      cluster.image(
        `${image}:0.131.0`,
        ends(
          [
            'Error: failed to get config: cannot unmarshal the configuration: decoding failed due to the following error(s):',
            '\'exporters\' unknown type: "loki" for id: "loki" (valid values: [debug otlp otlphttp file kafka])',
          ],
          1,
          1,
        ),
      );
      innocentRelease(cluster, '3s', firm);
      cluster.at('6s', () => collector.setImage(`${image}:0.131.0`));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'DaemonSet/telemetry/collector',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1'],
      });
    },
  ),

  // https://grafana.com/docs/loki/latest/operations/troubleshooting/: the shippers are unready as the store is gone.
  'shippers-of-all-machines-without-their-store': scenario(
    'The store of the logs crashes, and the shipper of every machine is unready for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const loki = 'docker.io/grafana/loki:3.5';
      cluster.deployment('logging/loki-write', { replicas: 2, image: loki });
      cluster.service('logging/loki-write', port(3100));
      const vector = 'docker.io/timberio/vector:0.48';
      cluster.daemonSet('logging/vector', { image: vector, values: { LOKI: 'http://loki-write.logging.svc:3100' } });
      cluster.at('6s', () =>
        cluster.befall(
          loki,
          ends(
            [
              'level=error caller=main.go:73 msg="validating config" err="MULTIPLE CONFIG ERRORS FOUND, PLEASE READ CAREFULLY\\nCONFIG ERROR: schema v13 is required to store Structured Metadata and use native OTLP ingestion"',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.at('14s', () =>
        cluster.befall(
          vector,
          unready([
            'ERROR sink{component_id=loki component_type=loki}:request: vector::sinks::util::retries: Not retriable; dropping the request. reason="error trying to connect: tcp connect error: Connection refused (os error 111)" endpoint=http://loki-write.logging.svc:3100',
          ]),
        ),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/logging/loki-write',
        messages: { resolve: 0 },
        mustNotBlame: ['DaemonSet/logging/vector', 'Node//n2'],
      });
    },
  ),

  // https://falco.org/docs/install-operate/troubleshooting/: no driver for the kernel of one machine.
  'watchman-does-not-know-one-kernel': scenario(
    'A watchman of system calls finds no driver for the kernel of one machine',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'docker.io/falcosecurity/falco:0.41';
      cluster.daemonSet('security/falco', { image, probe: false });
      cluster.at('8s', () =>
        cluster.befall(
          image,
          onlyOn(
            'n3',
            ends(
              [
                'Error: Unable to load the driver',
                'error opening device /dev/falco0. Make sure you have root credentials and that the falco module is loaded: No such file or directory',
              ],
              1,
              2,
            ),
          ),
        ),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'DaemonSet/security/falco',
        accepts: ['Node//n3'],
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/projectcalico/calico/issues/9215: the token of the network plug-in is refused.
  'network-plug-in-is-refused-by-the-api': scenario(
    'The token of the network plug-in is refused on every machine; Pods of two releases get no network',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.daemonSet('kube-system/calico-node', { image: 'docker.io/calico/node:v3.30', probe: false });
      const places = ['shop/summer', 'crm/tasks'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 3, image: imageOf(place) }));
      cluster.at('6s', () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message:
                'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "b6385006e8b3eedeaa1fd60e3e69afc9fb758a27": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized',
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-node',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/summer', 'Deployment/crm/tasks', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/storage/volumes/#hostpath: a folder that only Docker had.
  'folder-that-only-docker-had': scenario(
    'A release of an agent mounts a folder that no machine has any more',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const agent = cluster.daemonSet('billing/usage-agent', { image: imageAt('usage-agent', 4), probe: false });
      cluster.image(imageAt('usage-agent', 5), {
        heldUp: {
          reason: 'FailedMount',
          message:
            'MountVolume.SetUp failed for volume "containers" : hostPath type check failed: /var/lib/docker/containers is not a directory',
        },
      });
      innocentRelease(cluster, '2s', firm);
      const volumes = [{ name: 'containers', hostPath: { path: '/var/lib/docker/containers', type: 'Directory' } }];
      cluster.at('6s', () => agent.change({ image: imageAt('usage-agent', 5), pod: { volumes } }));
      cluster.lasts('3m30s');
      cluster.expectIncident({
        root: 'DaemonSet/billing/usage-agent',
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n1', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://docs.tigera.io/calico/latest/reference/typha/overview: those between the API and the agents crash.
  'those-between-agents-and-api-crash': scenario(
    'Typha crashes, and calico-node of every machine is unready without it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const typha = 'docker.io/calico/typha:v3.30';
      cluster.deployment('calico-system/calico-typha', { replicas: 2, image: typha });
      cluster.service('calico-system/calico-typha', port(5473));
      const node = 'docker.io/calico/node:v3.30';
      cluster.daemonSet('calico-system/calico-node', {
        image: node,
        values: { FELIX_TYPHAADDR: 'calico-typha.calico-system.svc:5473' },
      });
      cluster.at('6s', () =>
        cluster.befall(
          typha,
          ends(
            [
              '[FATAL][7] typha/daemon.go 283: Failed to create TLS config error=open /typha-certs/tls.key: permission denied',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.at('16s', () =>
        cluster.befall(
          node,
          unready(
            [
              '[ERROR][71] felix/daemon.go 1215: Failed to connect to Typha. Retrying... error=failed to load next Typha address to try: tried all available discovered addresses: calico-typha.calico-system.svc:5473',
            ],
            'calico/node is not ready: felix is not ready: readiness probe reporting 503',
          ),
        ),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/calico-system/calico-typha',
        messages: { resolve: 0 },
        mustNotBlame: ['DaemonSet/calico-system/calico-node', 'Node//n1'],
      });
    },
  ),

  // https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/troubleshooting.html: the driver is older than what is built on it.
  'driver-of-the-accelerators-does-not-build': scenario(
    'A release of the driver of the accelerators does not load, and two trainings find none',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'nvcr.example/nvidia/driver';
      const driver = cluster.daemonSet('gpu-operator/nvidia-driver', { image: `${image}:570`, probe: false });
      cluster.image(
        `${image}:580`,
        ends(
          [
            "ERROR: Unable to load the kernel module 'nvidia.ko'. This happens most frequently when this kernel module was built against the wrong or improperly configured kernel sources",
            'Could not resolve Linux kernel version',
          ],
          1,
          3,
        ),
      );
      const places = ['ml/translate', 'ml/detect'];
      for (const place of places) cluster.deployment(place, { image: imageOf(place), ...pinned('n2') });
      cluster.at('6s', () => driver.setImage(`${image}:580`));
      cluster.at('30s', () => {
        for (const place of places)
          cluster.befall(
            imageOf(place),
            ends([
              'RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx',
            ]),
          );
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'DaemonSet/gpu-operator/nvidia-driver',
        accepts: ['Node//n2'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/ml/translate', 'Deployment/ml/detect'],
      });
    },
  ),
};

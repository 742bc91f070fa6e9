import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.fluentbit.io/manual/administration/troubleshooting: a plugin that this version does not have.
  'log-shipper-release': scenario(
    'A release of the log shipper does not start on the first machine it comes to',
    (cluster) => {
      surroundings(cluster);
      const image = 'docker.io/fluent/fluent-bit';
      const shipper = cluster.daemonSet('logging/fluent-bit', { image: `${image}:4.0` });
      cluster.image(
        `${image}:4.1`,
        ends(
          [
            'Fluent Bit v4.1.0',
            "[error] [config] section 'OUTPUT' tried to instance a plugin name that doesn't exist: 'loki_v2'",
            '[error] configuration file contains errors, aborting.',
          ],
          1,
          1,
        ),
      );
      cluster.at('8s', () => shipper.setImage(`${image}:4.1`));
      cluster.expectIncident({
        root: 'DaemonSet/logging/fluent-bit',
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/projectcalico/calico/issues/2418 and the like: without its agent, a machine makes no network for new Pods.
  'network-agent-release': scenario(
    'The network agent crashes after its release, and no machine starts new Pods',
    (cluster) => {
      surroundings(cluster);
      const image = 'docker.io/calico/node';
      const agent = cluster.daemonSet('kube-system/calico-node', {
        image: `${image}:v3.30`,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      const names = ['orders', 'search'];
      const handles = names.map((name) =>
        cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:7` }),
      );
      cluster.image(
        `${image}:v3.31`,
        ends(
          [
            '[FATAL][9] startup/startup.go 430: Unable to detect an IP for the host, IP autodetection method "interface=eth1" found none',
          ],
          1,
          2,
        ),
      );
      const message =
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1f7a": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/';
      cluster.at('8s', () => agent.setImage(`${image}:v3.31`));
      cluster.at('15s', () => {
        for (const name of names)
          cluster.image(`registry.acme.example/${name}:7`, { heldUp: { reason: 'FailedCreatePodSandBox', message } });
      });
      cluster.at('20s', () => {
        for (const handle of handles) handle.scale(5);
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-node',
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Node//n1', 'Node//n2'],
      });
    },
  ),
};

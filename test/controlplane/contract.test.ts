import { startControlPlane } from './cluster.ts';
import { apiContract } from './contract.ts';
import { connect } from './environment.ts';

apiContract('the real control plane', async () => {
  // A shorter grace than the default 50 s: the loss of a node must not take a minute. Twice the heartbeat.
  const manager = ['--node-monitor-grace-period=20s', '--node-monitor-period=2s'];
  const plane = await startControlPlane({ flags: { 'kube-controller-manager': manager } });
  const { ca, certificate: cert, key } = plane.admin;
  return connect({
    url: plane.url,
    tls: { ca, cert, key },
    kubelet: { nodes: [{ name: 'n1' }, { name: 'n2' }], speed: 5 },
    compact: plane.compact,
    stop: plane.stop,
  });
});

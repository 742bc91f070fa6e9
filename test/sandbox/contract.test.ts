import { createScaledClock } from '../../sandbox/clock.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { apiContract } from '../controlplane/contract.ts';
import { connect } from '../controlplane/environment.ts';

apiContract('the sandbox', async () => {
  // The grace of a lost node is 50 s: four real seconds are enough at this pace.
  const clock = createScaledClock(15);
  const sandbox = await startSandbox({ clock });
  return connect({
    url: sandbox.url,
    clock,
    kubelet: { nodes: [{ name: 'n1' }, { name: 'n2' }] },
    compact: () => Promise.resolve(sandbox.compact()),
    stop: sandbox.stop,
  });
});

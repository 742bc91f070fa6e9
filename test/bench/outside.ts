/**
 * A process of its own: the API server and the receiver, so that one clock sees both ends of a message's way. Arguments: Pods,
 * nodes, of how many Pods the surroundings are, and `streams` for a server that knows streaming lists.
 */
import { startBenchServer } from './api-server.ts';
import { answerParent } from './child.ts';
import { clusterOf, podsPerOwner } from './cluster.ts';
import { configOf, type LagSeries, measureLag } from './lag.ts';
import { startBenchReceiver } from './receiver.ts';
import { warning } from './surroundings.ts';

const [pods = 0, nodes = 0, around = pods] = process.argv.slice(2, 5).map(Number);
const receiver = await startBenchReceiver();
const server = await startBenchServer({
  cluster: clusterOf({ pods, nodes, around }),
  streams: process.argv[5] === 'streams',
  secrets: { oncall: { url: receiver.url } },
});
server.put(configOf({ settleSeconds: 0, logs: false }));
server.put({
  apiVersion: 'tocsin.dev/v1alpha1',
  kind: 'AlertProvider',
  metadata: {
    name: 'oncall',
    namespace: 'tocsin',
    uid: 'oncall',
    generation: 1,
    creationTimestamp: '2026-11-01T08:00:00Z',
  },
  spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name: 'oncall', key: 'url' } } } },
});

answerParent({
  where: () => ({ url: server.url, ca: server.ca }),
  begin: () => server.begin(),
  watched: (sources: readonly string[]) => server.watched(sources),
  /** Tells so many Warnings, of one Pod after the other. */
  warn: (count: number) => {
    const time = new Date().toISOString();
    for (let index = 0; index < count; index++) {
      const event = warning(index % pods, { podsPerOwner, nodeCount: nodes }, time);
      const named = { ...event, metadata: { ...event.metadata, name: `${event.metadata.name}.${index}` } };
      server.emit('events.events.k8s.io', server.event('events.events.k8s.io', 'ADDED', named));
    }
  },
  lag: (series: LagSeries) => measureLag(server, receiver, { podsPerOwner, nodeCount: nodes }, series),
});

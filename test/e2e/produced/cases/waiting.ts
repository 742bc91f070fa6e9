import { produced } from '../case.ts';
import { waitingFor, writeReadiness, writeStatus } from '../kubelet-status.ts';
import { pod } from '../manifests.ts';

const onPod = (ns: string): string => `Pod/${ns}/api`;
const waiting = 'status.containerStatuses.app.state.waiting.reason';
const ready = 'status.conditions.Ready.status';

/** Pods that nobody says much about: containers that are made for ever, and readiness that comes and goes. */
export const cases = [
  produced({
    id: 'P12',
    reason: 'ContainerCreating',
    what: 'a pull without an end',
    subject: onPod,
    produce: ({ apply }) => apply(pod('api', { script: { pullSeconds: 1_000_000 } })),
    settled: ({ some }) => some('Event', 'reason', 'Pulling'),
    withinSeconds: 1_900,
    quietBeforeSeconds: 1_800,
  }),
  produced({
    id: 'P12',
    reason: 'ContainerCreating',
    what: 'nothing says why',
    subject: onPod,
    async produce(hands) {
      const { addNode, apply, onOwnNodes, some, until } = hands;
      const node = await addNode('n1');
      node.stop();
      await apply(pod('api', { pod: onOwnNodes }));
      await until('the Pod is placed', () => some('Pod', 'status.conditions.PodScheduled.status', 'True'));
      await writeStatus(hands, 'Pod', 'api', waitingFor('ContainerCreating', ''));
    },
    settled: ({ some }) => some('Pod', waiting, 'ContainerCreating'),
    withinSeconds: 700,
    quietBeforeSeconds: 600,
  }),
  produced({
    id: 'P22',
    reason: 'ReadinessFlapping',
    subject: onPod,
    async produce(hands) {
      const { addNode, apply, onOwnNodes, some, until } = hands;
      const node = await addNode('n1');
      await apply(pod('api', { pod: onOwnNodes }));
      await until('it is ready', () => some('Pod', ready, 'True'));
      node.stop();
      for (let losses = 0; losses < 3; losses += 1) {
        await writeReadiness(hands, false);
        await writeReadiness(hands, true);
      }
    },
    settled: ({ some }) => some('Pod', ready, 'True'),
    withinSeconds: 30,
  }),
];

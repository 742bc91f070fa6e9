import { describeRef, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { ServiceView } from '../../world/kinds/network/service.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { Change, ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { editMs, lookAgainMs, servingWithout } from '../kit/lost-part.ts';

/** The ports that the words of an edit name: `80 to 8080, 9000`. */
const portsIn = (text = ''): readonly number[] => text.split(', ').map((port) => Number.parseInt(port, 10));

/** A port that a Service had, and the edit that took it. */
type Lost = { readonly port: number; readonly edit: Change };

/** The ports that a Service does not have any more, the last ones that it lost first. */
function lostPorts({ ref, ports }: ServiceView, world: ObservedWorld, now: number): readonly Lost[] {
  const edits = world.changes(ref, now - editMs).filter(({ field }) => field === 'servicePorts');
  const lost = edits.toReversed().flatMap((edit) => {
    const kept = portsIn(edit.to);
    return portsIn(edit.from).flatMap((port) => (kept.includes(port) ? [] : [{ port, edit }]));
  });
  const first = new Map<number, Lost>();
  for (const each of lost)
    if (!first.has(each.port) && !ports.some(({ port }) => port === each.port)) first.set(each.port, each);
  return [...first.values()];
}

/** The ports that a Pod's variables and arguments ask of a Service. */
function asksFor({ ref, template }: PodView, service: Ref): readonly number[] {
  const name = nameOf(service);
  const full = `${name}.${namespaceOf(service)}`;
  return (template.servicePorts ?? []).flatMap((asked) => {
    const at = asked.lastIndexOf(':');
    const host = asked.slice(0, at);
    const isMeant = host === full || (host === name && namespaceOf(ref) === namespaceOf(service));
    return isMeant ? [Number(asked.slice(at + 1))] : [];
  });
}

const servicePortGone = detector({
  id: 'T49',
  judges: 'Service',
  reasons: [{ reason: 'ServicePortGone', family: 'config', sure: 'likely' }],
  reads: ['Pod'],
  severity: 'medium',
  forSeconds: 60,
  settle: 'conclusive',
  source:
    'core/v1 Service spec.ports[].port as it was before its edit; hosts with ports, and URLs, in the variables and arguments of Pods',
  predicate:
    'a Service was edited and has a port no more for which Pods that are ready ask it in their variables or arguments, for 60 s',
  clears: 'the Service has the port again, no such Pod asks for it any more, or the edit is a day old',
  symptom: 'service',
  patience: '60 s: whoever edits what others use often mends it at once, or edits these next',
  isNot:
    'a port that the Service never had; Pods that are not ready; one without an address of its own (headless), or that is only a name; what is asked for without saying the port; an edit after which Pods fail within the minute: these say so',
  judge: (service, world, now) => {
    const { ref, ports, clusterIP } = service;
    if (clusterIP === undefined) return false;
    for (const { port, edit } of lostPorts(service, world, now)) {
      const asking = servingWithout(
        { of: ref, by: 'depends-on', edit, needs: (pod) => asksFor(pod, ref).includes(port) },
        world,
      );
      const [first] = asking;
      if (first === undefined) continue;
      const open = ports.map((each) => (each.name === '' ? `${each.port}` : `${each.name} (${each.port})`)).join(', ');
      return {
        since: edit.at,
        scope: String(port),
        facts: { port, asks: describeRef(first), workloads: asking.length, ...(open !== '' && { open }) },
        lookAgainAt: now + lookAgainMs,
      };
    }
    return false;
  },
});

/** Services that have lost what others ask them for. */
export const lostPortDetectors: readonly Detector[] = [servicePortGone];

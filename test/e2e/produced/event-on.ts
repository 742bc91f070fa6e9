import { kindOf, nameOf, namespaceOf, type Ref } from '../../../src/model/ref.ts';
import type { Manifest } from './hands.ts';

/** A Warning about an object, with its UID, as a controller that is not here writes it: `component` is its name. */
export function eventOn(
  about: Ref,
  uid: string | undefined,
  reason: string,
  message: string,
  component: string,
): Manifest {
  const [kind, namespace, name] = [kindOf(about), namespaceOf(about), nameOf(about)];
  const at = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${reason.toLowerCase()}` },
    involvedObject: { kind, namespace, name, ...(uid !== undefined && { uid }) },
    ...{ type: 'Warning', reason, message, count: 1, firstTimestamp: at, lastTimestamp: at },
    source: { component },
  };
}

import type { RawObject } from '../../src/model/raw-object.ts';
import { stamp } from './objects.ts';

export type EventParts = {
  readonly message?: string;
  readonly type?: 'Normal' | 'Warning';
  readonly count?: number;
  readonly firstAt?: number;
  readonly reporter?: string;
};

/** An events.k8s.io/v1 Event that tells of an object at an instant; a Warning unless said otherwise. */
export function eventOn(about: RawObject, reason: string, at: number, parts: EventParts = {}): RawObject {
  const { apiVersion, kind, metadata } = about;
  const { namespace, name, uid } = metadata;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: {
      name: `${name}.${reason.toLowerCase()}`,
      namespace: namespace ?? 'default',
      uid: `event-${name}-${reason}`,
      creationTimestamp: stamp(parts.firstAt ?? at),
    },
    regarding: { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name, uid },
    type: parts.type ?? 'Warning',
    reason,
    note: parts.message ?? '',
    reportingController: parts.reporter ?? 'controller',
    deprecatedCount: parts.count ?? 1,
    deprecatedFirstTimestamp: stamp(parts.firstAt ?? at),
    deprecatedLastTimestamp: stamp(at),
  };
}

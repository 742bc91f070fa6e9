import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Severity } from '../../src/model/severity.ts';
import { at, stamp } from './objects.ts';

/** What stories vary of an alert. */
export type AlertParts = {
  readonly id?: string;
  readonly since?: number;
  readonly until?: number;
  readonly severity?: Severity;
  readonly summary?: string;
};

/** An alert about the first of these objects that is there, from the start for a day unless said otherwise. */
export function alert(name: string, about: readonly Ref[], parts: AlertParts = {}): RawObject {
  const { id = `id-of-${name}`, since = at(0), until = at(24 * 60), severity = 'medium', summary } = parts;
  return {
    ...{ apiVersion: 'v1', kind: 'Alert', metadata: { name: id, uid: id } },
    ...{ alert: name, about, severity, ...(summary !== undefined && { summary }) },
    ...{ startsAt: stamp(since), expiresAt: stamp(until) },
  };
}

import type { ObjectEvent } from '../model/raw-object.ts';

/** An object that is known already: from an earlier list, or from saved state. */
export type KnownObject = { readonly namespace?: string; readonly name: string; readonly uid: string };

/** Compares a list that comes in pieces with what was known before it. */
export type Census = {
  /** Ticks objects off. Where the same name now has another uid, the one we knew is reported gone before the new one. */
  see(events: readonly ObjectEvent[]): readonly ObjectEvent[];
  /** What was known and is not in the list. */
  vanished(): readonly ObjectEvent[];
};

/** Begins a census. It holds names only while the list lasts, and nothing when nothing was known. */
export function takeCensus(known: Iterable<KnownObject>, apiVersion: string, kind: string): Census {
  const left = new Map<string, KnownObject>();
  for (const object of known) left.set(`${object.namespace ?? ''}/${object.name}`, object);

  function gone({ name, namespace, uid }: KnownObject): ObjectEvent {
    return { is: 'gone', raw: { apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}), uid } } };
  }

  return {
    see(events) {
      if (left.size === 0) return events;
      return events.flatMap((event) => {
        const { namespace, name, uid } = event.raw.metadata;
        const key = `${namespace ?? ''}/${name}`;
        const before = left.get(key);
        left.delete(key);
        return before !== undefined && event.is === 'put' && before.uid !== uid ? [gone(before), event] : [event];
      });
    },
    vanished: () => [...left.values()].map(gone),
  };
}

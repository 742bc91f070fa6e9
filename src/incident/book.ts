import type { Incident } from '../model/incident.ts';

/** The incidents as they are, and which of them a step has changed. */
export type Book = {
  get(id: string): Incident | undefined;
  /** In the order in which they were first seen. */
  all(): Incident[];
  size(): number;
  /** Keeps a new or changed incident. */
  put(incident: Incident): void;
  /** Forgets one; `was`: it takes the place of another name of itself. */
  remove(id: string): void;
  /** Changed and forgotten since the last call, without those that are still settling: nobody knows of them. */
  takeChanges(): { changed: Incident[]; forget: string[] };
};

/** Makes an empty book. */
export function createBook(): Book {
  const incidents = new Map<string, Incident>();
  const changed = new Set<string>();
  const removed = new Set<string>();
  return {
    get: (id) => incidents.get(id),
    all: () => [...incidents.values()],
    size: () => incidents.size,
    put(incident) {
      if (incidents.get(incident.id) === incident) return;
      incidents.set(incident.id, incident);
      changed.add(incident.id);
    },
    remove(id) {
      const known = incidents.get(id);
      incidents.delete(id);
      changed.delete(id);
      if (known && known.state !== 'Settling') removed.add(id);
    },
    takeChanges() {
      const result = {
        changed: [...changed].flatMap((id) => incidents.get(id) ?? []).filter(({ state }) => state !== 'Settling'),
        forget: [...removed],
      };
      changed.clear();
      removed.clear();
      return result;
    },
  };
}

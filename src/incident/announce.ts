import type { IncidentAnnouncement } from '../model/announcement.ts';
import type { Incident } from '../model/incident.ts';
import type { Message } from './routing.ts';
import type { IncidentStore } from './store.ts';

/** Who knows what after these messages. */
function afterTelling(incident: Incident, own: readonly Message[]): Incident {
  const { endToldTo = [], ...rest } = incident;
  const told = new Set(own.map(({ provider }) => provider.uid));
  const ended = own.filter(({ act }) => act === 'resolve').map(({ provider }) => provider.uid);
  const over = [...endToldTo.filter((uid) => !told.has(uid)), ...ended];
  return {
    ...rest,
    toldTo: [...new Set([...incident.toldTo, ...told])],
    revision: incident.revision + 1,
    ...(over.length > 0 && { endToldTo: over }),
  };
}

/** What providers hear of one notice, as one announcement an act. */
function announcementsOf(incident: Incident, messages: readonly Message[]): IncidentAnnouncement[] {
  return [...Map.groupBy(messages, ({ act }) => act)].flatMap(([act, alike]): IncidentAnnouncement[] => {
    const [first] = alike;
    if (first === undefined) return [];
    const { reasonCode, audience, view, notes, before, again } = first.notice;
    return [
      {
        act,
        incident: view === incident.explanation ? incident : { ...incident, explanation: view },
        ...(before && act !== 'open' && { before }),
        reasonCode,
        audience,
        providers: alike.map(({ provider }) => provider.ref),
        ...(notes.length > 0 && { notes }),
        ...(again && { again }),
      },
    ];
  });
}

/** The last stage: counts revisions, remembers who knows what, and makes the announcements of one step. */
export function announce(messages: readonly Message[], store: IncidentStore): IncidentAnnouncement[] {
  return [...Map.groupBy(messages, ({ notice }) => notice.incident)].flatMap(([id, own]) => {
    const known = store.get(id);
    if (known === undefined) return [];
    const incident = afterTelling(known, own);
    store.put(incident);
    return [...Map.groupBy(own, ({ notice }) => notice).values()].flatMap((alike) => announcementsOf(incident, alike));
  });
}

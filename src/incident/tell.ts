import type { Announcement, IncidentAnnouncement, SummaryAnnouncement } from '../model/announcement.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import type { IncidentAct } from '../model/notification.ts';
import type { Settings } from '../model/settings.ts';
import { chatTraits, type Traits, takesStorms } from '../model/traits.ts';
import type { Book } from './book.ts';
import type { Opening, Storms } from './storm.ts';

/** One message on its way: an act of an incident for one provider. */
export type Intent = Opening & {
  readonly act: IncidentAct;
  readonly reasonCode: string;
  readonly view: Explanation;
  readonly note?: string;
  readonly before?: NonNullable<Incident['told']>;
};

/** What making announcements of intents needs. */
export type TellContext = {
  readonly settings: Settings;
  readonly now: number;
  readonly book: Book;
  readonly storms: Storms;
  readonly traits: Traits;
};

/** Takes the openings that a storm collapses out of the intents. */
function siftStorms(intents: readonly Intent[], { settings, now, book, storms, traits }: TellContext) {
  const types = new Map(settings.providers.map(({ ref, type }) => [ref, type]));
  const announcing = intents.filter(
    ({ act, provider }) =>
      (act === 'open' || act === 'reopen') && !takesStorms(traits.get(types.get(provider) ?? '') ?? chatTraits),
  );
  const collapsed = new Set<Opening>(announcing);
  const overviews: SummaryAnnouncement[] = [];
  for (const group of Map.groupBy(announcing, ({ provider }) => provider).values()) {
    const { alone, overview } = storms.sift(group, book, now);
    for (const one of alone) collapsed.delete(one);
    if (overview) overviews.push(overview);
  }
  return { kept: intents.filter((intent) => !collapsed.has(intent)), overviews };
}

/** Sifts storms, counts revisions, remembers who knows what, and makes the announcements of one step. */
export function tell(intents: readonly Intent[], context: TellContext): Announcement[] {
  const { kept, overviews } = siftStorms(intents, context);
  const announcements: IncidentAnnouncement[] = [];
  for (const [id, own] of Map.groupBy(kept, ({ incident }) => incident)) {
    const incident = context.book.get(id);
    if (incident === undefined) continue;
    const toldTo = [...new Set([...incident.toldTo, ...own.map(({ provider }) => provider)])];
    const { endToldTo = [], ...rest } = incident;
    const ended = own.filter(({ act }) => act === 'resolve').map(({ provider }) => provider);
    const again = new Set(own.map(({ provider }) => provider));
    const over = [...endToldTo.filter((ref) => !again.has(ref)), ...ended];
    const told: Incident = {
      ...{ ...rest, toldTo, revision: incident.revision + 1 },
      ...(over.length === 0 ? {} : { endToldTo: over }),
    };
    context.book.put(told);
    const alike = Map.groupBy(own, ({ audience, act, note, reasonCode }) =>
      [audience, act, reasonCode, note].join('|'),
    );
    for (const group of alike.values()) {
      const [first] = group;
      if (first === undefined) continue;
      const { act, reasonCode, audience, view, note: remark, before } = first;
      announcements.push({
        act,
        incident: view === told.explanation ? told : { ...told, explanation: view },
        ...(before === undefined || act === 'open' ? {} : { before }),
        reasonCode,
        audience,
        providers: group.map(({ provider }) => provider),
        ...(remark === undefined ? {} : { note: remark }),
      });
    }
  }
  return [...announcements, ...overviews];
}

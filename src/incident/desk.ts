import type { Announcement } from '../model/announcement.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Audience, Decision, Disposition, Incident, IncidentState, Standing } from '../model/incident.ts';
import type { IncidentAct } from '../model/notification.ts';
import { describeRef, type Ref } from '../model/ref.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import { audienceOf, audiencesOf, providersFor, viewFor } from './audiences.ts';
import type { Book } from './book.ts';
import { type Decided, decisionOf } from './decision.ts';
import type { SilenceTally } from './silences.ts';
import type { Storms } from './storm.ts';
import { describeMute, judge, judgeAlone, type Verdict } from './suppression.ts';
import { type Intent, tell } from './tell.ts';

/** What is announced and from which step of the life it comes. */
export type AnnouncedAct = {
  readonly act: 'open' | 'update' | 'reopen';
  readonly action: Decision['action'];
  readonly from: IncidentState | null;
  readonly reasonCode: string;
};

/** Decides for each audience what becomes of an act, and collects what is to be told in one step. */
export type Desk = {
  /** Gives an opening, update or reopening its dispositions; returns the incident as it stands afterwards. */
  announce(incident: Incident, what: AnnouncedAct, only?: readonly Audience[]): Incident;
  /** Tells everybody who knows of it that it is over. */
  resolve(incident: Incident, from: IncidentState, reasonCode: string): void;
  /** Records that it belongs to another incident now. */
  fold(incident: Incident, parent: string, from: IncidentState, to: IncidentState | null, reasonCode: string): Incident;
  /** Judges again what was muted; tells it when nothing mutes it any more. */
  review(incident: Incident, known: ReadonlySet<Audience>): Incident;
  /** Records a change of state that nobody is told of. */
  note(incident: Incident, decided: Omit<Decided, 'audience' | 'disposition'>): void;
  /** Sifts storms, counts revisions and makes the announcements. */
  close(): Announcement[];
  /** Opens for one provider, one by one, what it has not heard of. Counts revisions as `close` does. */
  introduce(provider: ProviderSettings, incidents: readonly Incident[]): Announcement[];
  readonly decisions: readonly Decision[];
};

const providersIn = (audience: Audience, incident: Incident, settings: Settings): Ref[] =>
  settings.providers
    .filter(
      (provider) =>
        provider.active.is && audienceOf(provider, settings) === audience && incident.toldTo.includes(provider.ref),
    )
    .map(({ ref }) => ref);

/** What a desk works with. */
export type DeskOptions = {
  readonly settings: Settings;
  readonly now: number;
  readonly book: Book;
  readonly silences: SilenceTally;
  readonly storms: Storms;
  readonly traits: Traits;
};

/** Makes the desk for one step. */
export function createDesk({ settings, now, book, silences, storms, traits }: DeskOptions): Desk {
  const decisions: Decision[] = [];
  const intents: Intent[] = [];
  /** Who has been told an incident in this step: another act would only repeat it. */
  const upToDate = new Set<string>();
  const audiences = audiencesOf(settings);

  function decide(incident: Incident, decided: Decided): void {
    decisions.push(decisionOf(incident, now, decided));
    if (decided.disposition === 'Silenced' && decided.by !== undefined)
      silences.count(decided.by as Ref, incident.id, now);
  }

  const standing = ({ disposition, by }: { disposition: Disposition; by?: string }): Standing =>
    by === undefined ? { disposition, at: now } : { disposition, by, at: now };

  function makesIssues(provider: Ref): boolean {
    const type = settings.providers.find(({ ref }) => ref === provider)?.type ?? '';
    return traits.get(type)?.family === 'tracker';
  }

  /** Who gets which act: those who know of it the act itself (an opening only once), others an opening. */
  function address(
    incident: Incident,
    audience: Audience,
    act: IncidentAct,
    verdict: Verdict,
    reasonCode: string,
    note?: string,
  ) {
    const toldBefore = providersIn(audience, incident, settings);
    const matching = providersFor(audience, verdict.view, settings).map(({ ref }) => ref);
    const fresh = matching.filter((ref) => !incident.toldTo.includes(ref));
    const remark = [verdict.note, note].filter((text) => text !== undefined).join(' ');
    const say = (provider: Ref, does: IncidentAct): void => {
      const intent = { incident: incident.id, provider, audience, act: does, reasonCode, view: verdict.view };
      const { told } = incident;
      intents.push({ ...intent, ...(remark === '' ? {} : { note: remark }), ...(told ? { before: told } : {}) });
    };
    for (const provider of toldBefore) {
      if (incident.endToldTo?.includes(provider)) say(provider, 'reopen');
      else if (act !== 'open') say(provider, act);
    }
    // An earlier life may have made an issue of what was there at the start: an update looks for it, an opening would not.
    const mayHold = act === 'update' && incident.atStart !== undefined;
    for (const provider of fresh) say(provider, mayHold && makesIssues(provider) ? 'update' : 'open');
    return toldBefore.length + fresh.length > 0;
  }

  function toldNow(incident: Incident): NonNullable<Incident['told']> {
    const { severity, root, affected } = incident.explanation;
    return { severity, root: root.ref, affected: affected.length, at: now };
  }

  function announce(incident: Incident, what: AnnouncedAct, only: readonly Audience[] = audiences): Incident {
    const standings: Record<Audience, Standing> = { ...incident.standings };
    let delivered = false;
    for (const audience of only) {
      const view = viewFor(audience, incident.explanation);
      if (view === undefined || upToDate.has(`${incident.id}|${audience}`)) continue;
      const verdict = judge(incident, view, audience, settings, now);
      const { disposition, by } = verdict;
      standings[audience] = standing(verdict);
      upToDate.add(`${incident.id}|${audience}`);
      let reasonCode = disposition === 'Delivered' ? what.reasonCode : verdict.reasonCode;
      if (disposition === 'Delivered') {
        delivered = true;
        const somebody = address(incident, audience, what.act, verdict, what.reasonCode);
        if (!somebody && !settings.providers.some((one) => one.active.is && audienceOf(one, settings) === audience))
          reasonCode = 'NoProvider';
      }
      const to = incident.state;
      decide(incident, {
        action: what.action,
        from: what.from,
        to,
        audience,
        disposition,
        reasonCode,
        ...(by === undefined ? {} : { by }),
      });
    }
    // An update that was muted has been dealt with as well: it is told when the muting ends.
    const told = delivered || incident.told ? toldNow(incident) : undefined;
    // One more audience does not change what the others know.
    const kept = only === audiences ? told : (incident.told ?? told);
    return { ...incident, standings, ...(kept ? { told: kept } : {}) };
  }

  /** Who may hold an alert or issue of it from before the start, and closes that by its key. Chats say nothing. */
  function keepersOf(audience: Audience, { toldTo }: Incident, view: Explanation): Ref[] {
    return providersFor(audience, view, settings)
      .filter(({ ref, type }) => traits.get(type)?.closesByKey && !toldTo.includes(ref))
      .map(({ ref }) => ref);
  }

  function resolve(incident: Incident, from: IncidentState, reasonCode: string): void {
    const parent = incident.foldedInto === undefined ? undefined : book.get(incident.foldedInto);
    const note = parent && `It was part of the incident of ${describeRef(parent.explanation.root.ref)}.`;
    for (const audience of audiences) {
      const view = viewFor(audience, incident.explanation) ?? incident.left?.[audience];
      if (view === undefined) continue;
      const at = { action: 'resolve', from, to: 'Resolved', audience } as const;
      const alone = judgeAlone(view, audience, settings, now);
      const told = providersIn(audience, incident, settings).filter((ref) => !incident.endToldTo?.includes(ref));
      const waiting = [...told, ...(incident.baseline ? keepersOf(audience, incident, view) : [])];
      if (waiting.length > 0) {
        // What was announced is always closed, whatever mutes it now.
        for (const provider of waiting)
          intents.push({
            ...{ incident: incident.id, provider, audience, act: 'resolve', reasonCode, view: alone.view },
            ...(note === undefined ? {} : { note }),
            ...(incident.told ? { before: incident.told } : {}),
          });
        decide(incident, {
          ...at,
          disposition: 'Delivered',
          reasonCode: told.length > 0 ? reasonCode : 'ClosedByKey',
        });
        continue;
      }
      const last = incident.standings[audience] ?? alone;
      const disposition = last.disposition;
      const by = last.by === undefined ? {} : { by: last.by };
      decide(incident, {
        ...at,
        disposition,
        reasonCode: disposition === 'Delivered' ? 'NeverTold' : reasonCode,
        ...by,
      });
    }
  }

  function fold(
    incident: Incident,
    parent: string,
    from: IncidentState,
    to: IncidentState | null,
    reasonCode: string,
  ): Incident {
    const standings: Record<Audience, Standing> = {};
    for (const audience of audiences) {
      if (viewFor(audience, incident.explanation) === undefined) continue;
      standings[audience] = standing({ disposition: 'Folded', by: parent });
      decide(incident, { action: 'fold', from, to, audience, disposition: 'Folded', reasonCode, by: parent });
    }
    return { ...incident, foldedInto: parent, standings: { ...incident.standings, ...standings } };
  }

  /** `muted until …`, for what is told late. */
  function mutedNote(was: Standing): string {
    const silence = settings.silences.find(({ ref }) => ref === was.by);
    const until = Math.min(silence?.endsAt ?? now, now);
    return `Muted until ${new Date(until).toISOString().slice(11, 16)} UTC by ${describeMute(was.by ?? was.disposition)}.`;
  }

  function review(incident: Incident, known: ReadonlySet<Audience>): Incident {
    let reviewed = incident;
    for (const audience of audiences) {
      const was = reviewed.standings[audience];
      const view = viewFor(audience, reviewed.explanation);
      if (view === undefined || was?.disposition === 'Delivered') continue;
      if (was === undefined) {
        if (known.has(audience))
          reviewed = announce(reviewed, { act: 'open', action: 'open', from: 'Open', reasonCode: 'NowConcerned' }, [
            audience,
          ]);
        else {
          // Somebody who has just configured a provider reads one summary of all that is open.
          const verdict = judge(reviewed, view, audience, settings, now);
          reviewed = { ...reviewed, standings: { ...reviewed.standings, [audience]: standing(verdict) } };
        }
        continue;
      }
      const verdict = judge(reviewed, view, audience, settings, now);
      if (verdict.disposition === was.disposition && verdict.by === was.by) continue;
      reviewed = { ...reviewed, standings: { ...reviewed.standings, [audience]: standing(verdict) } };
      const at = { from: reviewed.state, to: reviewed.state, audience, disposition: verdict.disposition } as const;
      if (verdict.disposition !== 'Delivered') {
        const by = verdict.by === undefined ? {} : { by: verdict.by };
        decide(reviewed, { ...at, action: 'suppress', reasonCode: verdict.reasonCode, ...by });
        continue;
      }
      const { reasonCode, act, note } = unmuting(was);
      decide(reviewed, { ...at, action: was.disposition === 'Digested' ? 'open' : 'unmute', reasonCode });
      address(reviewed, audience, act, verdict, reasonCode, note);
      upToDate.add(`${reviewed.id}|${audience}`);
      reviewed = { ...reviewed, told: reviewed.told ?? toldNow(reviewed) };
    }
    return reviewed;
  }

  /** How what was kept back is told: to those who know of it an update, unless they were told all there is. */
  function unmuting(was: Standing): { reasonCode: string; act: 'open' | 'update'; note?: string } {
    if (was.disposition === 'Digested') return { reasonCode: 'SeverityRaised', act: 'update' };
    if (was.disposition === 'Folded') return { reasonCode: 'StandsAlone', act: 'open' };
    const reasonCode = was.disposition === 'Filtered' ? 'FilterEnded' : 'SilenceEnded';
    return { reasonCode, act: 'update', note: mutedNote(was) };
  }

  function note(incident: Incident, decided: Omit<Decided, 'audience' | 'disposition'>): void {
    const disposition = incident.standings['']?.disposition ?? 'Delivered';
    decide(incident, { ...decided, audience: '', disposition });
  }

  const context = { settings, now, book, storms, traits };
  const introduce: Desk['introduce'] = (provider, incidents) => {
    const audience = audienceOf(provider, settings);
    const introductions = incidents.flatMap((incident): Intent[] => {
      const view = viewFor(audience, incident.explanation);
      if (view === undefined) return [];
      return [
        { incident: incident.id, provider: provider.ref, audience, act: 'open', reasonCode: 'CurrentlyOpen', view },
      ];
    });
    return tell(introductions, context);
  };

  return { announce, resolve, fold, review, note, close: () => tell(intents, context), introduce, decisions };
}

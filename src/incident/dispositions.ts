import type { Audience, Decision, Disposition, Incident, Standing, Told } from '../model/incident.ts';
import type { MutedBy, Note } from '../model/note.ts';
import type { IncidentAct } from '../model/notification.ts';
import { viewFor } from '../model/view.ts';
import type { StepContext } from './context.ts';
import { decisionOf } from './decision.ts';
import type { Matter } from './lifecycle.ts';
import { type Ruling, rule, ruleAlone } from './muting.ts';
import type { Notice } from './routing.ts';
import { asTold, saysMore } from './updates.ts';

/** What became of a matter: the incident as it stands afterwards, what was decided, and what may be told to whom. */
export type Disposed = {
  readonly incident: Incident;
  readonly decisions: readonly Decision[];
  readonly notices: readonly Notice[];
};

/** What is decided for one audience, and what it is told, if anything. */
type Part = {
  readonly standing: Standing;
  readonly decision?: Pick<Decision, 'action' | 'from' | 'reasonCode'>;
  readonly tell?: { readonly act: IncidentAct; readonly reasonCode: string; readonly notes: readonly Note[] };
  /** Whether what is new about the incident was considered here, told or muted. */
  readonly considered: boolean;
  /** What kept it out of the startup summary is over: from here on an incident like any other. */
  readonly endsBaseline?: true;
};

/** One audience, and how things stand with it. */
type Side = {
  readonly incident: Incident;
  readonly audience: Audience;
  readonly ruling: Ruling;
  readonly was: Standing | undefined;
  /** The audience was there in the step before. */
  readonly known: boolean;
  readonly now: number;
};

function standingOf({ disposition, by }: Ruling, now: number, told: Told | undefined): Standing {
  return { disposition, ...(by !== undefined && { by }), at: now, ...(told && { told }) };
}

const some = (...notes: readonly (Note | undefined)[]): Note[] => notes.filter((note) => note !== undefined);

/** A matter that an audience hears of unless something mutes it. */
function tell(side: Side, act: IncidentAct, decision: NonNullable<Part['decision']>, note?: Note): Part {
  const { ruling, was, now } = side;
  const { reasonCode } = decision;
  if (ruling.disposition !== 'Delivered')
    return {
      standing: standingOf(ruling, now, was?.told),
      decision: { ...decision, reasonCode: ruling.reasonCode },
      considered: true,
    };
  return {
    standing: standingOf(ruling, now, asTold(ruling.view, now)),
    decision,
    tell: { act, reasonCode, notes: some(ruling.note, note) },
    considered: true,
  };
}

/** How what was kept back is told: to those who know of it an update, unless they were told all there is. */
function unmuted(was: Standing, now: number, endsAt: number | undefined): { reasonCode: string; note?: Note } {
  if (was.disposition === 'Digested') return { reasonCode: 'SeverityRaised' };
  if (was.disposition === 'Folded') return { reasonCode: 'StandsAlone' };
  const by = was.by ?? was.disposition;
  return { reasonCode: endOfMute(by), note: { is: 'mutedUntil', at: Math.min(endsAt ?? now, now), by } };
}

/** What has ended, by what muted: a field of the filters, a Silence, a window or an annotated object. */
function endOfMute(by: MutedBy): 'FilterEnded' | 'SilenceEnded' | 'MaintenanceEnded' {
  if (by.startsWith('filters.')) return 'FilterEnded';
  return by.startsWith('Silence/') ? 'SilenceEnded' : 'MaintenanceEnded';
}

/** When what muted ends or ended (epoch milliseconds), where it has an end. */
function endsAtOf(by: MutedBy | undefined, { settings: { silences, windows } }: StepContext): number | undefined {
  const silence = silences.find(({ ref }) => ref === by);
  return silence ? silence.endsAt : windows.find(({ ref }) => ref === by)?.opening?.endsAt;
}

/** Nothing mutes any more what was kept back. */
function unmute(side: Side, was: Standing, context: StepContext): Part {
  const { ruling, now, incident } = side;
  const { reasonCode, note } = unmuted(was, now, endsAtOf(was.by, context));
  const action = was.disposition === 'Digested' ? 'open' : 'unmute';
  const decision = { action, from: incident.state, reasonCode } as const;
  const knowsAll = was.disposition === 'Folded' || (was.told !== undefined && !saysMore(ruling.view, was.told));
  return {
    standing: standingOf(ruling, now, knowsAll && was.told ? was.told : asTold(ruling.view, now)),
    decision,
    tell: { act: knowsAll ? 'open' : 'update', reasonCode, notes: some(ruling.note, note) },
    considered: false,
  };
}

/** Whether an audience has still to hear of it: what the startup summary listed, it has read there. */
function isKeptBack({ disposition, by }: Standing): boolean {
  return disposition !== 'Delivered' && (disposition !== 'Baseline' || by !== undefined);
}

/** What was kept back is kept back otherwise now, or told. */
function keptBackOtherwise(side: Side, was: Standing, news: string | undefined, context: StepContext): Part {
  const { incident, now } = side;
  const endsBaseline = was.disposition === 'Baseline' && side.ruling.by === undefined;
  const ruling = endsBaseline ? ruleAlone(side.ruling.view, side.audience, context) : side.ruling;
  const ended = endsBaseline ? { endsBaseline } : {};
  if (ruling.disposition === 'Delivered')
    return { ...unmute({ ...side, ruling }, was, context), considered: news !== undefined, ...ended };
  const decision = { action: 'suppress', from: incident.state, reasonCode: ruling.reasonCode } as const;
  return { standing: standingOf(ruling, now, was.told), decision, considered: news !== undefined, ...ended };
}

/** An incident goes on: who has heard of it, from whom it was kept back, whom it concerns only now. */
function goesOn(
  side: Side,
  { reasonCode: news, note }: Matter & { is: 'goesOn' },
  context: StepContext,
): Part | undefined {
  const { ruling, was, known, now } = side;
  if (was === undefined)
    return known
      ? { ...tell(side, 'open', { action: 'open', from: 'Open', reasonCode: 'NowConcerned' }), considered: false }
      : // Who has just configured a provider reads one summary of all that is open.
        { standing: standingOf(ruling, now, undefined), considered: false };
  const same = ruling.disposition === was.disposition && ruling.by === was.by;
  if (!same && isKeptBack(was)) return keptBackOtherwise(side, was, news, context);
  if (news === undefined) return undefined;
  return tell(side, 'update', { action: 'update', from: 'Open', reasonCode: news }, note);
}

function fold({ ruling, was, now }: Side, matter: Matter & { is: 'folds' }): Part {
  const { from, reasonCode } = matter.row;
  const folded = { ...ruling, disposition: 'Folded', by: matter.into } as const;
  return {
    standing: standingOf(folded, now, was?.told),
    decision: { action: 'fold', from, reasonCode },
    considered: false,
  };
}

function dispose(side: Side, matter: Matter, context: StepContext): Part | undefined {
  switch (matter.is) {
    case 'begins':
      return tell(
        side,
        matter.act,
        { action: matter.act, from: matter.from, reasonCode: matter.reasonCode },
        matter.note,
      );
    case 'goesOn':
      return goesOn(side, matter, context);
    case 'folds':
      return fold(side, matter);
  }
}

/** Nobody of the audience is there to be told. */
function reasonOf(disposition: Disposition, reasonCode: string, audience: Audience, { activeIn }: StepContext): string {
  return disposition === 'Delivered' && !activeIn.has(audience) ? 'NoProvider' : reasonCode;
}

/** What is decided for each audience that a matter concerns, where anything is. */
function partsOf(incident: Incident, matter: Matter, context: StepContext): [Audience, Ruling, Part][] {
  const { audiences, knownAudiences, now } = context;
  return audiences.flatMap((audience): [Audience, Ruling, Part][] => {
    const view = viewFor(audience, incident.explanation);
    if (view === undefined) return [];
    const ruling = rule(incident, view, audience, context);
    const was = incident.standings[audience];
    const part = dispose(
      { incident, audience, ruling, was, known: knownAudiences.has(audience), now },
      matter,
      context,
    );
    return part ? [[audience, ruling, part]] : [];
  });
}

/**
 * The third stage: gives a matter its disposition for each audience, records it, and lets through what nothing mutes. An
 * incident of which there is nothing to decide is returned as it is.
 */
export function mute(incident: Incident, matter: Matter, context: StepContext): Disposed {
  const { now } = context;
  const parts = partsOf(incident, matter, context);
  const folded: Incident = matter.is === 'folds' ? { ...incident, foldedInto: matter.into } : incident;
  if (parts.length === 0 && matter.is !== 'begins') return { incident: folded, decisions: [], notices: [] };
  const to = matter.is === 'folds' ? matter.row.to : incident.state;
  const standings: Record<Audience, Standing> = matter.is === 'begins' ? {} : { ...incident.standings };
  const decisions: Decision[] = [];
  const notices: Notice[] = [];
  let considered = false;
  for (const [audience, { view }, { standing, decision, tell: told, ...part }] of parts) {
    const { disposition, by } = standing;
    standings[audience] = standing;
    considered ||= part.considered && (disposition === 'Delivered' || incident.considered !== undefined);
    if (decision) {
      const reasonCode = reasonOf(disposition, decision.reasonCode, audience, context);
      const decided = { ...decision, to, audience, disposition, reasonCode, ...(by !== undefined && { by }) };
      decisions.push(decisionOf(incident, now, decided));
    }
    if (told)
      notices.push({
        ...told,
        incident: incident.id,
        audience,
        view,
        ...beforeOf(incident.standings[audience], incident),
      });
  }
  const after = considered || notices.length > 0 ? withConsidered(folded, matter, considered, now) : folded;
  const free = parts.some(([, , { endsBaseline }]) => endsBaseline) ? withoutBaseline(after) : after;
  return { incident: { ...free, standings }, decisions, notices };
}

function withoutBaseline({ baseline, ...rest }: Incident): Incident {
  return rest;
}

/** What the audience was told before: of what was there at the start the summary. */
function beforeOf(was: Standing | undefined, { atStart }: Incident): { before?: Told } {
  const before = was?.told ?? atStart;
  return before ? { before } : {};
}

/** What is considered now is not considered again; what may be told once is marked. */
function withConsidered(incident: Incident, matter: Matter, considered: boolean, now: number): Incident {
  const latest = asTold(incident.explanation, now);
  const before = incident.considered;
  const news = matter.is === 'goesOn' ? matter.reasonCode : undefined;
  if (!considered) return { ...incident, considered: before ?? latest };
  return {
    ...incident,
    considered: latest,
    ...(news !== undefined && before && before.root !== latest.root && { rootRevised: true }),
  };
}

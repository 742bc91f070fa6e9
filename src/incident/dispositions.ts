import type { Audience, Decision, Disposition, Incident, Standing, Told } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { IncidentAct } from '../model/notification.ts';
import { viewFor } from '../model/view.ts';
import type { StepContext } from './context.ts';
import { decisionOf } from './decision.ts';
import type { Matter } from './lifecycle.ts';
import { type Ruling, rule } from './muting.ts';
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
};

/** One audience, and how things stand with it. */
type Side = {
  readonly incident: Incident;
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
  const at = Math.min(endsAt ?? now, now);
  return {
    reasonCode: was.disposition === 'Filtered' ? 'FilterEnded' : 'SilenceEnded',
    note: { is: 'mutedUntil', at, by: was.by ?? was.disposition },
  };
}

/** Nothing mutes any more what was kept back. */
function unmute(side: Side, was: Standing, context: StepContext): Part {
  const { ruling, now, incident } = side;
  const endsAt = context.settings.silences.find(({ ref }) => ref === was.by)?.endsAt;
  const { reasonCode, note } = unmuted(was, now, endsAt);
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

/** An incident goes on: who has heard of it, from whom it was kept back, whom it concerns only now. */
function goesOn(
  side: Side,
  { reasonCode: news, note }: Matter & { is: 'goesOn' },
  context: StepContext,
): Part | undefined {
  const { ruling, was, known, now, incident } = side;
  if (was === undefined)
    return known
      ? { ...tell(side, 'open', { action: 'open', from: 'Open', reasonCode: 'NowConcerned' }), considered: false }
      : // Who has just configured a provider reads one summary of all that is open.
        { standing: standingOf(ruling, now, undefined), considered: false };
  const same = ruling.disposition === was.disposition && ruling.by === was.by;
  const heard = was.disposition === 'Delivered';
  if (!heard && !same && was.disposition !== 'Baseline') {
    if (ruling.disposition === 'Delivered') return unmute(side, was, context);
    const decision = { action: 'suppress', from: incident.state, reasonCode: ruling.reasonCode } as const;
    return { standing: standingOf(ruling, now, was.told), decision, considered: news !== undefined };
  }
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
    const part = dispose({ incident, ruling, was, known: knownAudiences.has(audience), now }, matter, context);
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
  return { incident: { ...after, standings }, decisions, notices };
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

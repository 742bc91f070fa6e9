import type { Explanation } from '../model/explanation.ts';
import type { Audience, Decision, Disposition, Incident, Standing } from '../model/incident.ts';
import type { MutedBy, Note } from '../model/note.ts';
import { viewFor } from '../model/view.ts';
import type { StepContext } from './context.ts';
import { decisionOf } from './decision.ts';
import type { Matter } from './lifecycle.ts';
import { isMuted, type Ruling, rule, ruleAlone } from './muting.ts';

/** Why an audience may be told something now, and what is said beside it. */
export type Occasion = {
  readonly reasonCode: string;
  readonly notes: readonly Note[];
  /** Also whoever knows of the incident is told how it stands: what muted it is over. */
  readonly forAll?: true;
};

/** How an incident stands with one audience that nothing keeps it from. */
export type Side = {
  readonly audience: Audience;
  /** What the audience may read of it, without what is muted. */
  readonly view: Explanation;
  /** That part of it is muted. */
  readonly notes: readonly Note[];
  /** Absent: nothing has happened, but what somebody has not heard yet. */
  readonly occasion?: Occasion;
  /** It waits for the digest: only who knows of it already hears what is new. */
  readonly isQuiet?: true;
};

/** The incident as it stands with each audience now, what was decided, and who may be told. */
export type Ruled = {
  readonly incident: Incident;
  readonly decisions: readonly Decision[];
  readonly sides: readonly Side[];
};

/** What is decided for one audience. */
type Part = {
  readonly ruling: Ruling;
  readonly standing: Standing;
  readonly decision?: Pick<Decision, 'action' | 'from' | 'reasonCode'>;
  readonly occasion?: Occasion;
  /** It was there at the start and is told now: from here on it is an incident like any other, not part of the startup summary. */
  readonly endsBaseline?: true;
};

/** One audience, and how things stood with it. */
type Before = {
  readonly incident: Incident;
  readonly audience: Audience;
  readonly ruling: Ruling;
  readonly was: Standing | undefined;
  /** The audience was there in the step before. */
  readonly known: boolean;
};

const some = (...notes: readonly (Note | undefined)[]): Note[] => notes.filter((note) => note !== undefined);

/** The standing that a ruling gives, as it was where it is the same. */
function standingOf({ disposition, by }: Ruling, was: Standing | undefined, now: number): Standing {
  if (was?.disposition === disposition && was.by === by) return was;
  return { disposition, ...(by !== undefined && { by }), at: now };
}

/** Something happens that an audience hears of unless something mutes it. */
function happens(
  { ruling, was }: Before,
  decision: NonNullable<Part['decision']>,
  note: Note | undefined,
  now: number,
): Part {
  const standing = standingOf(ruling, was, now);
  const { reasonCode } = decision;
  if (ruling.disposition !== 'Delivered')
    return { ruling, standing, decision: { ...decision, reasonCode: ruling.reasonCode } };
  return { ruling, standing, decision, occasion: { reasonCode, notes: some(note) } };
}

/** What has ended, by what muted: a field of the filters, the hub's word, a Silence, a window or an annotated object. */
function endOfMute(by: MutedBy): 'FilterEnded' | 'SilenceEnded' | 'MaintenanceEnded' | 'HubEnded' {
  if (by.startsWith('filters.')) return 'FilterEnded';
  if (by.startsWith('Hub/')) return 'HubEnded';
  return by.startsWith('Silence/') ? 'SilenceEnded' : 'MaintenanceEnded';
}

/** When what muted ends or ended (epoch milliseconds), where it has an end. */
function endsAtOf(by: string | undefined, { settings }: StepContext): number | undefined {
  const silence = settings.silences.find(({ ref }) => ref === by);
  const opening = settings.windows.find(({ ref }) => ref === by)?.opening;
  return silence?.endsAt ?? opening?.endsAt;
}

/** The filter, window or Silence that held it back no longer applies. */
function freed({ ruling, incident }: Before, was: Standing, context: StepContext): Part {
  const { now } = context;
  const base = { ruling, standing: standingOf(ruling, was, now) };
  const decided = (action: 'open' | 'unmute', reasonCode: string, more: Partial<Occasion> = {}): Part => ({
    ...base,
    decision: { action, from: incident.state, reasonCode },
    occasion: { reasonCode, notes: [], ...more },
  });
  if (was.disposition === 'Digested') return decided('open', 'SeverityRaised');
  if (was.disposition === 'Folded') return decided('unmute', 'StandsAlone');
  const by = was.by ?? was.disposition;
  const note: Note = { is: 'mutedUntil', at: Math.min(endsAtOf(was.by, context) ?? now, now), by };
  return decided('unmute', endOfMute(by), { notes: [note], forAll: true });
}

/** Whether an audience has still to hear of it: what the startup summary listed, it has read there. */
function isKeptBack({ disposition, by }: Standing): boolean {
  return disposition !== 'Delivered' && (disposition !== 'Baseline' || by !== undefined);
}

/** An incident goes on: whom it concerns only now, from whom it is kept back from here on, and from whom no more. */
function goesOn(before: Before, news: string | undefined, context: StepContext): Part {
  const { ruling, was, known, audience } = before;
  const { now } = context;
  if (was === undefined)
    return known
      ? happens(before, { action: 'open', from: 'Open', reasonCode: 'NowConcerned' }, undefined, now)
      : // Who has just configured a provider reads one summary of all that is open.
        { ruling, standing: standingOf(ruling, was, now) };
  const isSame = ruling.disposition === was.disposition && ruling.by === was.by;
  // What the startup summary named is held back by nothing else.
  if (was.disposition === 'Baseline' && was.by === undefined && ruling.disposition === 'Baseline')
    return { ruling, standing: was };
  if (!isSame && isKeptBack(was)) {
    const endsBaseline = was.disposition === 'Baseline' && ruling.by === undefined;
    const alone = endsBaseline ? ruleAlone(ruling.view, audience, context) : ruling;
    const ended = endsBaseline ? { endsBaseline } : {};
    if (alone.disposition === 'Delivered') return { ...freed({ ...before, ruling: alone }, was, context), ...ended };
    return { ...kept(before, alone, now), ...ended };
  }
  if (!isSame && (isMuted(ruling.disposition) || ruling.by !== undefined)) return kept(before, ruling, now);
  if (news !== undefined) return happens(before, { action: 'update', from: 'Open', reasonCode: news }, undefined, now);
  return { ruling, standing: standingOf(ruling, was, now) };
}

/** It is kept back from now on, or by something else. */
function kept({ incident, was }: Before, ruling: Ruling, now: number): Part {
  const decision = { action: 'suppress', from: incident.state, reasonCode: ruling.reasonCode } as const;
  return { ruling, standing: standingOf(ruling, was, now), decision };
}

function partFor(before: Before, matter: Matter, context: StepContext): Part {
  const { ruling, was } = before;
  switch (matter.is) {
    case 'begins': {
      const { act: action, from, reasonCode, note } = matter;
      return happens(before, { action, from, reasonCode }, note, context.now);
    }
    case 'goesOn':
      return goesOn(before, matter.reasonCode, context);
    case 'folds': {
      const folded: Ruling = { ...ruling, disposition: 'Folded', by: matter.into };
      const { from, reasonCode } = matter.row;
      return {
        ruling: folded,
        standing: standingOf(folded, was, context.now),
        decision: { action: 'fold', from, reasonCode },
      };
    }
  }
}

/** Nobody of the audience is there to be told. */
function reasonOf(disposition: Disposition, reasonCode: string, audience: Audience, { activeIn }: StepContext): string {
  return disposition === 'Delivered' && !activeIn.has(audience) ? 'NoProvider' : reasonCode;
}

/**
 * The third stage: gives an incident its disposition for each audience that it concerns, records what has changed of it, and says who
 * may be told. One that is as it was is returned as it is.
 */
export function ruleOn(incident: Incident, matter: Matter, context: StepContext): Ruled {
  const { audiences, knownAudiences, now } = context;
  const standings: Record<Audience, Standing> = matter.is === 'begins' ? {} : { ...incident.standings };
  const decisions: Decision[] = [];
  const sides: Side[] = [];
  let endsBaseline = false;
  for (const audience of audiences) {
    const whole = viewFor(audience, incident.explanation);
    if (whole === undefined) continue;
    const was = standings[audience];
    const known = knownAudiences.has(audience);
    const ruling = rule(incident, whole, audience, context);
    const part = partFor({ incident, audience, ruling, was, known }, matter, context);
    const { disposition, by } = part.standing;
    standings[audience] = part.standing;
    endsBaseline ||= part.endsBaseline === true;
    if (part.decision) {
      const to = matter.is === 'folds' ? matter.row.to : incident.state;
      const reasonCode = reasonOf(disposition, part.decision.reasonCode, audience, context);
      const decided = { ...part.decision, to, audience, disposition, reasonCode, ...(by !== undefined && { by }) };
      decisions.push(decisionOf(incident, now, decided));
    }
    const { view, note } = part.ruling;
    const side = { audience, view, notes: some(note) };
    if (disposition === 'Delivered') sides.push({ ...side, ...(part.occasion && { occasion: part.occasion }) });
    if (disposition === 'Digested') sides.push({ ...side, isQuiet: true });
  }
  const folded: Incident = matter.is === 'folds' ? { ...incident, foldedInto: matter.into } : incident;
  const free = endsBaseline ? withoutBaseline(folded) : folded;
  const isSame = Object.entries(standings).every(([audience, one]) => incident.standings[audience] === one);
  const isAll = isSame && Object.keys(standings).length === Object.keys(incident.standings).length;
  return { incident: isAll ? free : { ...free, standings }, decisions, sides };
}

function withoutBaseline({ baseline, ...rest }: Incident): Incident {
  return rest;
}

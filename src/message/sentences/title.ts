import type { IncidentAnnouncement } from '../../model/announcement.ts';
import type { Explanation } from '../../model/explanation.ts';
import { namespaceOf } from '../../model/ref.ts';
import type { Case } from '../parts/case.ts';
import { shortChange, shortFix } from '../parts/change.ts';
import { noNames, shortImpact } from '../parts/impact.ts';
import { type Naming, titleNames } from '../parts/names.ts';
import { titleRoom } from '../parts/room.ts';
import { sentence } from '../parts/words.ts';
import { phraseOf } from '../phrases/phrases.ts';
import { maxCluster } from '../render/kit/headline.ts';
import { truncate } from '../render/kit/truncate.ts';
import { causesOf } from './causes.ts';
import { actorsOf, happeningOf, inOne, inPlural, namesOf } from './clause.ts';
import { shortConsequence } from './consequence.ts';
import { headlineOf, roughly } from './news.ts';
import type { Speech } from './speech.ts';

/** A title in its slots: `Nothing serves any more — shop/payments crashes: image 2.3 → 2.4 · 2 more fail`. */
type Slots = {
  /** What an update is for. */
  readonly news?: string | undefined;
  readonly happens: string;
  /** The best first: the second is said where there is room. */
  readonly causes: readonly string[];
  readonly impact?: string | undefined;
  /** Whom it hits says more than why. */
  readonly isWide?: boolean;
};

/** Names get this long at most, in the order in which that is tried; UTF-16 units. */
const nameRooms = [253, 48, 36] as const;

/** The first letter in upper case, where it begins a word of ours and not the name of an object. */
const begun = (text: string): string => (/^(?:the|webhook|registry|quota|policy) /.test(text) ? sentence(text) : text);

/** A title from its slots. */
function written({ news, happens, causes, impact }: Slots): string {
  const what = causes.length === 0 ? happens : `${happens}: ${causes.join(', ')}`;
  const whole = impact === undefined ? what : `${what} · ${impact}`;
  return news === undefined ? begun(whole) : `${news} — ${whole}`;
}

/**
 * The wordings of a title, the longest first: first the second cause goes, then causes lose the namespace that is said before them, then names
 * lose their middle, then whom it hits goes (of several clusters the cause). Each is made when it is asked for: the first mostly fits.
 */
function* wordings(slotsFor: (name: Naming, ofCauses: Naming) => Slots, within: string): Generator<Slots> {
  const withNames = (room: number, near: string): Slots => slotsFor(titleNames(room), titleNames(room, near));
  const full = withNames(nameRooms[0], '');
  yield full;
  const shorter: Slots[] = [];
  for (const named of [() => full, ...nameRooms.map((room) => () => withNames(room, within))]) {
    const { causes, ...rest } = named();
    const one = { ...rest, causes: causes.slice(0, 1) };
    shorter.push(one);
    yield one;
  }
  for (const one of shorter) if (one.isWide) yield { ...one, causes: [] };
  for (const { impact: _, ...bare } of shorter) yield bare;
}

/** The longest wording within `max`; only of the last the end of the text is cut, which is the cause's. `within`: the namespace of who fails. */
function fitting(slotsFor: (name: Naming, ofCauses: Naming) => Slots, max: number, within: string): string {
  let text = '';
  for (const slots of wordings(slotsFor, within)) {
    text = written(slots);
    if (text.length <= max) return text;
  }
  return truncate(text, max, 'utf16');
}

/** How much of a title's room the name of the cluster leaves, which stands behind it. */
export function roomBeside(cluster: string): number {
  return titleRoom - (cluster === '' ? 0 : Math.min(cluster.length, maxCluster) + ' ()'.length);
}

/** Whom it hits, as far as what happens, or what an update is for, does not say it. */
function beside(said: string, impact: string | undefined): string | undefined {
  if (impact === 'nothing serves' && /\b(?:(?:is|are) down|[Nn]othing serves)\b/.test(said)) return undefined;
  if (!impact?.startsWith(noNames) || !/\bDNS\b/.test(said)) return impact;
  const [, ...others] = impact.split(', ');
  return others.length === 0 ? undefined : others.join(', ');
}

/** What is wrong, why, and whom it hits, in at most `max` UTF-16 units. */
export function titleOfPart(part: Explanation, about: Case, max: number, news?: string): string {
  const { it, several } = actorsOf(part);
  const hit = several ? part.root.ref : it;
  const slotsFor = (name: Naming, ofCauses: Naming): Slots => {
    const happens = inOne(happeningOf(part, about, name));
    const impact = shortImpact(part, hit, name, shortConsequence(part, about, name));
    const said = news === undefined ? happens : `${news} ${happens}`;
    const isWide = part.clusters !== undefined;
    return { news, happens, causes: causesOf(part, about, ofCauses), impact: beside(said, impact), isWide };
  };
  return fitting(slotsFor, max, several ? '' : namespaceOf(it));
}

/** What ended it. */
function endOf({ announcement, part, about }: Speech, name: Naming): string {
  const { fix, rootIs } = announcement;
  const actors = actorsOf(part);
  const who = namesOf(actors, name);
  if (rootIs === 'gone') return `${who} ${actors.several ? 'are' : 'is'} gone`;
  if (rootIs === 'scaledToZero' && fix?.field !== 'replicas')
    return `${who} ${actors.several ? 'were' : 'was'} scaled to zero`;
  // The edit itself ended it: nothing is well after it.
  if (fix?.field === 'replicas') return shortChange(fix, '//', name);
  const { well } = phraseOf(about);
  return `${who} ${actors.several ? inPlural(well) : well}`;
}

/** How it ended, by what, and how long it had lasted. */
function titleOfEnd(speech: Speech, max: number): string {
  const { announcement, part, now } = speech;
  const { incident, fix } = announcement;
  const lasted = Math.max(0, lastedUntil(announcement, now) - incident.startedAt);
  const slotsFor = (name: Naming, ofCauses: Naming): Slots => {
    const isMended = fix !== undefined && fix.field !== 'replicas';
    const causes = isMended ? [shortFix(fix, part.change, actorsOf(part).it, ofCauses)] : [];
    return { happens: endOf(speech, name), causes, impact: `lasted ${roughly(lasted)}` };
  };
  const { it, several } = actorsOf(part);
  return fitting(slotsFor, max, several ? '' : namespaceOf(it));
}

/** When it was well (epoch milliseconds). */
export function lastedUntil({ incident }: IncidentAnnouncement, now: number): number {
  return incident.clearSince ?? incident.resolvedAt ?? now;
}

/**
 * The title of a message about an incident: the first 100 characters, with the cluster behind it, say what broke, why, and whom it hits. It is
 * the push text, the subject, the summary of a pager and the row of a list.
 */
export function titleOf(speech: Speech, cluster: string): string {
  const max = roomBeside(cluster);
  return speech.announcement.act === 'resolve'
    ? titleOfEnd(speech, max)
    : titleOfPart(speech.part, speech.about, max, headlineOf(speech));
}

import type { IncidentAnnouncement } from '../../model/announcement.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { Case } from '../parts/case.ts';
import { shortChange, shortFix } from '../parts/change.ts';
import { shortImpact } from '../parts/impact.ts';
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
 * The longest wording within `max`: first the second cause goes, then names lose their middle, then whom it hits goes, and only then is the
 * end of the text cut, which is the cause's.
 */
function fitting(slotsFor: (name: Naming) => Slots, max: number): string {
  const slots = nameRooms.map((room) => slotsFor(titleNames(room)));
  const [full] = slots;
  const one = slots.map((each) => ({ ...each, causes: each.causes.slice(0, 1) }));
  const bare = one.map(({ impact: _, ...rest }) => rest);
  const candidates = [...(full ? [full] : []), ...one, ...bare].map(written);
  return candidates.find((text) => text.length <= max) ?? truncate(candidates.at(-1) ?? '', max, 'utf16');
}

/** How much of a title's room the name of the cluster leaves, which stands behind it. */
export function roomBeside(cluster: string): number {
  return titleRoom - (cluster === '' ? 0 : Math.min(cluster.length, maxCluster) + ' ()'.length);
}

const isSaidByVerb = (happens: string, impact: string | undefined): boolean =>
  impact === 'nothing serves' && /(?:is|are) down\b/.test(happens);

/** What is wrong, why, and whom it hits, in at most `max` UTF-16 units. */
export function titleOfPart(part: Explanation, about: Case, max: number, news?: string): string {
  return fitting((name) => {
    const happens = inOne(happeningOf(part, about, name));
    const { it, several } = actorsOf(part);
    const hit = several ? part.root.ref : it;
    const impact = shortImpact(part, hit, name, shortConsequence(part, about, name));
    const isSaid = isSaidByVerb(happens, impact) || (news === 'Nothing serves any more' && impact === 'nothing serves');
    return { news, happens, causes: causesOf(part, about, name), impact: isSaid ? undefined : impact };
  }, max);
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
  return fitting((name) => {
    const isMended = fix !== undefined && fix.field !== 'replicas';
    const causes = isMended ? [shortFix(fix, part.change, actorsOf(part).it, name)] : [];
    return { happens: endOf(speech, name), causes, impact: `lasted ${roughly(lasted)}` };
  }, max);
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

import type { IncidentAnnouncement } from '../../model/announcement.ts';
import type { Explanation } from '../../model/explanation.ts';
import { earliest } from '../../model/instants.ts';
import { briefChange, describeChange, describeFix } from '../parts/change.ts';
import { titleNames } from '../parts/names.ts';
import { clockTime } from '../parts/times.ts';
import { isWorkload, objectOf, sentence } from '../parts/words.ts';
import { phraseOf, sentenceOf } from '../phrases/phrases.ts';
import { ownSign, saysWhy, signStated } from '../phrases/signs/sign.ts';
import { causesOf } from './causes.ts';
import { actorsOf, happeningOf, inOne } from './clause.ts';
import { consequenceOf, shortConsequence } from './consequence.ts';
import { again, newsOf } from './news.ts';
import type { Speech } from './speech.ts';
import { lastedUntil } from './title.ts';

/** How sure, before a cause. */
const because = { high: 'because', likely: 'probably because', unknown: '' } as const;
const becauseOf = { high: 'because of', likely: 'probably because of', unknown: 'and what they share is' } as const;

/**
 * Since when it fails from its cause (epoch milliseconds). What had failed before for another reason, and got well or was edited
 * since, does not fail from a change that came later.
 */
function sinceOf(
  { incident: { startedAt, explanation } }: IncidentAnnouncement,
  { change, members }: Explanation,
): number {
  if (change === undefined || explanation.confidence === 'unknown' || change.at <= startedAt) return startedAt;
  const later = earliest(members.flatMap(({ since }) => (since < change.at ? [] : [since])));
  return Number.isFinite(later) ? later : change.at;
}

/** Since when, and by which edit; from and to only where the title has no room for them. */
function beginning({ announcement, part, about, now }: Speech, title: string): string {
  const { confidence, change, root } = part;
  const { it } = actorsOf(part);
  const when = `It ${phraseOf(about).once ? 'happened' : 'began'} at ${clockTime(sinceOf(announcement, part), now)}`;
  if (change !== undefined && confidence !== 'unknown') {
    const [short = ''] = causesOf({ ...part, confidence: 'high' }, about, titleNames(Number.POSITIVE_INFINITY));
    const describe = title.includes(short) ? briefChange : describeChange;
    return `${when}, ${because[confidence]} ${describe(change, it, now)}.`;
  }
  const isOfOthers = change === undefined && it !== root.ref;
  const isSaid = title.includes(titleNames(Number.POSITIVE_INFINITY)(root.ref));
  return isOfOthers && !isSaid ? `${when}, ${becauseOf[confidence]} ${objectOf(root.ref)}.` : `${when}.`;
}

/** What the title has no room for: since when, by whose edit, what the program says, whom it hits, and that nobody knows why. */
function body(speech: Speech, title: string): readonly string[] {
  const { part, about } = speech;
  const phrase = phraseOf(about);
  const isCut = !title.includes(happeningOf(part, about, titleNames(Number.POSITIVE_INFINITY)).predicate);
  const sign = actorsOf(part).several ? undefined : ownSign(part);
  const stated = sign && signStated(sign);
  const isSaid = stated !== undefined && title.includes(stated.replace(/^its log says that /, ''));
  const consequence = consequenceOf(part, about);
  const short = shortConsequence(part, about, titleNames(Number.POSITIVE_INFINITY));
  const isUnexplained = part.confidence === 'unknown' && !(sign && saysWhy(sign)) && !phrase.saysWhy?.(about);
  return [
    ...(isCut ? [`${sentence(inOne(happeningOf(part, about, objectOf)))}.`] : []),
    beginning(speech, title),
    ...(stated === undefined || isSaid ? [] : [`${sentence(stated)}.`]),
    ...(consequence === undefined || (short !== undefined && title.includes(short))
      ? []
      : [`${sentence(consequence)}.`]),
    ...(isUnexplained ? ['The cause is not known.'] : []),
  ];
}

/** Nobody saw when it ended: it was there when Tocsin stopped and was over when it looked again. */
function unseenEnd(unseenSince: number, { from, to }: { from: string; to: string }, now: number): string {
  const last = clockTime(unseenSince, now);
  const when = last === to ? `at about ${to}` : `between ${last.replace(/ UTC$/, '')} and ${to}`;
  return `It began at ${from} and ended ${when}, while Tocsin was not running.`;
}

/** When it began and ended, and the edit that ended it. */
function resolution({ announcement, part, now }: Speech): readonly string[] {
  const { incident, fix } = announcement;
  const end = lastedUntil(announcement, now);
  const by = fix ? [`${sentence(describeFix(fix, part.change, '//', now))}.`] : [];
  const [from, to] = [clockTime(incident.startedAt, now), clockTime(end, now)];
  if (incident.unseenSince !== undefined) return [unseenEnd(incident.unseenSince, { from, to }, now), ...by];
  return [`It began at ${from} and ended ${from === to ? 'within the minute' : `at ${to}`}.`, ...by];
}

/** A sentence or two below the title, which they do not repeat: an update says what is new first. */
export function leadOf(speech: Speech, title: string): string {
  switch (speech.announcement.act) {
    case 'open':
      return body(speech, title).join(' ');
    case 'reopen':
      return [`${sentence(again(speech.announcement))}.`, ...body(speech, title)].join(' ');
    case 'update': {
      const news = newsOf(speech, title);
      return [...(news === undefined ? [] : [`${sentence(news)}.`]), ...body(speech, title)].join(' ');
    }
    case 'resolve':
      return resolution(speech).join(' ');
  }
}

/** The cause in one sentence, `undefined` when it is not known. */
export function causeOf({ part, about, now }: Speech): string | undefined {
  const sign = ownSign(part);
  const said = sign && saysWhy(sign) && !actorsOf(part).several ? `${sentence(signStated(sign))}.` : undefined;
  if (part.confidence === 'unknown') return said;
  if (part.change) return `${sentence(describeChange(part.change, '//', now))}.`;
  if (said !== undefined) return said;
  if (isWorkload(part.root.ref) && about.finding) return sentenceOf(about.finding);
  const why = phraseOf(about).why?.(about);
  return `${sentence(inOne(happeningOf(part, about, objectOf)))}${why === undefined ? '' : `: ${why}`}.`;
}

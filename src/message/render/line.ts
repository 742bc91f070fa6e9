import type { ListedIncident, Notification } from '../../model/notification.ts';
import { describeRef } from '../../model/ref.ts';
import { beyondTitle } from './kit/beyond-title.ts';
import { webLinks } from './kit/clip.ts';
import { type Measured, measure, plainest } from './kit/gsm.ts';
import { headline, maxCluster, oneLine } from './kit/headline.ts';
import { stateOf } from './kit/state.ts';
import { truncate } from './kit/truncate.ts';

/** Each segment is billed for each recipient, and nobody reads more on a lock screen. */
export const maxSegments = 3;
/** No part is looked at any further; UTF-16 units. */
const maxPart = 800;
/** Longer titles are of hostile names. */
const maxTitle = 160;

/**
 * A notification as one text for a phone, in at most three segments and as few as are useful: how bad, where and what happened,
 * whatever it takes; whom it hits and what is in the list only where it is urgent or costs no further segment; proofs and the
 * runbook where there is room left. Everything has its counterpart in the GSM alphabet where there is one.
 */
export function shortMessage(notification: Notification): string {
  const { impact, note, evidence, links } = beyondTitle(notification);
  const entries = listOf(notification);
  const main = [impact === undefined ? [] : [impact], isStorm(notification) ? entries.slice(1) : entries];
  const state = stateOf(notification);
  // Nobody looks up what to do about what is over.
  const runbook = state === 'resolved' ? [] : webLinks(links, 1).map(({ url }) => url);
  const more = [note === undefined ? [] : [note], evidence, runbook];
  const begun = beginning(notification);
  // What nobody has to see today is not worth a further segment.
  const urgent = state === 'critical' || state === 'high';
  const told = main.reduce((text, parts) => extended(text, parts, urgent), begun);
  return more.reduce((text, parts) => extended(text, parts, false), told);
}

/**
 * What broke, how bad that is where nothing has a colour, and the sentence below it. An overview names nothing: the worst of it stands before
 * its sentence, since a lock screen may show the first segment only.
 */
function beginning(notification: Notification): string {
  const { incident, cluster, lead, title } = notification;
  const worst = isStorm(notification) ? listOf(notification).slice(0, 1) : [];
  const state = stateOf(notification);
  const place = truncate(oneLine(cluster), maxCluster, 'utf16');
  const head = incident
    ? `${truncate(oneLine(title), maxTitle, 'utf16')} (${place === '' ? state : `${place}, ${state}`})`
    : headline(notification, maxTitle, 'utf16');
  return cut(plainest(truncate([head, ...worst, oneLine(lead)].join('\n'), maxPart, 'utf16')));
}

/** Much breaks at once, and this message is all that tells it. */
function isStorm({ act, over }: Notification): boolean {
  return act === 'overview' && !over;
}

/** The entries of a list, a line each. */
function listOf({ list, over }: Notification): readonly string[] {
  return (list?.entries ?? []).map((entry) => listed(entry, over));
}

function listed({ severity, reason, root, affected }: ListedIncident, over = false): string {
  const what = `${reason} ${describeRef(root)}${affected > 1 ? ` (${affected} affected)` : ''}`;
  return over ? what : `${severity.toUpperCase()} ${what}`;
}

/** The text with those of the parts, in their order, that it has room for. `further`: they may take further segments. */
function extended(text: string, parts: readonly string[], further: boolean): string {
  const { alphabet, segments } = measure(text);
  let told = text;
  for (const part of parts) {
    const longer = `${told}\n${plainest(oneLine(truncate(part, maxPart, 'utf16')))}`;
    const found = measure(longer);
    if (found.alphabet !== alphabet || found.segments > (further ? maxSegments : segments)) break;
    told = longer;
  }
  return told;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The text within the segments there are, cut between graphemes, with a mark of its own alphabet. */
function cut(text: string): string {
  if (measure(text).segments <= maxSegments) return text;
  let fitting = '';
  for (const { index, segment } of graphemes.segment(text)) {
    const kept = marked(text.slice(0, index + segment.length));
    if (kept.segments > maxSegments) break;
    fitting = kept.text;
  }
  return fitting;
}

function marked(kept: string): Pick<Measured, 'segments'> & { readonly text: string } {
  const mark = measure(kept).alphabet === 'gsm' ? '...' : '…';
  const text = `${kept.trimEnd()}${mark}`;
  return { text, segments: measure(text).segments };
}

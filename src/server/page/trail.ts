import { clockTime } from '../../message/parts/times.ts';
import { sentence } from '../../message/parts/words.ts';
import type { DecisionAction } from '../../model/incident.ts';
import { describeRef, isRef, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { IncidentTrail, TrailDelivery, TrailStep } from '../report-view.ts';
import { html, type Markup } from './markup.ts';
import { table, words } from './tables.ts';
import type { Moment } from './timeline.ts';

/** What was done, as people say it. */
const done: Readonly<Record<DecisionAction, string>> = {
  open: 'incident opened',
  update: 'changed',
  resolve: 'resolved',
  reopen: 'open again',
  suppress: 'held back',
  fold: 'part of another incident',
  forget: 'dropped',
  recover: 'everything healthy, waiting whether it lasts',
  unmute: 'no longer held back',
  acknowledge: 'acknowledged',
  unacknowledge: 'acknowledgement withdrawn',
};

/** What the time line says where somebody was told. */
const told: Readonly<Partial<Record<DecisionAction, string>>> = {
  open: 'Notified: incident opened',
  update: 'Update sent',
  resolve: 'Resolution sent',
  reopen: 'Notified: open again',
  unmute: 'Notified, now that nothing holds it back',
};

/** Each time that somebody was told. Several audiences are told at one instant: once. */
export function saidOf({ steps }: IncidentTrail): readonly Moment[] {
  const said = steps.flatMap(({ at, action, disposition }) => {
    const what = disposition === 'Delivered' ? told[action] : undefined;
    return what === undefined ? [] : [{ at, what }];
  });
  return [...new Map(said.map((moment) => [`${moment.at} ${moment.what}`, moment])).values()];
}

const named = (ref: Ref): string => `${namespaceOf(ref)}/${nameOf(ref)}`;
const time = (at: number, now: number): Markup =>
  html`<time datetime="${new Date(at).toISOString()}" data-seconds>${clockTime(at, now).replace(/(\d\d:\d\d) UTC$/, new Date(at).toISOString().slice(11, 19))}</time>`;

/** Every decision with its reason, to the second. `of`: what tells this table from those of other incidents, for who hears the page. */
export function stepTable({ steps, forgotten }: IncidentTrail, of: string, now: number): Markup | undefined {
  if (steps.length === 0) return undefined;
  const rows = steps.map((step) => {
    const { at, action, disposition, audience, severity } = step;
    return html`<tr><td>${time(at, now)}</td><td>${sentence(done[action])}</td><td>${severity}</td><td>${disposition}</td><td>${reasonOf(step)}</td><td>${audience === '' ? 'whole cluster' : audience}</td></tr>`;
  });
  const headings = ['Time', 'What was decided', 'Severity', 'What became of it', 'Why', 'For whom'];
  return html`<h3>Decisions</h3>${table(`Decisions, incident ${of}`, headings, rows, steps.length + forgotten)}`;
}

const reasonOf = ({ reasonCode, by }: TrailStep): string =>
  by === undefined ? reasonCode : `${reasonCode}, by ${isRef(by) ? describeRef(by) : by}`;

/** The messages about one incident. */
export function trailOf({ deliveries }: IncidentTrail, of: string, now: number): Markup | undefined {
  if (deliveries.length === 0) return undefined;
  return html`<h3>Messages and their answers</h3>${deliveryTable(`Messages and their answers, incident ${of}`, deliveries, now)}`;
}

const ends: Readonly<Record<TrailDelivery['ended'], string>> = {
  waiting: 'no answer known',
  pending: 'failed, tried again',
  delivered: 'delivered',
  failed: 'failed',
  dropped: 'not sent: no longer needed',
};

/** Messages: to whom, what about, and what was answered. */
export function deliveryTable(caption: string, deliveries: readonly TrailDelivery[], now: number): Markup {
  const rows = deliveries.map((delivery) => {
    const { createdAt, provider, act, ended, at, attempts } = delivery;
    const bad = ended === 'failed' || ended === 'pending';
    return html`<tr class="${bad ? 'bad' : ''}"><td>${time(createdAt, now)}</td><th scope="row">${named(provider)}</th><td>${act}</td><td>${ends[ended]}</td><td>${at === undefined ? '–' : time(at, now)}</td><td class="number">${attempts}</td><td dir="auto">${answerOf(delivery)}</td></tr>`;
  });
  const headings = ['Written', 'Provider', 'Act', 'Ended as', 'At', 'Attempts', 'Answer'];
  return table(caption, headings, rows, deliveries.length);
}

function answerOf({ ended, failure }: TrailDelivery): string {
  const failed = failure ? words(`${failure.code}: ${failure.message}`) : '–';
  return failure && ended === 'delivered' ? `before: ${failed}` : failed;
}

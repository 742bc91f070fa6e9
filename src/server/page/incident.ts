import { acknowledgedInWords } from '../../message/parts/acknowledged.ts';
import { silenceAnchor, silenceCommand } from '../../message/parts/silence.ts';
import { count, sentence } from '../../message/parts/words.ts';
import { beyondTitle } from '../../message/render/kit/beyond-title.ts';
import { type AccountContext, accountsOf } from '../../message/sentences/account.ts';
import { humanDuration } from '../../model/duration.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { Incident } from '../../model/incident.ts';
import type { Notification } from '../../model/notification.ts';
import { describeRef, kindNameOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { searchable } from '../past.ts';
import { html, type Markup } from './markup.ts';
import { picture } from './picture.ts';
import { words } from './tables.ts';
import { type Moment, timeline } from './timeline.ts';

/**
 * An incident with the words that its message has, and what is known of it besides: each time that somebody was told, and what stands
 * below it.
 */
export type Told = {
  readonly incident: Incident;
  readonly words: Notification;
  readonly more?: { readonly said: readonly Moment[]; readonly below: Markup };
};

const sure = { high: 'The cause', likely: 'Probably the cause', unknown: 'The cause is not known' } as const;

/** How sure of the cause the words are: once what failed is healthy, the incident itself does not know it any more. */
const confidenceOf = ({ incident, words }: Pick<Told, 'incident' | 'words'>): keyof typeof sure =>
  words.incident?.confidence ?? incident.explanation.confidence;

/** What is taken for the cause, and what speaks for it. */
function causes({ incident, words }: Told): readonly Markup[] {
  const { root } = incident.explanation;
  const own =
    confidenceOf({ incident, words }) === 'unknown'
      ? 'Nothing that Tocsin can see explains it.'
      : causeOf(words, root.ref);
  const evidence = beyondTitle(words).evidence.filter((each) => each !== own);
  return [own, ...evidence].map((each) => html`<li dir="auto">${each}</li>`);
}

/** The edit or the failure that is blamed, in words; else the object that everything goes back to. */
const causeOf = (words: Notification, root: Ref): string =>
  words.incident?.cause === undefined ? describeRef(root) : sentence(words.incident.cause);

/** What links to a card. Ids of incidents are made here, but those of a stored state are read: nothing but these characters goes into an attribute. */
export const anchor = (id: string): string => `i-${plainId(id)}`;
const plainId = (id: string): string => id.replace(/[^\w-]/g, '');

/** How a card stands on its page. */
export type CardPlace = {
  readonly open: boolean;
  /** The way to the pages of single incidents; absent: there are none. */
  readonly one?: string;
  /** Of several cards one sees the row; a page of one has a heading of its own. */
  readonly alone?: boolean;
};

/**
 * One incident: a row that says what, why, whom it hits and since when; below it, what proves it, what to do and who was notified. The first are
 * shown whole, with `more` the log too.
 */
export function incidentCard(told: Told, now: number, place: CardPlace, context: Omit<AccountContext, 'now'>): Markup {
  const { incident, words, more } = told;
  const { impact } = beyondTitle(words);
  const { id, explanation, state } = incident;
  const { root } = explanation;
  const drawn = picture(explanation);
  const silence = silenceCommand(root.ref);
  const isServed = place.one !== undefined;
  const taken = acknowledgedInWords(incident, now);
  return html`<details class="card ${explanation.severity}" id="${anchor(id)}"${place.open && rawOpen}${isServed && html` data-find="${findable(told)}"`}>
${row(told, now)}
<p class="lead" dir="auto">${words.lead}</p>
${impact !== undefined && html`<p>${impact}</p>`}
<div class="columns"><div>
<h3>${sure[confidenceOf(told)]}</h3>
<ul>${causes(told)}</ul>
${words.nextStep && html`<h3>Next step</h3>${command(words.nextStep.command, isServed)}`}
${state !== 'Resolved' && silence !== undefined && html`<h3 id="${silenceAnchor(id)}">Silence it for an hour</h3>${command(silence, isServed)}`}
${taken !== undefined && html`<p>Acknowledged ${taken}</p>`}<h3>Notified</h3>
<ul>${notified(incident, { ...context, now })}</ul>
</div><div>
<h3>What happened</h3>
${timeline(incident, now, more?.said)}
${drawn && html`<h3>What it affects</h3>${drawn}`}
</div></div>
${words.excerpt && html`<details class="log"${(more || place.alone) && rawOpen}><summary>${words.excerpt.source}</summary><pre>${words.excerpt.lines.join('\n')}</pre></details>`}
${more?.below}
<p class="links">${words.links.map(({ title, url }) => html`<a href="${url}" rel="noreferrer">${title}</a>`)}${place.one !== undefined && !place.alone && html`<a href="${place.one}${plainId(id)}">Link to this incident</a>`}<span class="id">${id}</span></p>
</details>`;
}

/** A command that is copied by a button, where scripts run. */
function command(text: string, isServed: boolean): Markup {
  const code = html`<pre><code>${text}</code></pre>`;
  if (!isServed) return code;
  return html`<div class="command">${code}<button type="button" class="copy" aria-label="Copy the command">Copy</button></div>`;
}

/** The one line of an incident. */
function row(told: Told, now: number): Markup {
  const { explanation, startedAt, state, acknowledged, resolvedAt = now } = told.incident;
  const { severity, reason, root } = explanation;
  const age = coarse(resolvedAt - startedAt);
  const standing = state === 'Open' ? age : state === 'Resolved' ? `lasted ${age}` : `recovering · ${age}`;
  const known = acknowledged && state !== 'Resolved' ? `acknowledged · ${standing}` : standing;
  return html`<summary><span class="severity">${severity}</span><span class="title" dir="auto"><b>${told.words.title}</b></span><span class="why">${reason} · ${describeRef(root.ref)}</span><span class="hit">${hits(explanation)}</span><span class="state">${known}</span></summary>`;
}

/** `3 Pods hit`, `5 objects hit`; nothing where nobody else is. */
function hits({ affected, affectedCount = affected.length }: Explanation): string {
  if (affectedCount === 0) return '';
  const kinds = new Set(affected.map(({ ref }) => kindNameOf(ref)));
  const [kind = 'object'] = kinds.size === 1 ? kinds : ['object'];
  return `${count(affectedCount, kind)} hit`;
}

/** What the filter of the page looks for words in. */
function findable(told: Told): string {
  const { incident, words } = told;
  const { object, reason, severity, namespace, cause, id } = searchable({ incident, words });
  return [id, severity, reason, namespace, cause, object].join(' ').slice(0, mostFindable);
}

/** Characters of a row that the filter looks through. */
const mostFindable = 240;

/** An age that changes once a minute: the page is exchanged where it does. */
function coarse(milliseconds: number): string {
  return milliseconds < 60_000 ? 'under a minute' : humanDuration(Math.floor(milliseconds / 60_000) * 60_000);
}

const rawOpen = html` open`;

/** Who was notified of what and when, who could not be and what happens now, and what holds it back. */
function notified(incident: Incident, context: AccountContext): readonly Markup[] {
  const accounts = accountsOf(incident, context);
  if (accounts.length === 0) return [html`<li>Nobody yet: it may still pass by itself.</li>`];
  return accounts.map(({ audience, standing, summary, says, providers }) => {
    const rows = providers.map(
      ({ provider, told, says: heard }) =>
        html`<li class="${told ? '' : 'bad'}" dir="auto"><b>${namespaceOf(provider)}/${nameOf(provider)}</b>: ${words(heard)}</li>`,
    );
    const isSaidBelow = standing.disposition === 'Delivered' && providers.length > 0;
    const whom = audience === '' ? '' : html`<b>${audience}</b>: `;
    const what = standing.disposition === 'Delivered' ? `${summary}.` : says;
    return html`${!isSaidBelow && html`<li>${whom}${what}</li>`}${rows}`;
  });
}

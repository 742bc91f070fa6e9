import { type AccountContext, accountsOf } from '../../message/account.ts';
import { silenceAnchor, silenceCommand } from '../../message/silence.ts';
import { humanDuration } from '../../model/duration.ts';
import type { Incident } from '../../model/incident.ts';
import type { Notification } from '../../model/notification.ts';
import { describeRef, nameOf, namespaceOf } from '../../model/ref.ts';
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

/** What is taken for the cause, and what speaks for it. */
function causes({ incident, words }: Told): readonly Markup[] {
  const { confidence, root } = incident.explanation;
  const own = confidence === 'unknown' ? 'Nothing that Tocsin can see explains it.' : describeRef(root.ref);
  return [own, ...words.evidence].map((each) => html`<li dir="auto">${each}</li>`);
}

/** What links to a card. Ids of incidents are made here, but those of a stored state are read: nothing but these characters goes into an attribute. */
export const anchor = (id: string): string => `i-${id.replace(/[^\w-]/g, '')}`;

/**
 * One incident: what broke, why, whom it hits, who was notified. The first are shown whole, with `more` the log too.
 */
export function incidentCard(
  { incident, words, more }: Told,
  now: number,
  open: boolean,
  context: Omit<AccountContext, 'now'>,
): Markup {
  const { id, explanation, startedAt, state } = incident;
  const { severity, confidence, reason, root, affected } = explanation;
  const age = coarse((incident.resolvedAt ?? now) - startedAt);
  const drawn = picture(explanation);
  const silence = silenceCommand(root.ref);
  const hit = affected.length > 0 && html`<span class="hit">+${affected.length}</span>`;
  return html`<details class="card ${severity}" id="${anchor(id)}"${open && rawOpen}>
<summary><span class="severity">${severity}</span><span class="title"><b>${reason}</b> ${describeRef(root.ref)} ${hit}</span><span class="state">${state === 'Open' ? '' : `${state} · `}${age}</span></summary>
<p class="lead" dir="auto">${words.lead}</p>
${words.impact !== undefined && html`<p>${words.impact}</p>`}
<div class="columns"><div>
<h3>${sure[confidence]}</h3>
<ul>${causes({ incident, words })}</ul>
${words.nextStep && html`<h3>Next step</h3><pre><code>${words.nextStep.command}</code></pre>`}
${state !== 'Resolved' && silence !== undefined && html`<h3 id="${silenceAnchor(id)}">Silence it for an hour</h3><pre><code>${silence}</code></pre>`}
<h3>Notified</h3>
<ul>${notified(incident, { ...context, now })}</ul>
</div><div>
<h3>What happened</h3>
${timeline(incident, now, more?.said)}
${drawn && html`<h3>What it affects</h3>${drawn}`}
</div></div>
${words.excerpt && html`<details class="log"${more && rawOpen}><summary>${words.excerpt.source}</summary><pre>${words.excerpt.lines.join('\n')}</pre></details>`}
${more?.below}
<p class="links">${words.links.map(({ title, url }) => html`<a href="${url}" rel="noreferrer">${title}</a> `)}<span class="id">${id}</span></p>
</details>`;
}

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

import { silenceAnchor, silenceCommand } from '../../message/silence.ts';
import { fateInWords } from '../../message/why.ts';
import { clockTime } from '../../message/words.ts';
import { humanDuration } from '../../model/duration.ts';
import { lastTold } from '../../model/hearing.ts';
import type { Incident } from '../../model/incident.ts';
import type { Notification } from '../../model/notification.ts';
import { describeRef } from '../../model/ref.ts';
import { html, type Markup } from './markup.ts';
import { picture } from './picture.ts';
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
 * One incident: what broke, why, whom it hits, what became of it. The first are shown whole, with `more` the log too. `parent`: the
 * incident of an id.
 */
export function incidentCard(
  { incident, words, more }: Told,
  now: number,
  open: boolean,
  parent: (id: string) => Incident | undefined,
): Markup {
  const { id, explanation, startedAt, state } = incident;
  const { severity, confidence, reason, root, affected } = explanation;
  const age = coarse((incident.resolvedAt ?? now) - startedAt);
  const drawn = picture(explanation);
  const hit = affected.length > 0 && html`<span class="hit">+${affected.length}</span>`;
  return html`<details class="card ${severity}" id="${anchor(id)}"${open && rawOpen}>
<summary><span class="severity">${severity}</span><span class="title"><b>${reason}</b> ${describeRef(root.ref)} ${hit}</span><span class="state">${state === 'Open' ? '' : `${state} · `}${age}</span></summary>
<p class="lead" dir="auto">${words.lead}</p>
${words.impact !== undefined && html`<p>${words.impact}</p>`}
<div class="columns"><div>
<h3>${sure[confidence]}</h3>
<ul>${causes({ incident, words })}</ul>
${words.nextStep && html`<h3>Look next</h3><pre><code>${words.nextStep.command}</code></pre>`}
${state !== 'Resolved' && html`<h3 id="${silenceAnchor(id)}">Silence it for an hour</h3><pre><code>${silenceCommand(root.ref)}</code></pre>`}
<h3>Who was told</h3>
<ul>${fates(incident, now, parent)}</ul>
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

function fates(incident: Incident, now: number, parent: (id: string) => Incident | undefined): readonly Markup[] {
  const told = lastTold(incident);
  const entries = Object.entries(incident.standings);
  if (entries.length === 0) return [html`<li>Nobody yet: it may still pass by itself.</li>`];
  return entries.map(([audience, { disposition, by }]) => {
    const under = disposition === 'Folded' && by !== undefined ? parent(by)?.explanation.root.ref : undefined;
    const parts = { ...(under && { foldedUnder: under }), ...(told && { toldAt: told.at }) };
    const fate = { disposition, ...(by !== undefined && { by }), ...parts };
    const says =
      disposition === 'Delivered' && told ? `Told, last at ${clockTime(told.at, now)}.` : fateInWords(fate, now);
    return html`<li>${audience === '' ? '' : html`<b>${audience}</b>: `}${says}</li>`;
  });
}

import { createHash } from 'node:crypto';
import { beyondTitle } from '../message/render/kit/beyond-title.ts';
import { describeRef } from '../model/ref.ts';
import { html, Markup } from '../server/page/markup.ts';
import { style } from '../server/page/style.ts';
import type { Broken, Diagnosis } from './answer.ts';
import { lookedInWords, sureInWords, unseenInWords, verdictInWords } from './words.ts';

const sheet = `${style}.card{content-visibility:visible}`;
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** The answer as one page that needs nothing else and asks nobody for anything. */
export function diagnosisHtml(diagnosis: Diagnosis): string {
  const { broken, omitted, unseen, limits } = diagnosis;
  const verdict = verdictInWords(diagnosis);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${verdict}</title><style>${new Markup(sheet)}</style></head>
<body>
<header><h1>${verdict}</h1></header>
<main>
<p>${lookedInWords(diagnosis)}</p>
${broken.map(card)}
${omitted > 0 && html`<p>and ${omitted} more</p>`}
${section('Not seen', unseenInWords(unseen))}
${section('What such a look cannot know', limits)}
</main>
<footer>Made by Tocsin. Times are UTC. Credentials that Tocsin knows by their shape are blanked out; names and log lines of the cluster are not: look through it before you hand it on.</footer>
</body>
</html>
`.text;
}

function card(broken: Broken): Markup {
  const { severity, reason, root, words, affected } = broken;
  const { title, lead, evidence, impact, nextStep, excerpt } = beyondTitle(words);
  return html`<details class="card ${severity}" open>
<summary><span class="severity">${severity}</span><span class="title"><b>${title}</b> ${affected.count > 0 && html`<span class="hit">+${affected.count}</span>`}</span></summary>
<p class="lead" dir="auto">${lead}</p>
<p class="labels">${reason} · ${describeRef(root)}</p>
${impact !== undefined && html`<p>${impact}</p>`}
<ul>${[...evidence, sureInWords(broken)].map((each) => html`<li dir="auto">${each}</li>`)}</ul>
${nextStep && html`<h3>Next step</h3><pre><code>${nextStep.command}</code></pre>`}
${excerpt && html`<h3>${excerpt.source}</h3><pre>${excerpt.lines.join('\n')}</pre>`}
</details>`;
}

function section(heading: string, lines: readonly string[]): Markup | false {
  return (
    lines.length > 0 && html`<h2>${heading}</h2><ul>${lines.map((line) => html`<li dir="auto">${line}</li>`)}</ul>`
  );
}

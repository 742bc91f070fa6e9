import { clockTime } from '../../message/parts/times.ts';
import { escapeHtml } from '../../message/render/kit/escape-html.ts';
import { cleanText } from '../../model/redact.ts';

/** Markup that is safe to write: made by `html`, which escapes everything that is not markup itself. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text is escaped, markup is not, nothing is left out. */
export type Part = string | number | Markup | undefined | false | readonly Part[];

function written(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(written).join('');
  // What turns the direction of writing would let a name be read as another.
  return escapeHtml(cleanText(String(part)));
}

/** A template of HTML or SVG in which every value is cleaned and escaped, whatever a cluster may have put into it. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(template.map((text, index) => text + written(parts[index])).join(''));
}

/** A time (epoch milliseconds) in UTC, which scripts show in the reader's zone. `now`: of another day it has its date. */
export const timeTag = (at: number, now: number): Markup =>
  html`<time datetime="${new Date(at).toISOString()}">${clockTime(at, now)}</time>`;

import type { Request } from 'express';
import { parseDurationMs } from '../model/duration.ts';
import type { Unclear, WhyQuestion } from '../model/why.ts';
import { mostListed, usuallyListed } from './incidents.ts';
import type { HistoryQuestion } from './past.ts';
import type { ReportQuestion } from './report-view.ts';

/** What is answered to a question about an object that is none. */
export const badQuestion: Unclear = {
  unclear:
    'Name one object as KIND/NAMESPACE/NAME (deployment/shop/api, node/n1), and times as in RFC 3339 (2026-11-22T18:00:00Z).',
};

/** What is answered to a search that is none. */
export const badHistoryQuestion: Unclear = {
  unclear: `Give times as in RFC 3339 (2026-11-22T18:00:00Z) or ages (7d), a state (open, over), a limit of 1 to ${mostListed}, and each once.`,
};

/** Whether it can be the name of a namespace. */
export const isNamespace = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-z0-9-]{1,63}$/.test(text);

/** What `/status/why` is asked. `undefined`: there is no object, or a time or namespace is none. */
export function whyQuestion(
  { object, namespace, at }: Request['query'],
  now: number,
): (WhyQuestion & { readonly at: number }) | undefined {
  const time = at === undefined ? now : typeof at === 'string' ? Date.parse(at) : Number.NaN;
  const isRight = namespace === undefined || typeof namespace === 'string';
  if (typeof object !== 'string' || !isRight || !Number.isFinite(time)) return undefined;
  return { object, ...(namespace !== undefined && { namespace }), at: time };
}

/** What `/status/incidents` is asked for. `undefined`: a time, a state or a number is none. `now`: epoch milliseconds. */
export function historyQuestion(
  query: Request['query'],
  now: number,
): (HistoryQuestion & { readonly limit: number }) | undefined {
  const { search, namespace, since, until, state, limit = String(usuallyListed) } = query;
  const texts = [search, namespace, since, until, state, limit];
  if (texts.some((each) => each !== undefined && typeof each !== 'string')) return undefined;
  const [from, to] = [instant(since, now), instant(until, now)];
  const most = Number(limit);
  if (Number.isNaN(from) || Number.isNaN(to) || !Number.isInteger(most) || most < 1 || most > mostListed)
    return undefined;
  if (state !== undefined && state !== '' && state !== 'open' && state !== 'over') return undefined;
  return {
    ...{ limit: most, ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) },
    ...(typeof search === 'string' && search.trim() !== '' && { search }),
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
    ...((state === 'open' || state === 'over') && { state }),
  };
}

/** A time of RFC 3339, or so long ago (`7d`); `undefined`: none is given; `NaN`: it is neither. */
function instant(text: unknown, now: number): number | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  const ago = parseDurationMs(text);
  return ago === undefined ? Date.parse(text) : now - ago;
}

/** What `/status/report` is asked for. `undefined`: a time is none. */
export function reportQuestion({ object, from, until }: Request['query']): ReportQuestion | undefined {
  const times = { from, until };
  const read = Object.entries(times).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, typeof text === 'string' ? Date.parse(text) : Number.NaN] as const],
  );
  if (read.some(([, at]) => !Number.isFinite(at))) return undefined;
  return { ...(typeof object === 'string' && { object }), ...Object.fromEntries(read) };
}

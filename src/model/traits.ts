import type { Act } from './notification.ts';
import type { ProviderSettings } from './settings.ts';

/** What a product makes of an incident: messages, mails, issues, alerts, or records for other programs. */
export type Family = 'chat' | 'mail' | 'tracker' | 'pager' | 'log';

/** What deciding whom to tell needs to know of a provider type. */
export type TypeTraits = {
  /** How messages that are no incident are told: as they are, as one alert, or not at all. */
  readonly plain: 'native' | 'alert' | 'none';
  readonly family: Family;
  /** It knows what it made by the alert key alone, so the end of what was opened before a restart closes it. */
  readonly closesByKey: boolean;
  /** It keeps its message up to date, which rings nobody, where all these fields that hold secrets are set. Absent: it does not. */
  readonly edits?: readonly string[];
};

/** Type → its traits. */
export type Traits = ReadonlyMap<string, TypeTraits>;

/** A chat: shows every kind of message, and what is told in a list is told. */
export const chatTraits: TypeTraits = { plain: 'native', family: 'chat', closesByKey: false };

/** Whether a provider's product keeps its message up to date as it is configured. */
export function keepsUpToDate(
  { edits }: Pick<TypeTraits, 'edits'>,
  { secrets }: Pick<ProviderSettings, 'secrets'>,
): boolean {
  return edits?.every((field) => secrets[field] !== undefined) === true;
}

/** Whether people read there what is written, and can be spared what is no worse. Elsewhere programs keep the state of a thing. */
export function isRead({ family }: Pick<TypeTraits, 'family'>): boolean {
  return family === 'chat' || family === 'mail';
}

/** It makes one thing of each incident, so it must never get one in a list only. */
export function makesThings({ family }: TypeTraits): boolean {
  return family === 'tracker' || family === 'pager';
}

/**
 * What collapses there where too much is told at once. `all`: people read it, and can read only so much. `namespace`: people are called, and
 * must be for each team, but not hundreds of times by one. `undefined`: nothing, since each incident is a thing of its own, or programs read it.
 */
export function collapses({ family, plain }: TypeTraits): 'all' | 'namespace' | undefined {
  if (family === 'chat' || family === 'mail') return 'all';
  return family === 'pager' && plain !== 'none' ? 'namespace' : undefined;
}

const shows: Readonly<Record<TypeTraits['plain'], ReadonlySet<Act>>> = {
  native: new Set<Act>(['open', 'update', 'resolve', 'reopen', 'digest', 'startup', 'overview', 'test']),
  alert: new Set<Act>(['open', 'update', 'resolve', 'reopen', 'startup', 'test']),
  none: new Set<Act>(['open', 'update', 'resolve', 'reopen', 'test']),
};

/** Whether a product can show an act at all. A test always goes. */
export function showsAct({ plain }: Pick<TypeTraits, 'plain'>, act: Act): boolean {
  return shows[plain].has(act);
}

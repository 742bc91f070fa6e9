import { cleanText, redact } from '../../model/redact.ts';
import type { Labels } from '../../model/subject.ts';
import { createPool } from './intern.ts';

/** Fields of a raw object. The API's types are not trusted: anything may be missing or of another type. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

/** The value as an object; an empty one when it is something else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : none;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; an empty list when it is something else. */
export function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  // As a rule all are, and then there is nothing to copy.
  return value.every(isFields) ? value : value.filter(isFields);
}

/** The value as a string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value as a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** An RFC 3339 time as epoch milliseconds. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = wholeSecondOf(value) ?? Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

/** Two digits as a number; NaN when they are none. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/**
 * `2026-11-21T13:05:00Z`, the form of nearly all times of the API, faster than `Date.parse`: a Pod has ten of them.
 * `undefined` for every other form, and for days that not all months have.
 */
function wholeSecondOf(text: string): number | undefined {
  if (text.length !== 20 || text[4] !== '-' || text[7] !== '-' || text[10] !== 'T') return undefined;
  if (text[13] !== ':' || text[16] !== ':' || text[19] !== 'Z') return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  const isPlain =
    year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour <= 23 && minute <= 59 && second <= 59;
  return isPlain ? startOfDay(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000 : undefined;
}

/** The day that was asked for last: most times of an object are of one. */
let lastDay = { code: 0, startsAt: Number.NaN };

function startOfDay(year: number, month: number, day: number): number {
  const code = (year * 16 + month) * 32 + day;
  if (code !== lastDay.code) lastDay = { code, startsAt: Date.UTC(year, month - 1, day) };
  return lastDay.startsAt;
}

/** The string values of a map (`metadata.labels`, `nodeSelector`). */
export function labelsOf(value: unknown): Labels {
  // As a rule all are strings, and then there is nothing to copy.
  if (isLabels(value)) return value;
  const labels: Record<string, string> = {};
  const fields = fieldsOf(value);
  for (const name in fields) {
    const entry = fields[name];
    if (typeof entry === 'string') labels[name] = entry;
  }
  return labels;
}

function isLabels(value: unknown): value is Labels {
  if (!isFields(value)) return false;
  for (const name in value) if (typeof value[name] !== 'string') return false;
  return true;
}

/** Longest text kept of a condition or a state; the scheduler's sentence on a large cluster is about 1,000. */
const maxTextChars = 1500;
/**
 * What is looked at of a text. An object may hold a mebibyte in one condition, and looking for secrets in all of it to keep a page would hold
 * everybody up. More than is kept, as what is blanked out gets shorter.
 */
const maxReadChars = 4 * maxTextChars;

/** Cleaned texts by what they were: every node says the same of its disks. */
const cleaned = createPool<string>(500);

/** A text of the cluster as it may be kept: no secret, no character that could lie to a reader, of bounded length. */
export function messageOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  const clean = (): string => cleanText(redact(cleanText(value.slice(0, maxReadChars))), maxTextChars);
  return value.length > maxTextChars ? clean() : cleaned(value, clean);
}

/** Like `messageOf`, but keeps the end: a termination message ends with what it died of. */
export function tailOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // A word that is cut in two may be a secret without its name.
  const read = value.length <= maxReadChars ? value : value.slice(-maxReadChars).replace(/^\S*/, '');
  const clean = redact(cleanText(read)).trim();
  return clean === '' ? undefined : clean.slice(-maxTextChars).toWellFormed();
}

/** Only the given optional fields that have a value: absent means the API did not say. */
export function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const some: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (isGiven(value)) some[name] = value;
  }
  return some;
}

function isGiven<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

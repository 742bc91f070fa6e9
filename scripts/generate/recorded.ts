/** What the conformance suite has recorded of a type, for its page: real requests and mails, their secrets blanked. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { AnyConfig } from '../../src/providers/kit/block.ts';
import type { AnyProvider, Ending } from '../../src/providers/kit/define.ts';
import { folderOf, type Mode, readCaseFile } from '../../test/providers/conformance/case-file.ts';
import { lookUp, partsOf } from '../../test/providers/conformance/expect.ts';
import { notifications } from '../../test/providers/notifications.ts';
import { readable } from './readable.ts';

/** A request or mail as the golden files hold it. */
type Golden = {
  readonly request?: string;
  readonly body?: unknown;
  readonly text?: readonly string[];
};

/** A type's recordings, in the mode that is most like its sample. */
export type Recorded = {
  /** What is sent for an act (`open`, `update`, …), as Markdown: method and address, with the field that opens and closes. */
  readonly requestsOf: (act: string) => readonly string[] | undefined;
  /** The message of an opening: as people read it, or as YAML where programs do. */
  readonly opening: Shown;
  /** The same of any act; `undefined` where nothing is sent that people read. */
  readonly shownOf: (act: string) => Shown | undefined;
};

/** A message: as people read it, or as YAML where programs do. */
export type Shown = { readonly language: 'text' | 'yaml'; readonly text: string };

/** The requests or mails that the suite recorded of a type in a mode for an act, without look-ups, their secrets blanked. */
export function recordedMessages(type: string, name: string, act: string): readonly Golden[] {
  const mode = modesOf(type).find(([each]) => each === name)?.[1];
  const file = join(folderOf(type, name), `${act}.json`);
  if (!mode || !existsSync(file)) return [];
  const all: readonly Golden[] = JSON.parse(blanked(readFileSync(file, 'utf8'), mode));
  return all.filter(({ request = '' }) => !request.startsWith('GET '));
}

/** The recordings of a type; `undefined` when there are none yet. */
export function recordedOf({ type, sample }: Pick<AnyProvider, 'type' | 'sample'>): Recorded | undefined {
  const recorded = modesOf(type).filter(([name]) => existsSync(join(folderOf(type, name), 'open.json')));
  const [[name, mode] = []] = recorded.sort(([, a], [, b]) => likeness(b.block, sample) - likeness(a.block, sample));
  if (name === undefined || !mode) return undefined;
  const shownOf = (act: string): Shown | undefined => {
    const all = recordedMessages(type, name, act).map((golden) => shown(golden, mode));
    return all.find(({ text }) => text !== '');
  };
  const opening = shownOf('open');
  if (!opening) return undefined;
  return {
    requestsOf: (act) => {
      const all = recordedMessages(type, name, act);
      if (all.length === 0) return undefined;
      return all.map(
        (golden) => `\`${golden.request === undefined ? 'mail' : bare(golden.request)}\`${stateOf(golden, mode)}`,
      );
    },
    opening,
    shownOf,
  };
}

/** What people read of a request; all of it where its fixtures name no part of it. */
function shown(golden: Golden, mode: Mode): Shown {
  const parts = mode.shown.map((path) => titled(path, readable(lookUp(golden, path.split('.')))));
  return parts.length > 0
    ? { language: 'text', text: parts.filter((part) => part !== '').join('\n\n') }
    : { language: 'yaml', text: stringify(golden.body, { lineWidth: 0 }).trimEnd() };
}

/** What a vendor ends of that which a type can use: all the endings that its fixtures and its sample come upon. */
export function endingsOf({ ending, sample, type }: AnyProvider): readonly Ending[] {
  if (!ending) return [];
  const used = modesOf(type).map(([, { block, secrets }]) => ({
    ...block,
    ...Object.fromEntries(Object.entries(secrets).map(([field, value]) => [field, { value }])),
  }));
  const found = [sample, ...used].flatMap((block) => ending(block) ?? []);
  return [...new Map(found.map((each) => [each.instead, each])).values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** How much two blocks have in common: fields, and what plain ones begin or end with. */
function likeness(block: AnyConfig, sample: AnyConfig): number {
  const fields = new Set([...Object.keys(block), ...Object.keys(sample)]);
  const points = [...fields].map((field) => {
    const [mine, theirs] = [block[field], sample[field]];
    if (mine === undefined || theirs === undefined) return -1;
    return typeof mine === 'string' && (mine.endsWith(`${theirs}`) || mine.startsWith(`${theirs}`)) ? 2 : 1;
  });
  return points.reduce((sum, each) => sum + each, 0);
}

/** None for a type whose fixtures are still to be written. */
export function modesOf(type: string): readonly (readonly [string, Mode])[] {
  return existsSync(join(folderOf(type), 'conformance.yaml')) ? [...readCaseFile(type).modes] : [];
}

/** Secrets are made up, but a page must not look as if they belonged there. Of an address only the secret parts go. */
function blanked(text: string, { secrets }: Mode): string {
  const values = Object.values(secrets).flatMap((value) =>
    partsOf(value).length > 0 ? partsOf(value) : [value, ...value.split('/').filter((part) => part.length >= 6)],
  );
  return values
    .flatMap((value) => [value, encodeURIComponent(value), Buffer.from(value).toString('base64')])
    .sort((a, b) => b.length - a.length)
    .reduce((all, value) => all.replaceAll(JSON.stringify(value).slice(1, -1), '…'), text);
}

/** Method and address without what every address has, and without the query; keys of the recording by what they are. */
function bare(request: string): string {
  return request
    .replace(/\?.*$/, '')
    .replace('https://', '')
    .replaceAll(notifications.open.incident?.alertKey ?? '', '{alert}')
    .replace(/\b[0-9a-f]{32}\b/, '{delivery}');
}

/** What a request says of the state of an alert, where a field does: ``(`event_action: resolve`)``. */
function stateOf(golden: Golden, { supports: { close } }: Mode): string {
  if (close?.is === undefined || close.at === undefined || close.at === 'address') return '';
  const value = lookUp(golden, close.at.split('.'));
  return value === undefined ? '' : ` (\`${close.at.slice(close.at.lastIndexOf('.') + 1)}: ${value}\`)`;
}

/** Lines that stand apart from the text are named. */
function titled(path: string, text: string): string {
  const name = /(subject|topic)(?:\.data)?$/i.exec(path)?.[1]?.toLowerCase();
  return name === undefined ? text : `${name.replace(/^./, (letter) => letter.toUpperCase())}: ${text}`;
}

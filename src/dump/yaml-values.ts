import { parse } from 'yaml';
import { indentOf, parseBlocks } from './block-yaml.ts';
import type { Bounds } from './bounds.ts';
import type { Found } from './found.ts';
import { MarkedLogs } from './marked-logs.ts';

const kindOfList = /^kind: (\w+)List$/m;
const [newline, space, dash] = [0x0a, 0x20, 0x2d];
/** Begins or ends a document. */
const isMark = (line: string): boolean =>
  (line.startsWith('---') || line.startsWith('...')) && /^...(?:\s|$)/.test(line);
/** No object of Kubernetes has aliases; a bomb has. */
const options = { logLevel: 'error', maxAliasCount: 100, uniqueKeys: false } as const;

/**
 * Takes YAML apart line by line, however large: documents one after the other, the items of a list each by itself, and between them the logs that
 * `kubectl cluster-info dump -o yaml` prints. `wants` says by its kind whether an object is worth parsing: YAML is slow.
 */
export class YamlValues {
  readonly #bounds: Pick<Bounds, 'objectBytes' | 'logBytes'>;
  readonly #wants: (kind: string) => boolean;
  readonly #logs: MarkedLogs;
  /** The begin of a line that is not complete. */
  #rest: Buffer[] = [];
  #restLength = 0;
  #head: string[] = [];
  #item: string[] = [];
  /** Characters of the item, or of what is around items. */
  #length = 0;
  #isTooLarge = false;
  #isList = false;
  /** Spaces before the dash of each item; -1: none has begun. */
  #indent = -1;

  constructor(bounds: Pick<Bounds, 'objectBytes' | 'logBytes'>, wants: (kind: string) => boolean) {
    this.#bounds = bounds;
    this.#wants = wants;
    this.#logs = new MarkedLogs(bounds.logBytes);
  }

  /** Adds bytes; returns what is complete with them. */
  take(bytes: Uint8Array): Found[] {
    const found: Found[] = [];
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = chunk.lastIndexOf(newline);
    if (end >= 0) {
      const whole = chunk.subarray(0, end);
      // All lines at once: one by one their texts would take longer than what is in them.
      const text = (this.#rest.length === 0 ? whole : Buffer.concat([...this.#rest, whole])).toString('utf8');
      for (const line of text.split('\n')) this.#line(line, found);
      [this.#rest, this.#restLength] = [[], 0];
    }
    const rest = chunk.subarray(end + 1);
    this.#restLength += rest.length;
    // Of a line without end only the begin is kept: whatever it is, it is no object.
    if (rest.length > 0 && this.#restLength <= this.#bounds.objectBytes) this.#rest.push(Buffer.from(rest));
    return found;
  }

  /** There is no more. */
  end(): Found[] {
    const found: Found[] = [];
    if (this.#restLength > 0) this.#line(Buffer.concat(this.#rest).toString('utf8'), found);
    this.#endDocument(found);
    found.push(...this.#logs.end());
    return found;
  }

  #line(given: string, found: Found[]): void {
    const ofLog =
      this.#logs.isAtBegin && !given.startsWith('==== ') ? undefined : this.#logs.takeLine(Buffer.from(given));
    if (ofLog) {
      this.#endDocument(found);
      found.push(...ofLog);
      return;
    }
    const line = given.endsWith('\r') ? given.slice(0, -1) : given;
    if (isMark(line)) this.#endDocument(found);
    else if (line.startsWith('items:') && /^items:\s*(?:\[\s*\]\s*)?$/.test(line)) this.#isList = true;
    else if (this.#isList) this.#lineOfList(line, found);
    else this.#push(this.#head, line, found);
  }

  #lineOfList(line: string, found: Found[]): void {
    const indent = indentOf(line);
    const isItem = line.charCodeAt(indent) === dash && line.charCodeAt(indent + 1) === space;
    if (isItem && (this.#indent < 0 || indent === this.#indent)) {
      this.#endItem(found);
      this.#indent = indent;
      this.#push(this.#item, `${' '.repeat(indent + 2)}${line.slice(indent + 2)}`, found);
      return;
    }
    const isWithin = this.#indent >= 0 && (indent > this.#indent || line.trim() === '');
    this.#push(isWithin ? this.#item : this.#head, line, found);
  }

  #push(lines: string[], line: string, found: Found[]): void {
    this.#length += line.length + 1;
    if (this.#isTooLarge) return;
    lines.push(line);
    if (this.#length <= this.#bounds.objectBytes) return;
    this.#isTooLarge = true;
    lines.length = 0;
    found.push({ is: 'flaw', says: `an object has more than ${this.#bounds.objectBytes >> 20} MiB: it is left out` });
  }

  #endItem(found: Found[]): void {
    if (this.#item.length > 0) this.#emit(this.#item, ' '.repeat(this.#indent + 2), found);
    [this.#item, this.#length, this.#isTooLarge] = [[], 0, false];
  }

  #endDocument(found: Found[]): void {
    const isList = this.#isList;
    this.#endItem(found);
    if (isList) found.push({ is: 'list', kind: kindOfList.exec(this.#head.join('\n'))?.[1] ?? '' });
    else if (this.#head.some((line) => line.trim() !== '' && !line.startsWith('#'))) this.#emit(this.#head, '', found);
    [this.#head, this.#indent, this.#isList] = [[], -1, false];
  }

  #emit(lines: readonly string[], indent: string, found: Found[]): void {
    const kind = lines.find((line) => line.startsWith(`${indent}kind: `))?.slice(indent.length + 'kind: '.length);
    if (kind !== undefined && !this.#wants(kind.replace(/["'\s]/g, ''))) return;
    try {
      found.push({ is: 'value', value: (parseBlocks(lines) ?? { value: parse(lines.join('\n'), options) }).value });
    } catch {
      found.push({ is: 'flaw', says: 'an object is not YAML: it is left out' });
    }
  }
}

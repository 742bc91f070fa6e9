import type { Bounds } from './bounds.ts';
import { Capture } from './capture.ts';
import type { Found } from './found.ts';
import { MarkedLogs } from './marked-logs.ts';

const [quote, backslash, comma, newline, space] = [0x22, 0x5c, 0x2c, 0x0a, 0x20];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const kindOfList = /"kind"\s*:\s*"(\w+)List"/;
/** A name is told apart by so many characters. */
const mostName = 8;

/** Where in a value the reading is: in what stands around the items of a list, between them, or in one. A value that is no list is all head. */
type Part = 'head' | 'between' | 'item';

/**
 * Takes JSON apart while it arrives, however large: values one after the other, the items of a list each by itself, and between them the logs
 * that `kubectl cluster-info dump` prints. What is held is one object.
 */
export class JsonValues {
  readonly #item: Capture;
  readonly #head: Capture;
  readonly #logs: MarkedLogs;
  readonly #tooLarge: Found;
  /** Open braces and brackets. */
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  /** The name that was read last at the first level of a value. */
  #name = '';
  #isNaming = false;
  #part: Part = 'head';
  /** How deep the items of a list are; 0: the value is no list so far. */
  #itemDepth = 0;
  #listKind: string | undefined;
  /** Where what is captured begins in this chunk. */
  #from = 0;

  constructor({ objectBytes, logBytes }: Pick<Bounds, 'objectBytes' | 'logBytes'>) {
    this.#item = new Capture(objectBytes);
    this.#head = new Capture(objectBytes);
    this.#logs = new MarkedLogs(logBytes);
    this.#tooLarge = { is: 'flaw', says: `an object has more than ${objectBytes >> 20} MiB: it is left out` };
  }

  /** Adds bytes; returns what is complete with them. */
  take(bytes: Uint8Array): Found[] {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const found: Found[] = [];
    this.#from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#depth === 0) at = this.#outside(byte, at, chunk, found);
      else if (this.#inText) this.#readText(byte);
      else if (byte === quote) this.#beginText();
      else if (byte === openBrace || byte === openBracket) this.#open(byte, at, chunk);
      else if (byte === closeBrace || byte === closeBracket) this.#close(at, chunk, found);
    }
    if (this.#depth > 0) this.#keep(chunk, chunk.length);
    return found;
  }

  /** There is no more. */
  end(): Found[] {
    const found: Found[] = [...this.#logs.end()];
    if (this.#depth > 0) found.push({ is: 'flaw', says: 'it is cut off within an object' });
    return found;
  }

  /** Between values there are spaces, commas and the lines of logs. Returns where it has come to. */
  #outside(byte: number, at: number, chunk: Buffer, found: Found[]): number {
    if (this.#logs.isAtBegin && (byte <= space || byte === comma)) return at;
    if (this.#logs.isAtBegin && (byte === openBrace || byte === openBracket)) {
      this.#begin(byte === openBracket, at);
      return at;
    }
    const end = chunk.indexOf(newline, at);
    this.#logs.add(chunk.subarray(at, end < 0 ? chunk.length : end));
    if (end >= 0) found.push(...this.#logs.endLine());
    return end < 0 ? chunk.length : end;
  }

  #begin(isArray: boolean, at: number): void {
    [this.#depth, this.#itemDepth, this.#part, this.#from] = [1, isArray ? 1 : 0, isArray ? 'between' : 'head', at];
    [this.#name, this.#listKind] = ['', undefined];
    this.#head.take();
  }

  #readText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#inText = false;
      this.#isNaming = false;
    } else if (this.#isNaming && this.#name.length < mostName) this.#name += String.fromCharCode(byte);
  }

  #beginText(): void {
    this.#inText = true;
    this.#isNaming = this.#depth === 1 && this.#part === 'head';
    if (this.#isNaming) this.#name = '';
  }

  #open(byte: number, at: number, chunk: Buffer): void {
    if (this.#part === 'between' && this.#depth === this.#itemDepth) {
      this.#part = 'item';
      this.#from = at;
    }
    this.#depth += 1;
    const beginsItems = this.#depth === 2 && byte === openBracket && this.#itemDepth === 0 && this.#name === 'items';
    if (!beginsItems) return;
    this.#keep(chunk, at + 1);
    [this.#part, this.#itemDepth] = ['between', 2];
    this.#listKind = kindOfList.exec(this.#head.text())?.[1];
  }

  #close(at: number, chunk: Buffer, found: Found[]): void {
    this.#depth -= 1;
    if (this.#part === 'item' && this.#depth === this.#itemDepth) {
      this.#keep(chunk, at + 1);
      this.#part = 'between';
      found.push(this.#valueOf(this.#item.take(), this.#listKind));
    } else if (this.#part === 'between' && this.#depth < this.#itemDepth) {
      // What is around the items goes on behind them.
      this.#part = 'head';
      this.#from = at;
    }
    if (this.#depth > 0) return;
    this.#keep(chunk, at + 1);
    if (this.#itemDepth === 0) found.push(this.#valueOf(this.#head.take(), undefined));
    else if (this.#itemDepth === 2) found.push({ is: 'list', kind: kindOfList.exec(this.#head.text())?.[1] ?? '' });
  }

  /** Adds what came until `to` to what it is a part of. */
  #keep(chunk: Buffer, to: number): void {
    if (this.#part !== 'between') (this.#part === 'item' ? this.#item : this.#head).add(chunk.subarray(this.#from, to));
    this.#from = to;
  }

  #valueOf(text: string | undefined, listKind: string | undefined): Found {
    if (text === undefined) return this.#tooLarge;
    try {
      const value: unknown = JSON.parse(text);
      return { is: 'value', value, ...(listKind !== undefined && { listKind }) };
    } catch {
      return { is: 'flaw', says: 'an object is not JSON: it is left out' };
    }
  }
}

/** What this reader leaves to one that knows all of YAML. */
class Unusual extends Error {}

/** The spaces that a line begins with. */
export function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 0x20) indent += 1;
  return indent;
}

/** Characters that begin something else than a plain scalar or key, in YAML 1.2. */
const begins = new Set('&*!|>%@`"\'{}[],#?:-');
const number = /^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** What readers of YAML take for something else than a text, by version and kind: rare, and read as a whole. */
const doubtful =
  /^(?:[-+]?\.?\d[\d_]*\.?[\d_]*(?:e[-+]?\d*)?|[-+]?0[xob][\da-f_]*|[-+]?\d[\d_:]*|[-+]?\.(?:inf|nan)|true|false|null|~|yes|no|on|off)$/i;

/**
 * YAML as kubectl and oc write it, ten times as fast as a reader of all of YAML reads it: mappings and sequences in blocks, scalars of one line, literal
 * blocks. `undefined`: there is something else in it.
 */
export function parseBlocks(lines: readonly string[]): { readonly value: unknown } | undefined {
  try {
    const reader = new BlockReader(lines);
    return { value: reader.read() };
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

class BlockReader {
  readonly #lines: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  read(): unknown {
    const indent = this.#skip();
    if (indent < 0) throw new Unusual();
    const value = this.#block(indent);
    if (this.#skip() >= 0) throw new Unusual();
    return value;
  }

  /** Passes over empty lines; the indent of the line that comes then, -1 at the end. */
  #skip(): number {
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      const indent = indentOf(line);
      if (indent === line.length) continue;
      const first = line[indent];
      if (first === '#' || first === '\t') throw new Unusual();
      return indent;
    }
    return -1;
  }

  #block(indent: number): unknown {
    this.#depth += 1;
    if (this.#depth > 100) throw new Unusual();
    const line = this.#lines[this.#at] ?? '';
    const value = isItem(line, indent) ? this.#sequence(indent) : this.#mapping(indent, line);
    this.#depth -= 1;
    return value;
  }

  #sequence(indent: number): unknown[] {
    const items: unknown[] = [];
    while (this.#skip() === indent) {
      const line = this.#lines[this.#at] ?? '';
      if (!isItem(line, indent)) break;
      const rest = line.slice(indent + 2);
      if (rest.trim() === '') throw new Unusual();
      const within = indent + 2 + indentOf(rest);
      const text = line.slice(within);
      if (isItem(text, 0)) throw new Unusual();
      // The first entry of a mapping stands behind the dash.
      if (keyEnd(text) > 0) items.push(this.#mapping(within, `${' '.repeat(within)}${text}`));
      else {
        this.#at += 1;
        items.push(this.#scalar(text.trimEnd(), indent));
      }
    }
    return items;
  }

  /** `first`: the line that it begins with, as it would stand by itself. */
  #mapping(indent: number, first: string): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    let line = first;
    for (;;) {
      const text = line.slice(indent);
      const end = keyEnd(text);
      if (end <= 0) throw new Unusual();
      const key = keyIn(text.slice(0, end));
      this.#at += 1;
      const rest = text.slice(end + 1).trim();
      entries.push([key, rest === '' ? this.#below(indent) : this.#scalar(rest, indent)]);
      if (this.#skip() !== indent) break;
      line = this.#lines[this.#at] ?? '';
      if (isItem(line, indent)) break;
    }
    return Object.fromEntries(entries);
  }

  /** What stands below a key without a value: more that is indented, or a sequence that is not. */
  #below(indent: number): unknown {
    const next = this.#skip();
    const line = this.#lines[this.#at] ?? '';
    if (next > indent || (next === indent && isItem(line, indent))) return this.#block(next);
    return null;
  }

  #scalar(text: string, indent: number): unknown {
    if (text === '{}') return this.#alone(indent, {});
    if (text === '[]') return this.#alone(indent, []);
    if (text === '|' || text === '|-') return this.#literal(indent, text === '|');
    const first = text[0] ?? '';
    if (first === '"') return this.#alone(indent, doubleQuoted(text));
    if (first === "'") return this.#alone(indent, singleQuoted(text));
    if (first === '-' && number.test(text)) return this.#alone(indent, Number(text));
    if (begins.has(first) && !/^[-:?][^\s,[\]{}]/.test(text)) throw new Unusual();
    if (text.includes(' #') || text.includes(': ') || text.endsWith(':')) throw new Unusual();
    return this.#alone(indent, plain(text));
  }

  /** A scalar of one line: what is indented below it would be more of it. */
  #alone<Value>(indent: number, value: Value): Value {
    if (this.#skip() > indent) throw new Unusual();
    return value;
  }

  #literal(indent: number, endsLine: boolean): string {
    const lines: string[] = [];
    let within = -1;
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      const own = indentOf(line);
      if (own === line.length) {
        lines.push(within < 0 ? '' : line.slice(within));
        continue;
      }
      if (within < 0) within = own;
      if (within <= indent || own < within) break;
      lines.push(line.slice(within));
    }
    while (lines.at(-1) === '') lines.pop();
    // Spaces alone at its end are kept by some and not by others.
    if (lines.length === 0 || lines.at(-1)?.trim() === '') throw new Unusual();
    return lines.join('\n') + (endsLine ? '\n' : '');
  }
}

const isItem = (line: string, indent: number): boolean =>
  line[indent] === '-' && (line.length === indent + 1 || line[indent + 1] === ' ');

/** Where the colon behind a key stands; 0 or less: there is none. */
function keyEnd(text: string): number {
  const first = text[0] ?? '';
  if (first === '"' || first === "'") {
    const close = text.indexOf(first, 1);
    const follows = text[close + 1];
    if (close < 0 || follows !== ':' || text.slice(1, close).includes('\\')) return follows === first ? -1 : 0;
    return text[close + 2] === ' ' || close + 2 === text.length ? close + 1 : 0;
  }
  const at = text.indexOf(': ');
  return at > 0 ? at : text.endsWith(':') ? text.length - 1 : 0;
}

function keyIn(text: string): string {
  const first = text[0] ?? '';
  if (first === '"' || first === "'") return text.slice(1, -1);
  if (begins.has(first) || text.includes(' #') || text.endsWith(' ') || doubtful.test(text)) throw new Unusual();
  return text;
}

function doubleQuoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
  } catch {
    // It goes on in the next line, or has escapes that JSON does not have.
  }
  throw new Unusual();
}

function singleQuoted(text: string): string {
  const within = text.slice(1, -1);
  if (text.length < 2 || !text.endsWith("'") || within.replaceAll("''", '').includes("'")) throw new Unusual();
  return within.replaceAll("''", "'");
}

function plain(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (number.test(text)) return Number(text);
  if (doubtful.test(text)) throw new Unusual();
  return text;
}

/** A text as whoever reads it understands it, and where each of its characters came from. */
export type Decoded = {
  /** UTF-16 units: in lower case, escapes undone, nothing that has no width. */
  readonly codes: Uint16Array;
  /** Index in the text of the first unit that each stands for, and after the last. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
};

/** Escapes within escapes are undone this often: a product that quotes what a gateway quoted. */
const maxDepth = 3;

const backslash = 0x5c;
const percent = 0x25;
const ampersand = 0x26;
/** JSON's escapes of one letter that stand for spaces. */
const spaceEscapes: ReadonlySet<string> = new Set(['n', 'r', 't', 'b', 'f']);
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Escapes by the character they begin with. Each is tried where it stands, and gives what it stands for. */
const escapes: Readonly<
  Record<number, { readonly form: RegExp; readonly meaning: (match: RegExpExecArray) => number }>
> = {
  [backslash]: {
    form: /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([^ux]))/iy,
    meaning: ([, four, braced, two, one = '']) => {
      const hex = four ?? braced ?? two;
      if (hex !== undefined) return Number.parseInt(hex, 16);
      return spaceEscapes.has(one) ? 0x20 : one.charCodeAt(0);
    },
  },
  [percent]: { form: /%([0-9a-f]{2})/iy, meaning: ([, hex = '']) => Number.parseInt(hex, 16) },
  [ampersand]: {
    form: /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/iy,
    meaning: ([, hex, decimal, name = '']) => {
      if (hex !== undefined) return Number.parseInt(hex, 16);
      if (decimal !== undefined) return Number(decimal);
      return (entities[name.toLowerCase()] ?? ' ').charCodeAt(0);
    },
  },
};

/** Spaces, control characters and what has no width: they may stand in the middle of a word, and the word is still read. */
function isNothing(code: number): boolean {
  if (code <= 0x20) return true;
  if (code < 0x7f) return false;
  return (
    code <= 0xa0 ||
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x180e ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f) ||
    code === 0x3000 ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff
  );
}

const lowered = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);

/** Undoes what stands between a text and its reader. Linear in the length of the text. */
export function decoded(text: string): Decoded {
  let step = decodeOnce(text, undefined);
  for (let depth = 1; depth < maxDepth && step.again; depth += 1)
    step = decodeOnce(new TextDecoder('utf-16le').decode(step.result.codes), step.result);
  return step.result;
}

/** One pass; `before`: what the text itself was made from. `again`: what it undid may begin another escape. */
function decodeOnce(text: string, before: Decoded | undefined): { readonly result: Decoded; readonly again: boolean } {
  const codes = new Uint16Array(text.length);
  const from = new Uint32Array(text.length);
  const to = new Uint32Array(text.length);
  let length = 0;
  let again = false;
  for (let index = 0; index < text.length; ) {
    let code = text.charCodeAt(index);
    let next = index + 1;
    const kind = code === backslash || code === percent || code === ampersand ? escapes[code] : undefined;
    if (kind) {
      kind.form.lastIndex = index;
      const match = kind.form.exec(text);
      if (match) {
        code = kind.meaning(match);
        next = index + match[0].length;
        again ||= escapes[code] !== undefined;
      }
    }
    if (!isNothing(code)) {
      codes[length] = lowered(code);
      from[length] = before ? (before.from[index] ?? 0) : index;
      to[length] = before ? (before.to[next - 1] ?? 0) : next;
      length += 1;
    }
    index = next;
  }
  return {
    result: { codes: codes.subarray(0, length), from: from.subarray(0, length), to: to.subarray(0, length) },
    again,
  };
}

import type { Outcome } from '../model/delivery.ts';
import { openSecret, type Secret } from '../model/secret.ts';
import { type Decoded, decoded } from './decoded.ts';

/** What stands in the place of a secret that somebody quoted. */
const mark = '***';
/** Pieces of a secret that are this long are a secret themselves: products quote the first or the last characters of a key. */
const pieceChars = 8;
/** 31 to the power of 8, in 32 bits: what the character that leaves the window had been multiplied by. */
const leaving = Math.imul(31 ** 4, 31 ** 4);

/** The secret texts of a conversation. */
export type SecretTexts = {
  /** Blanked out where they stand as they are. */
  readonly whole: readonly string[];
  /** Blanked out in pieces too, and in whatever way they are written down: escaped, encoded, reversed, with something in between. */
  readonly pieces: readonly string[];
};

/** Takes the secrets of a conversation out of a text that somebody else wrote. */
export type Blank = (text: string) => string;

/** Makes one. What it looks for is worked out when it is first needed: most answers are empty. */
export function createBlank({ whole, pieces }: SecretTexts): Blank {
  const longestFirst = [...new Set(whole)].sort((a, b) => b.length - a.length);
  let known: Pieces | undefined;
  return (text) => {
    if (text === '') return text;
    const left = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, mark), text);
    if (pieces.length === 0 || left.length < pieceChars) return left;
    known ??= piecesOf(pieces);
    return blankPieces(left, known);
  };
}

/** Parts of an address that are shorter may be names (`services`, a room), which references and messages hold. */
const shortestKeyChars = 16;

/**
 * What of a secret is looked for in pieces. An address that is one is told by the long parts of it: its host is no secret, and is
 * named to whoever repairs it.
 */
export function partsOf(secret: string): readonly string[] {
  if (!/^https?:\/\//i.test(secret) || !URL.canParse(secret)) return [secret];
  const { pathname, searchParams, password, username } = new URL(secret);
  const parts = [...pathname.split('/'), ...searchParams.values(), password, username];
  return parts.map(unescaped).filter((part) => part.length >= shortestKeyChars);
}

/** A part of an address as it was meant. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * An outcome whose words quote none of these secrets. At the end of an attempt, not at its answers: what they say is read before,
 * and words of theirs (`signature`) may be pieces of a key.
 */
export function blankOutcome(outcome: Outcome, secrets: Iterable<Secret>): Outcome {
  const pieces = [...secrets].map(openSecret).flatMap(partsOf);
  return blankReason(outcome, createBlank({ whole: [], pieces }));
}

/** The outcome with its words blanked. */
export function blankReason(outcome: Outcome, blank: Blank): Outcome {
  if ('remark' in outcome && outcome.remark !== undefined) return { ...outcome, remark: blank(outcome.remark) };
  return 'reason' in outcome ? { ...outcome, reason: blank(outcome.reason) } : outcome;
}

/** `mayHoldWords`: a run of letters in a key that has digits is likely a word (`app-secret-1`), and messages are made of words. */
type Form = { readonly form: string; readonly mayHoldWords: boolean };

/** A secret as others write it; case and escapes are no matter, since texts are compared without. */
function formsOf(secret: string): readonly Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  // Within a longer text base64 comes out in one of three ways, by where the secret begins.
  const base64 = [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const inner = padded.slice(before === 0 ? 0 : before + 1, bytes.length + before === 0 ? undefined : -1);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const encoded = [[...secret].reverse().join(''), bytes.toString('latin1'), bytes.toString('hex'), ...base64];
  return [
    { form: secret, mayHoldWords: !/^\p{L}+$/u.test(secret) },
    ...encoded.map((form) => ({ form, mayHoldWords: form === secret })),
  ];
}

/** All pieces of all forms, by their hash. */
type Pieces = {
  readonly byHash: ReadonlyMap<number, ReadonlySet<string>>;
  /** Whether there is one whose hash ends in these 16 bits: nearly every place of a text is passed over by that alone. */
  readonly endings: Uint8Array;
};

function piecesOf(secrets: readonly string[]): Pieces {
  const found = new Map<number, Set<string>>();
  const endings = new Uint8Array(0x1_0000);
  for (const { form, mayHoldWords } of secrets.flatMap(formsOf)) {
    const { codes } = decoded(form);
    eachPiece(codes, (end, hash) => {
      const piece = pieceAt(codes, end);
      if (mayHoldWords && /^\p{L}+$/u.test(piece)) return;
      endings[hash & 0xffff] = 1;
      const same = found.get(hash);
      if (same) same.add(piece);
      else found.set(hash, new Set([piece]));
    });
  }
  return { byHash: found, endings };
}

function pieceAt(codes: Uint16Array, end: number): string {
  return String.fromCharCode(...codes.subarray(end - pieceChars, end));
}

/** Calls with the end and a rolling hash of every run of as many characters as a piece has. */
function eachPiece(codes: Uint16Array, call: (end: number, hash: number) => void): void {
  let hash = 0;
  for (let index = 0; index < codes.length; index += 1) {
    hash = (Math.imul(hash, 31) + (codes[index] ?? 0)) | 0;
    if (index >= pieceChars) hash = (hash - Math.imul(codes[index - pieceChars] ?? 0, leaving)) | 0;
    if (index >= pieceChars - 1) call(index + 1, hash);
  }
}

function blankPieces(text: string, { byHash, endings }: Pieces): string {
  const { codes, from, to }: Decoded = decoded(text);
  let clean = '';
  // What of the text is dealt with, and up to where a secret that is not yet written down as blank goes.
  let done = 0;
  let begin = -1;
  let end = -1;
  const flush = (): void => {
    if (begin < 0) return;
    clean += `${text.slice(done, begin)}${mark}`;
    done = end;
    begin = -1;
  };
  eachPiece(codes, (after, hash) => {
    if (endings[hash & 0xffff] === 0 || !byHash.get(hash)?.has(pieceAt(codes, after))) return;
    const start = from[after - pieceChars] ?? 0;
    if (begin >= 0 && start > end) flush();
    if (begin < 0) begin = Math.max(start, done);
    end = to[after - 1] ?? text.length;
  });
  flush();
  return clean + text.slice(done);
}

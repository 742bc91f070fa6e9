/**
 * The characters and segments of short messages. Sources: 3GPP TS 23.038 §6.2.1 (the GSM 7 bit default alphabet and its
 * extension table) and §6.2.3 (UCS2); 3GPP TS 23.040 §9.2.3.24.1 (concatenation).
 */

/** A short message carries 140 octets: 160 septets, or 70 UCS-2 units. */
const room = { gsm: 160, ucs2: 70 };
/** Of several that belong together, each loses six octets to the header that joins them. */
const joinedRoom = { gsm: 153, ucs2: 67 };

/** TS 23.038 §6.2.1, but the escape: one septet each. */
const basic: ReadonlySet<string> = new Set(
  [
    '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?',
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
  ].join(''),
);
/** TS 23.038 §6.2.1.1: an escape and a septet each. */
const extension: ReadonlySet<string> = new Set('\f^{}\\[~]|€');

/** How a text goes over the air. `units`: septets, or UCS-2 units of 16 bits. */
export type Measured = { readonly alphabet: 'gsm' | 'ucs2'; readonly units: number; readonly segments: number };

/** Whether every character is of the GSM alphabet. One that is not makes the whole text UCS-2. */
export function isGsm(text: string): boolean {
  for (const character of text) if (!basic.has(character) && !extension.has(character)) return false;
  return true;
}

/** The alphabet a text needs, its length there, and in how many segments it is sent and billed; an empty text is one. */
export function measure(text: string): Measured {
  const alphabet = isGsm(text) ? 'gsm' : 'ucs2';
  const widths = [...text].map((character) =>
    alphabet === 'ucs2' ? character.length : extension.has(character) ? 2 : 1,
  );
  const units = widths.reduce((sum, width) => sum + width, 0);
  return { alphabet, units, segments: units <= room[alphabet] ? 1 : packed(widths, joinedRoom[alphabet]) };
}

/** Segments of `size` that hold these characters; neither an escape nor a surrogate pair is divided between two. */
function packed(widths: readonly number[], size: number): number {
  let segments = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > size) {
      segments += 1;
      used = 0;
    }
    used += width;
  }
  return segments;
}

/** Characters that say the same as ones of the GSM alphabet. */
const counterparts: Readonly<Record<string, string>> = {
  ...{ '·': '-', '•': '-', '–': '-', '—': '-', '‐': '-', '‑': '-', '−': '-', '…': '...', '\t': ' ' },
  ...{ '‘': "'", '’': "'", '‚': "'", '′': "'", '`': "'", '´': "'", '“': '"', '”': '"', '„': '"', '″': '"' },
  ...{ '«': '"', '»': '"', '‹': "'", '›': "'", '→': '->', '←': '<-', '⇒': '=>', '≤': '<=', '≥': '>=', '≠': '!=' },
  ...{ '×': 'x', '±': '+/-', µ: 'u', μ: 'u', '°': ' deg', œ: 'oe', Œ: 'OE', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i' },
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Emoji, dingbats and other signs, and what only changes how others look: no words. */
const wordless = /^[\p{Extended_Pictographic}\p{Regional_Indicator}\p{So}\p{Cf}\p{M}\p{Cs}\p{Co}\p{Cn}]/u;

/**
 * The text with the characters of the GSM alphabet that say the same: typographic signs, letters without the accents that the
 * alphabet lacks, and without emoji. What has no counterpart, such as other scripts, stays.
 */
export function plainest(text: string): string {
  if (isGsm(text)) return text;
  const written = [...graphemes.segment(text)].map(({ segment }) => counterpartOf(segment));
  // A sign that is left out takes the space before it along: `(no config ✗)` is not to become `(no config )`.
  return written
    .filter(
      (part, at) => !(part === ' ' && written[at + 1] === '' && /^(?:$|[\s).,;:!?\]])/.test(written[at + 2] ?? '')),
    )
    .join('');
}

function counterpartOf(grapheme: string): string {
  const given = counterparts[grapheme];
  if (given !== undefined) return given;
  const composed = grapheme.normalize('NFC');
  if (isGsm(composed)) return composed;
  const bare = grapheme.normalize('NFKD').replace(/\p{M}/gu, '');
  if (bare !== '' && isGsm(bare)) return bare;
  return wordless.test(grapheme) ? '' : grapheme;
}

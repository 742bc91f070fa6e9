const encoder = new TextEncoder();
/** A byte order mark is a character like any other here. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The beginning of `text`, at most `max` bytes of UTF-8, cut between code points. */
export function firstBytes(text: string, max: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= max) return text;
  let end = max;
  while (continues(bytes[end])) end -= 1;
  return decoder.decode(bytes.subarray(0, end));
}

/** The end of `text`, at most `max` bytes of UTF-8, cut between code points. */
export function lastBytes(text: string, max: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= max) return text;
  let start = bytes.length - max;
  while (continues(bytes[start])) start += 1;
  return decoder.decode(bytes.subarray(start));
}

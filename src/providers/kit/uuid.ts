import { createHash } from 'node:crypto';

/** A UUID that follows from a text, so that a repeat has the same one; in the form of version 4, which products look for. */
export function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0b0011) | 0b1000).toString(16);
  const third = `4${digits.slice(13, 16)}`;
  const fourth = `${variant}${digits.slice(17, 20)}`;
  return [digits.slice(0, 8), digits.slice(8, 12), third, fourth, digits.slice(20, 32)].join('-');
}

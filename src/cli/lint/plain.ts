import { cleanText } from '../../model/redact.ts';

/**
 * A text of a manifest as part of one line of a report, which is read by terminals and by runners of CI: no line break, no control
 * character, and nothing that a runner takes for a command wherever it stands (`##[…]`, `##vso[…]`, `##teamcity[…]`).
 */
export function plain(text: string): string {
  return cleanText(text)
    .replace(/\s+/g, ' ')
    .replace(/##(?=[a-z]*\[)/gi, '# #')
    .trim();
}

/** One that may begin a line, where `::` begins a command of GitHub. */
export function plainStart(text: string): string {
  return plain(text).replace(/^::/, ': :');
}

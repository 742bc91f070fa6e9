import type { Notification } from '../../model/notification.ts';
import { cleanText, redact } from '../../model/redact.ts';
import { mapTexts } from './texts.ts';

/** Longest line of an excerpt, and longest sentence; UTF-16 units. */
const maxLineChars = 500;
const maxSentenceChars = 1000;

/** One line, without secrets and control characters. */
export function cleanLine(text: string, maxChars = maxSentenceChars): string {
  return cleanText(redact(text).replace(/\s+/g, ' ').trim(), maxChars);
}

/** Lines of a log as they may leave the cluster: redacted as a whole, since a key spans several lines. */
export function cleanLines(lines: readonly string[], maxLines: number): readonly string[] {
  return cleanText(redact(lines.join('\n')))
    .split('\n')
    .map((line) => cleanText(line.trimEnd(), maxLineChars))
    .filter((line) => line !== '')
    .slice(-maxLines);
}

/**
 * The notification with every text of the cluster cleaned. Log lines come cleaned, as a whole: here only what slipped in since. A command
 * is not rewritten: one that a secret seems to be in is left out.
 */
export function cleanNotification({ nextStep, ...told }: Notification): Notification {
  const isClean = nextStep !== undefined && redact(nextStep.command) === nextStep.command;
  return mapTexts({ ...told, ...(isClean && { nextStep }) }, (text, kind) =>
    kind === 'line' ? cleanText(redact(text), maxLineChars) : cleanLine(text),
  );
}

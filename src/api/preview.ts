import { inOwnWords } from '../providers/kit/own-words.ts';
import { previewText } from '../providers/webhook/preview.ts';
import { samples } from '../providers/webhook/samples.ts';
import type { AlertProviderSpec } from './alert-provider.ts';

/** One message as an AlertProvider would send it. `kind`: what it is (`an opening`). `problem`: what could not be done as it was asked. */
export type Preview = { readonly kind: string; readonly text: string; readonly problem?: string };

/**
 * A message of each kind: the body of a webhook, of other types the text without its markup. Nothing is sent. `timeZone`: that of the
 * AlertConfig.
 */
export function previewOf(spec: AlertProviderSpec, timeZone?: string): readonly Preview[] {
  const words = timeZone === undefined ? spec.message : { timeZone, ...spec.message };
  return Object.entries(samples).map(([kind, sample]): Preview => {
    const { notification, problem } = inOwnWords(sample, words);
    const shown = previewText(notification, spec);
    return { kind, ...(problem !== undefined && { problem }), ...shown };
  });
}

import type { AnyProvider } from '../../providers/kit/define.ts';
import type { AlertProvider } from '../alert-provider.ts';

/** What each kind of product leaves out. */
const leftOut: Readonly<Record<AnyProvider['plain'], string | undefined>> = {
  native: undefined,
  alert: 'no digest of low-priority problems',
  none: 'no startup summary and no digest of low-priority problems',
};

/** What a product cannot show and nobody else is named to show, as a sentence with the remedy; `undefined` when all is told. */
export function untoldSummaries(
  { spec }: Pick<AlertProvider, 'spec'>,
  definition: Pick<AnyProvider, 'product' | 'plain'> | undefined,
): string | undefined {
  if (definition === undefined || spec.fallback !== undefined) return undefined;
  const what = leftOut[definition.plain];
  if (what === undefined) return undefined;
  return `${definition.product} gets ${what}: name a \`fallback\` that is a chat or mail, and it gets these.`;
}

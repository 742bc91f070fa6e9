/** What redaction knows of the addresses of provider types: the core imports no provider, so that it is written down for it. */
import { providers } from '../../src/providers/registry.ts';
import { mark } from './mark.ts';

const quoted = (source: string): string => `'${source.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A row as the formatter writes it: on one line where that fits. */
function row(type: string, sources: readonly string[]): string {
  const one = `  ${type}: [${sources.map(quoted).join(', ')}],\n`;
  return one.length <= 121 ? one : `  ${type}: [\n${sources.map((each) => `    ${quoted(each)},\n`).join('')}  ],\n`;
}

/** The text of `src/model/redaction/product-addresses.ts`. */
export function productAddressesText(): string {
  const rows = providers.flatMap(({ type, secretBehind }) => (secretBehind ? [row(type, secretBehind)] : []));
  return `// ${mark}
/**
 * Products whose address is the credential: what stands before the secret part of it. By the type of the provider that sends to them, as
 * that declares it (\`secretBehind\`). Those of products that Tocsin does not send to are in \`strange-addresses.ts\`; incoming webhooks of
 * servers of one's own have no name, and are found by their paths.
 */
export const productAddresses: Readonly<Record<string, readonly string[]>> = {
${rows.join('')}};
`;
}

import { openSecret, Secret } from '../../model/secret.ts';

/** Names that nobody can own (RFC 2606, RFC 6761), with everything below them. */
const reserved = /(?:^|\.)(?:example|invalid|test|example\.(?:com|net|org))\.?$/i;

/** The host of an address when it is reserved for examples, which may be shown; else `undefined`. */
export function exampleHost(address: unknown): string | undefined {
  const text = address instanceof Secret ? openSecret(address).trimEnd() : address;
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { hostname } = new URL(text);
  return reserved.test(hostname) ? hostname : undefined;
}

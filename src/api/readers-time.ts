import { providers } from '../providers/registry.ts';

const types: ReadonlySet<string> = new Set(providers.filter(({ times }) => times === 'reader').map(({ type }) => type));

/** Whether the product shows the times in a message in the zone of whoever reads it, so that no other is needed. */
export function showsReadersTime(type: string): boolean {
  return types.has(type);
}

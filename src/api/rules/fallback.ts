import { type Ref, refOf } from '../../model/ref.ts';
import type { AlertProvider } from '../alert-provider.ts';

/** What is wrong with the fallback of a provider, as the reason of its condition `Stalled` and for people. */
export type FallbackProblem = {
  readonly reason: 'FallbackNotFound' | 'FallbackCycle';
  readonly path: string;
  readonly message: string;
};

const path = 'spec.fallback';

/**
 * A fallback that is not there, or a chain of them that leads back. It does not keep the provider from delivering. `other`: the
 * AlertProvider of a ref. Only the provider that names the missing one, and only members of a cycle, have the problem.
 */
export function fallbackProblem(
  { metadata, spec }: Pick<AlertProvider, 'metadata' | 'spec'>,
  other: (ref: Ref) => Pick<AlertProvider, 'spec'> | undefined,
): FallbackProblem | undefined {
  const seen = [metadata.name];
  for (let next = spec.fallback; next !== undefined; ) {
    if (seen.includes(next)) {
      if (next !== metadata.name) return undefined;
      const chain = [...seen, next].join(' → ');
      const message = `\`${path}\` leads back to this provider (${chain}): end the chain somewhere`;
      return { reason: 'FallbackCycle', path, message };
    }
    const target = other(refOf('AlertProvider', metadata.namespace, next));
    if (!target) {
      if (seen.length > 1) return undefined;
      const message = `\`${path}\` is "${next}", but the namespace ${metadata.namespace} has no such AlertProvider: create it or correct the name`;
      return { reason: 'FallbackNotFound', path, message };
    }
    seen.push(next);
    next = target.spec.fallback;
  }
  return undefined;
}

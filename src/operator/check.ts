import type { AlertProvider } from '../api/alert-provider.ts';
import { checkProvider, providerOf } from '../api/check-provider.ts';
import type { ConditionReason } from '../api/conditions.ts';
import { checkOpened } from '../api/opened.ts';
import { nameOf, type Ref, refOf } from '../model/ref.ts';
import type { OpenedSecrets, UnopenedSecrets } from '../model/secret-source.ts';

/** What is wrong with a provider, as its `Stalled` condition says it. */
export type ProviderProblem = {
  readonly reason: Exclude<ConditionReason<'AlertProvider', 'Stalled'>, 'NotStalled'>;
  readonly message: string;
};

/** The verdict on one AlertProvider by itself; its fallback is judged where it is shown, since it depends on others. */
export type ProviderCheck = {
  /** Of the spec that was judged. */
  readonly generation: number;
  /** The spec cannot work; nothing is sent there. */
  readonly invalid: boolean;
  /** `unread`: the API server could not be asked yet. */
  readonly secrets: 'found' | 'missing' | 'unread';
  /** Changes when a referenced Secret does. */
  readonly secretsVersion?: string;
  readonly problems: readonly ProviderProblem[];
};

/** Whether the field of a problem's path holds an address. */
function isAddress(type: string, path: string): boolean {
  const field = providerOf(type)?.fields[path.replace(`spec.${type}.`, '')];
  return field?.is === 'url' || (field?.is === 'secret' && field.holds === 'url');
}

/** Judges the spec alone. */
export function checkSpec({ spec }: AlertProvider): readonly ProviderProblem[] {
  const unknown = providerOf(spec.type) === undefined;
  return checkProvider(spec).map(({ path, message }) => ({
    reason: unknown ? 'UnknownType' : isAddress(spec.type, path) ? 'InvalidDestination' : 'InvalidSpec',
    message,
  }));
}

/** Judges the values behind the secret fields. */
export function checkValues(object: AlertProvider, opened: OpenedSecrets): readonly ProviderProblem[] {
  return checkOpened(object, opened.values).map(({ message }) => ({ reason: 'InvalidDestination', message }));
}

/** Says why the Secrets that the spec names could not be opened. */
export function checkSecrets(opened: UnopenedSecrets): readonly ProviderProblem[] {
  const name = nameOf(opened.missing);
  if (opened.denied === true) {
    const message = `Tocsin may not read the Secret "${name}": grant \`${opened.permission}\` (config/rbac has a role for it)`;
    return [{ reason: 'SecretForbidden', message }];
  }
  if (opened.key !== undefined) {
    const message = `the Secret "${name}" has no key "${opened.key}": add the key, or correct \`secretKeyRef.key\``;
    return [{ reason: 'SecretKeyMissing', message }];
  }
  const message = `the Secret "${name}" does not exist in this namespace: create it, or correct \`secretKeyRef.name\``;
  return [{ reason: 'SecretNotFound', message }];
}

/** A fallback that is not there, or a chain of them that leads back. It does not keep the provider from delivering. */
export function checkFallback(object: AlertProvider, all: ReadonlyMap<Ref, AlertProvider>): readonly ProviderProblem[] {
  const { namespace } = object.metadata;
  const seen = [object.metadata.name];
  for (let next = object.spec.fallback; next !== undefined; ) {
    if (seen.includes(next)) {
      if (next !== object.metadata.name) return [];
      const message = `\`spec.fallback\` leads back to this provider (${[...seen, next].join(' → ')}): end the chain somewhere`;
      return [{ reason: 'FallbackCycle', message }];
    }
    const target = all.get(refOf('AlertProvider', namespace, next));
    if (!target) {
      if (seen.length > 1) return [];
      const message = `\`spec.fallback\` is "${next}", but the namespace ${namespace} has no such AlertProvider: create it or correct the name`;
      return [{ reason: 'FallbackNotFound', message }];
    }
    seen.push(next);
    next = target.spec.fallback;
  }
  return [];
}

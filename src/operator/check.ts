import type { AlertProvider } from '../api/alert-provider.ts';
import { addressAt, checkHome, checkProvider, providerOf } from '../api/check-provider.ts';
import type { ConditionReason } from '../api/conditions.ts';
import { checkOpened } from '../api/opened.ts';
import { fallbackProblem } from '../api/rules/fallback.ts';
import { secretKeyMissing, secretNotFound } from '../api/rules/secrets.ts';
import { nameOf, type Ref } from '../model/ref.ts';
import type { OpenedSecrets, UnopenedSecrets } from '../model/secret-source.ts';
import type { Held } from './objects.ts';

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
  /** What is missing may still come: no problem before `until` (epoch milliseconds). */
  readonly waiting?: { readonly until: number; readonly message: string };
  readonly problems: readonly ProviderProblem[];
};

/** Judges the spec alone, by the namespace that it is in. */
export function checkSpec(
  { object: { metadata, spec }, unreadable }: Held<'AlertProvider'>,
  operatorNamespace: string,
): readonly ProviderProblem[] {
  if (unreadable !== undefined) return [{ reason: 'InvalidSpec', message: unreadable }];
  const unknown = providerOf(spec.type) === undefined;
  return [...checkProvider(spec), ...checkHome({ metadata, spec }, operatorNamespace)].map(({ path, message }) => ({
    reason: unknown ? 'UnknownType' : addressAt(spec.type, path) ? 'InvalidDestination' : 'InvalidSpec',
    message,
  }));
}

/** Judges the values behind the secret fields. `invalid`: with these nothing can be sent. */
export function checkValues(
  object: AlertProvider,
  opened: OpenedSecrets,
  now: number,
): Pick<ProviderCheck, 'invalid' | 'problems'> {
  const found = checkOpened(object, opened.values, now);
  return {
    invalid: found.some(({ isOver }) => !isOver),
    problems: found.map(({ reason, message }) => ({ reason, message })),
  };
}

/** Why Secrets cannot be opened. */
type SecretsProblem = ProviderProblem & { readonly reason: 'SecretNotFound' | 'SecretKeyMissing' | 'SecretForbidden' };

/** Says why the Secrets that the spec names could not be opened. */
export function checkSecrets(opened: UnopenedSecrets): readonly SecretsProblem[] {
  const name = nameOf(opened.missing);
  if (opened.denied === true) {
    const message = `Tocsin may not read the Secret "${name}": grant \`${opened.permission}\` (config/rbac has a role for it)`;
    return [{ reason: 'SecretForbidden', message }];
  }
  return [opened.key === undefined ? secretNotFound(name) : secretKeyMissing(name, opened.key)];
}

/** The fallback of a provider, judged among the others. */
export function checkFallback(
  object: AlertProvider,
  other: (ref: Ref) => AlertProvider | undefined,
): readonly ProviderProblem[] {
  const problem = fallbackProblem(object, other);
  return problem ? [problem] : [];
}

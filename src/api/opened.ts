import { openSecret, type Secret } from '../model/secret.ts';
import { inlineSecrets } from '../providers/kit/config.ts';
import { invalidDestination } from '../providers/kit/destination.ts';
import type { Problem } from '../schema/check.ts';
import type { AlertProvider } from './alert-provider.ts';
import { providerOf } from './check-provider.ts';

/** The value that an AlertProvider itself holds for a secret field (`value:`), if any. */
export function valueInObject({ spec }: AlertProvider, field: string): Secret | undefined {
  const definition = providerOf(spec.type);
  return definition && inlineSecrets(definition, spec[spec.type]).get(field);
}

/**
 * What is wrong with the values behind the secret fields of an AlertProvider: an address that cannot be one. Only its scheme,
 * host and port are shown, never the rest.
 */
export function checkOpened({ spec }: AlertProvider, values: ReadonlyMap<string, Secret>): readonly Problem[] {
  const fields = providerOf(spec.type)?.fields ?? {};
  return [...values].flatMap(([path, secret]): Problem[] => {
    const field = fields[path];
    if (field?.is !== 'secret' || field.holds !== 'url') return [];
    const wrong = invalidDestination(openSecret(secret).trimEnd(), field.unfit);
    if (!wrong) return [];
    const where = `spec.${spec.type}.${path}`;
    return [{ path: where, message: `the value of \`${where}\` (${wrong.value}) ${wrong.remedy}` }];
  });
}

import { openSecret, type Secret } from '../model/secret.ts';
import { inlineSecrets } from '../providers/kit/config.ts';
import { invalidDestination } from '../providers/kit/destination.ts';
import { specFields, tlsOf, tlsProblems } from '../providers/kit/tls.ts';
import type { Problem } from '../schema/check.ts';
import type { AlertProvider } from './alert-provider.ts';
import { providerOf } from './check-provider.ts';

/** What is wrong with a value, under the reason that the condition and lint give. `isOver`: by the clock alone; it is tried all the same. */
export type OpenedProblem = Problem & {
  readonly reason: 'InvalidDestination' | 'InvalidCertificate';
  readonly isOver?: true;
};

/** The values that an AlertProvider itself holds for its secret fields (`value:`), by field path. */
export function valuesInObject({ spec }: Pick<AlertProvider, 'spec'>): ReadonlyMap<string, Secret> {
  const definition = providerOf(spec.type);
  const block = definition ? inlineSecrets(definition, spec[spec.type]) : [];
  return new Map([...block, ...inlineSecrets({ fields: specFields }, spec)]);
}

/**
 * What is wrong with the values behind the secret fields of an AlertProvider at this instant (epoch milliseconds): an address that cannot be one,
 * of which only scheme, host and port are shown; certificates and keys that cannot be used, of which nothing is.
 */
export function checkOpened(
  { spec }: AlertProvider,
  values: ReadonlyMap<string, Secret>,
  now: number,
): readonly OpenedProblem[] {
  const fields = providerOf(spec.type)?.fields ?? {};
  const destinations = [...values].flatMap(([path, secret]): OpenedProblem[] => {
    const field = fields[path];
    if (field?.is !== 'secret' || field.holds !== 'url') return [];
    const wrong = invalidDestination(openSecret(secret).trimEnd(), field.unfit);
    if (!wrong) return [];
    const where = `spec.${spec.type}.${path}`;
    const message = `the value of \`${where}\` (${wrong.value}) ${wrong.remedy}`;
    return [{ reason: 'InvalidDestination', path: where, message }];
  });
  const certificates = tlsProblems(tlsOf(values) ?? {}, now).map(({ field, says, ...rest }): OpenedProblem => {
    const path = `spec.tls.${field}`;
    return { reason: 'InvalidCertificate', path, message: `the value of \`${path}\` ${says}`, ...rest };
  });
  return [...destinations, ...certificates];
}

import { lint } from '../../src/api/lint/lint.ts';

/** What lint says of an AlertProvider with this block. `common`: further fields of its spec. */
export function remarksOn(
  type: string,
  block: Readonly<Record<string, unknown>>,
  namespace = 'tocsin',
  common: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const value = {
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'AlertProvider',
    metadata: { name: 'oncall', namespace },
    spec: { type, [type]: block, ...common },
  };
  const around = { operatorNamespace: 'tocsin', now: 0, secrets: () => 'unknown' as const };
  const { judged } = lint([{ kind: 'AlertProvider', value, where: 'a file' }], around);
  return judged.flatMap(({ remarks }) => remarks.map(({ message }) => message));
}

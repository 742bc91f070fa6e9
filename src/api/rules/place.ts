import { configName } from '../group.ts';

/** Why an AlertConfig is not the one that counts. */
export type Misplaced = {
  readonly reason: 'WrongName' | 'WrongNamespace';
  readonly path: string;
  readonly message: string;
};

/** Only one AlertConfig counts, by its name and namespace; `undefined` for that one. */
export function misplacedConfig(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  operatorNamespace: string,
): Misplaced | undefined {
  if (name !== configName) {
    const message = `it is named "${name}"; only the AlertConfig named "${configName}" counts: rename it`;
    return { reason: 'WrongName', path: 'metadata.name', message };
  }
  if (namespace === operatorNamespace) return undefined;
  const message = `it is in the namespace "${namespace}"; only the one in "${operatorNamespace}" counts: move it there`;
  return { reason: 'WrongNamespace', path: 'metadata.namespace', message };
}

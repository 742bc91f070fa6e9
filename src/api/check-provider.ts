import { objectOf } from '../providers/kit/block.ts';
import { checkBlock } from '../providers/kit/check.ts';
import type { AnyProvider } from '../providers/kit/define.ts';
import { specFields } from '../providers/kit/tls.ts';
import { providers } from '../providers/registry.ts';
import type { Problem } from '../schema/check.ts';
import { type AlertProvider, type AlertProviderSpec, commonFields } from './alert-provider.ts';

/** Every provider type, with its fields. */
export const providerTypes: readonly Pick<AnyProvider, 'type' | 'fields'>[] = providers;

/** The definition of a provider type, or `undefined` when there is no such type. */
export function providerOf(type: string): AnyProvider | undefined {
  return providers.find((definition) => definition.type === type);
}

/** Whether the field of a problem's path (`spec.webhook.url`) holds an address. */
export function addressAt(type: string, path: string): boolean {
  const field = providerOf(type)?.fields[path.replace(`spec.${type}.`, '').replace(/\.value$/, '')];
  return field?.is === 'url' || (field?.is === 'secret' && field.holds === 'url');
}

/**
 * What is wrong with the spec of an AlertProvider, by plain code (the operator never compiles the schema): unknown type, missing
 * or foreign block, and whatever `checkBlock` finds. Each problem names field, value and remedy and holds no secret.
 */
export function checkProvider(spec: AlertProviderSpec): readonly Problem[] {
  const { type } = spec;
  const definition = providerOf(type);
  const foreign = Object.keys(spec)
    .filter((name) => name !== type && !commonFields.includes(name) && spec[name] !== undefined && spec[name] !== null)
    .map((name) => ({
      path: `spec.${name}`,
      message: `\`spec.${name}\` is neither a common field nor the block of \`spec.type\` "${type}": remove the block`,
    }));
  if (!definition) {
    const known = providers.map((other) => other.type).join(', ');
    return [
      { path: 'spec.type', message: `\`spec.type\` is "${type}", which is no provider type; use one of: ${known}` },
    ];
  }
  const block = spec[type];
  const missing = { path: `spec.${type}`, message: `\`spec.${type}\` is required, since \`spec.type\` is "${type}"` };
  const beside = checkBlock(specFields, { tls: spec.tls }, 'spec');
  if (block === undefined || block === null) return [missing, ...foreign, ...beside];
  return [...foreign, ...beside, ...checkBlock(definition.fields, block, `spec.${type}`)];
}

/** What of the block works in Tocsin's namespace alone, where the object is in another one. */
export function checkHome(
  { metadata, spec }: Pick<AlertProvider, 'metadata' | 'spec'>,
  operatorNamespace: string,
): readonly Problem[] {
  const block = objectOf(spec[spec.type]);
  const says = metadata.namespace === operatorNamespace ? undefined : providerOf(spec.type)?.atHomeOnly?.(block ?? {});
  if (says === undefined || !block) return [];
  const path = `spec.${spec.type}`;
  return [{ path, message: `\`${path}\` ${says}` }];
}

import { objectOf } from '../../providers/kit/block.ts';
import { locationOf, splitConfig } from '../../providers/kit/config.ts';
import { specFields } from '../../providers/kit/tls.ts';
import type { AlertProvider } from '../alert-provider.ts';
import { providerOf } from '../check-provider.ts';
import type { Kind } from '../group.ts';
import type { Remark } from './remark.ts';

/** A field that takes a credential. `path`: of the field, as YAML has it. `field`: as `ProviderSettings.secrets` has it. */
export type SecretField = {
  readonly path: string;
  readonly field: string;
  /** Where the Secret is named, if not by a `secretKeyRef` of the field. */
  readonly namedAt?: string;
} & ({ readonly inline: true } | { readonly secret: string; readonly key: string });

/** The credentials of an AlertProvider, in the order of its fields. Copes with any spec. */
export function providerSecrets({ spec }: Pick<AlertProvider, 'spec'>): readonly SecretField[] {
  const definition = providerOf(String(spec.type));
  if (!definition) return [];
  const block = spec[spec.type];
  const own = Object.entries(splitConfig(definition, block).secrets).map(([field, location]) => ({
    path: `spec.${spec.type}.${pathInBlock(objectOf(block) ?? {}, field)}`,
    field,
    ...location,
  }));
  const beside = Object.entries(splitConfig({ fields: specFields }, spec).secrets);
  return [...own, ...beside.map(([field, location]) => ({ path: `spec.${field}`, field, ...location }))];
}

/** A header is found by its place in the list; every other field is where its name says. */
function pathInBlock(block: Readonly<Record<string, unknown>>, field: string): string {
  const [list = '', ...name] = field.split('.');
  const entries = block[list];
  if (!Array.isArray(entries)) return field;
  return `${list}[${entries.findIndex((entry: unknown) => objectOf(entry)?.name === name.join('.'))}]`;
}

/** The Secrets' keys that an AlertConfig names: of the heartbeat's address, of the licence, of the token for alerts, of the key of the hub, and of the certificate. Copes with any spec. */
export function configSecrets(spec: unknown): readonly SecretField[] {
  const { alertsIn, heartbeat, hub, license, statusEndpoint } = objectOf(spec) ?? {};
  const sources = {
    'spec.heartbeat.url': objectOf(heartbeat)?.url,
    'spec.license': license,
    'spec.alertsIn.token': objectOf(alertsIn)?.token,
    'spec.hub.key': objectOf(hub)?.key,
  };
  const located = Object.entries(sources).flatMap(([path, source]): readonly SecretField[] => {
    const location = locationOf(source);
    return location ? [{ path, field: path, ...location }] : [];
  });
  const secret = objectOf(objectOf(statusEndpoint)?.tls)?.secretName;
  if (typeof secret !== 'string') return located;
  const path = 'spec.statusEndpoint.tls.secretName';
  return [...located, ...['tls.crt', 'tls.key'].map((key) => ({ path, namedAt: path, field: key, secret, key }))];
}

/** The Secrets an object names, for whoever must read them first. Copes with any object. */
export function secretNamesOf(
  kind: Kind,
  value: unknown,
): readonly { readonly namespace?: string; readonly name: string }[] {
  const object = objectOf(value) ?? {};
  const namespace = objectOf(object.metadata)?.namespace;
  const spec = objectOf(object.spec) ?? {};
  const fields =
    kind === 'AlertProvider'
      ? providerSecrets({ spec: { ...spec, type: String(spec.type) } })
      : kind === 'AlertConfig'
        ? configSecrets(spec)
        : [];
  return fields.flatMap((field) =>
    'secret' in field ? [{ name: field.secret, ...(typeof namespace === 'string' && { namespace }) }] : [],
  );
}

/** A credential in the object itself. `path`: of the field; its value is never shown. */
export function inlineRemark(path: string): Remark {
  const message = `\`${path}\` holds its value in this object, where anyone who can read the object or this file can see it: keep the value in a Secret and refer to it with \`secretKeyRef\``;
  return { rule: 'InlineSecret', path: `${path}.value`, message };
}

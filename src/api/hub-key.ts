import { Secret } from '../model/secret.ts';
import type { SecretLocation } from '../model/settings.ts';
import { locationOf } from '../providers/kit/config.ts';
import type { AlertConfig } from './alert-config.ts';

/** Where an AlertConfig says that the key of the hub is, with the value where it stands in the object itself. */
export function hubKeyOf({
  spec,
}: Pick<AlertConfig, 'spec'>): { readonly location: SecretLocation; readonly inline?: Secret } | undefined {
  const key = spec?.hub?.key;
  const location = locationOf(key);
  return location && { location, ...(key?.value !== undefined && { inline: new Secret(key.value) }) };
}

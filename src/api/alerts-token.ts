import { Secret } from '../model/secret.ts';
import type { SecretLocation } from '../model/settings.ts';
import { locationOf } from '../providers/kit/config.ts';
import type { AlertConfig } from './alert-config.ts';

/** Where an AlertConfig says that the token for alerts is, with the value where it stands in the object itself. */
export function alertsTokenOf({
  spec,
}: Pick<AlertConfig, 'spec'>): { readonly location: SecretLocation; readonly inline?: Secret } | undefined {
  const token = spec?.alertsIn?.token;
  const location = locationOf(token);
  return location && { location, ...(token?.value !== undefined && { inline: new Secret(token.value) }) };
}

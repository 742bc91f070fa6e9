import { Secret } from '../model/secret.ts';
import type { SecretLocation } from '../model/settings.ts';
import { locationOf } from '../providers/kit/config.ts';
import type { AlertConfig } from './alert-config.ts';

/** Where an AlertConfig says that the address of the heartbeat is, with the value where it stands in the object itself. */
export function heartbeatSourceOf({
  spec,
}: Pick<AlertConfig, 'spec'>): { readonly location: SecretLocation; readonly inline?: Secret } | undefined {
  const url = spec?.heartbeat?.url;
  const location = locationOf(url);
  return location && { location, ...(url?.value !== undefined && { inline: new Secret(url.value) }) };
}

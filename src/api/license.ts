import type { LicenseSource } from '../model/license.ts';
import { Secret } from '../model/secret.ts';
import { locationOf } from '../providers/kit/config.ts';
import type { AlertConfig } from './alert-config.ts';

/** Where an AlertConfig says that the licence is; `undefined` where it names none. */
export function licenseSourceOf({ spec }: Pick<AlertConfig, 'spec'>): LicenseSource | undefined {
  const location = locationOf(spec?.license);
  const value = spec?.license?.value;
  return location && { location, ...('inline' in location && value !== undefined && { inline: new Secret(value) }) };
}

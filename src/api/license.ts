import type { EditionSource, LicenseSource } from '../model/license.ts';
import { Secret } from '../model/secret.ts';
import { objectOf } from '../providers/kit/block.ts';
import { locationOf } from '../providers/kit/config.ts';

/** Where `spec.license` of an AlertConfig says that the licence is; `undefined` where it names none. Copes with any value. */
export function licenseSourceOf(license: unknown): LicenseSource | undefined {
  const location = locationOf(license);
  const value = objectOf(license)?.value;
  return location && { location, ...('inline' in location && { inline: new Secret(String(value)) }) };
}

/** What the spec of an AlertConfig says that gives its edition: a licence goes before a trial. Copes with any value. */
export function editionSourceOf(spec: unknown): EditionSource | undefined {
  const { license, trial } = objectOf(spec) ?? {};
  return licenseSourceOf(license) ?? (trial === true ? 'trial' : undefined);
}

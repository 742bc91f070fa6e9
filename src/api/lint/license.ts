import type { LicenseStanding, LicenseState } from '../../model/license.ts';
import type { LintRule, Remark } from './remark.ts';

/** States that are not the licence's own mistake, or not for good. */
const rules: Readonly<Partial<Record<LicenseState, LintRule>>> = {
  Valid: 'LicenseAccepted',
  Trial: 'LicenseAccepted',
  GracePeriod: 'LicenseInactive',
  Expired: 'LicenseInactive',
  NotYetValid: 'LicenseInactive',
  WrongCluster: 'LicenseInactive',
  UnknownKey: 'LicenseInactive',
};

/** A licence that came with the objects: what it gives, in a word and in sentences. */
export type GivenLicense = Pick<LicenseStanding, 'state' | 'edition' | 'message'>;

/** What a licence that came with the objects gives, or what is wrong with it. */
export function licenseRemark({ state, message }: GivenLicense): Remark {
  const says = `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`.replace(/\.$/, '').replace(/^pro /, 'Pro ');
  return { rule: rules[state] ?? 'InvalidLicense', path: 'spec.license', message: says };
}

import { defaultSettings as preset } from '../../model/settings.ts';
import type { AlertConfigSpec } from '../alert-config.ts';

/** The API server fills defaults in: only another value is somebody's choice. */
const differs = (value: number | undefined, usual: number): boolean => value !== undefined && value !== usual;

/** Parts of an AlertConfig that are understood and change nothing in this version, one row each. */
const rows: readonly { readonly path: string; readonly given: (spec: AlertConfigSpec) => boolean }[] = [
  { path: 'auditLog', given: ({ auditLog }) => auditLog?.enabled === true },
  {
    path: 'detection.certificateExpiryDays',
    given: ({ detection }) => differs(detection?.certificateExpiryDays, preset.detection.certificateExpiryDays),
  },
  {
    path: 'detection.volumeUsagePercent',
    given: ({ detection }) => differs(detection?.volumeUsagePercent, preset.detection.volumeUsagePercent),
  },
  { path: 'heartbeat', given: ({ heartbeat }) => heartbeat !== undefined },
  { path: 'license', given: ({ license }) => license !== undefined },
  { path: 'statusEndpoint.tls', given: ({ statusEndpoint }) => statusEndpoint?.tls !== undefined },
];

/** Paths of the settings that somebody made and that have no effect yet: whoever made them must be told. */
export function inertSettings(spec: AlertConfigSpec | undefined): readonly string[] {
  return rows.filter(({ given }) => given(spec ?? {})).map(({ path }) => `spec.${path}`);
}

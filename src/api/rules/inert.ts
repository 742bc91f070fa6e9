import type { AlertConfigSpec } from '../alert-config.ts';

/** Parts of an AlertConfig that are understood and change nothing in this version, one row each. */
const rows: readonly { readonly path: string; readonly given: (spec: AlertConfigSpec) => boolean }[] = [
  { path: 'auditLog', given: ({ auditLog }) => auditLog?.enabled === true },
  { path: 'heartbeat', given: ({ heartbeat }) => heartbeat !== undefined },
  { path: 'license', given: ({ license }) => license !== undefined },
  {
    path: 'metricsEndpoint.authentication',
    given: ({ metricsEndpoint }) => metricsEndpoint?.authentication === 'Token',
  },
  { path: 'statusEndpoint.tls', given: ({ statusEndpoint }) => statusEndpoint?.tls !== undefined },
];

/** Paths of the settings that somebody made and that have no effect yet: whoever made them must be told. */
export function inertSettings(spec: AlertConfigSpec | undefined): readonly string[] {
  return rows.filter(({ given }) => given(spec ?? {})).map(({ path }) => `spec.${path}`);
}

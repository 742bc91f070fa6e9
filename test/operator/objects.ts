import type { AlertConfig } from '../../src/api/alert-config.ts';
import type { AlertProvider } from '../../src/api/alert-provider.ts';
import { apiVersion } from '../../src/api/group.ts';
import type { MaintenanceWindow } from '../../src/api/maintenance-window.ts';
import type { Silence } from '../../src/api/silence.ts';
import type { ProviderView } from '../../src/model/provider-view.ts';
import { withoutState } from '../../src/model/state-view.ts';
import type { StatusCondition } from '../../src/operator/conditions.ts';
import type { StatusViews } from '../../src/operator/options.ts';
import type { DesiredStatus } from '../../src/operator/status-writer.ts';

/** When everything here was created. */
export const createdAt = '2026-11-20T08:00:00Z';

const metadata = (name: string, more: object = {}) => ({
  name,
  namespace: 'tocsin',
  uid: `uid-${name}`,
  generation: 1,
  resourceVersion: '1',
  creationTimestamp: createdAt,
  ...more,
});

/** A webhook that takes its address from the Secret `<name>`, key `url`. */
export function provider(
  name: string,
  more: { readonly spec?: object; readonly metadata?: object; readonly status?: AlertProvider['status'] } = {},
): AlertProvider {
  const spec = { type: 'webhook', webhook: { url: { secretKeyRef: { name, key: 'url' } } }, ...more.spec };
  const { status } = more;
  return {
    apiVersion,
    kind: 'AlertProvider',
    metadata: metadata(name, more.metadata),
    spec,
    ...(status && { status }),
  };
}

/** A Silence of an hour. */
export function silence(
  name: string,
  more: { readonly spec?: object; readonly status?: Silence['status'] } = {},
): Silence {
  const { status } = more;
  const spec = { selector: { names: ['api'] }, durationSeconds: 3600, ...more.spec };
  return { apiVersion, kind: 'Silence', metadata: metadata(name), spec, ...(status && { status }) };
}

/** A window every Saturday. */
export function window(name: string, spec: object = {}): MaintenanceWindow {
  return {
    apiVersion,
    kind: 'MaintenanceWindow',
    metadata: metadata(name),
    spec: { selector: {}, schedule: '0 2 * * 6', durationSeconds: 7200, ...spec },
  };
}

/** The one AlertConfig, unless told otherwise. */
export function config(spec: AlertConfig['spec'] = {}, more: object = {}): AlertConfig {
  return { apiVersion, kind: 'AlertConfig', metadata: metadata('default', more), spec };
}

/** What is known of a provider that has delivered nothing. */
export const noFacts: ProviderView = { delivered: 0, failed: 0, pending: 0, failing: false, probing: false };

/** Views of a runtime in which nothing has happened. */
export function views(more: Partial<StatusViews> = {}): StatusViews {
  return {
    provider: () => undefined,
    routes: () => [],
    muted: () => undefined,
    coverage: () => [],
    incidents: () => [],
    failedDeliveries: () => 0,
    hub: () => ({ is: 'off' }),
    state: () => withoutState,
    redelivery: () => undefined,
    heartbeat: () => ({ is: 'off' }),
    servingCertificate: () => ({ is: 'off' }),
    audit: () => ({ enabled: false, path: '-', licensed: false, lost: 0 }),
    ...more,
  };
}

/** The conditions of a status. */
export function conditionsOf({ status }: Pick<DesiredStatus, 'status'>): readonly StatusCondition[] {
  return status.conditions as readonly StatusCondition[];
}

/** A status's conditions as `Type=Status/Reason`. */
export function brief(desired: Pick<DesiredStatus, 'status'>): readonly string[] {
  return conditionsOf(desired).map(({ type, status, reason }) => `${type}=${status}/${reason}`);
}

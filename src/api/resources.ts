import { type AlertConfig, alertConfig } from './alert-config.ts';
import { type AlertProvider, alertProvider } from './alert-provider.ts';
import type { Kind } from './group.ts';
import { type MaintenanceWindow, maintenanceWindow } from './maintenance-window.ts';
import type { ResourceDefinition } from './schema/resource.ts';
import { type Silence, silence } from './silence.ts';

/** Kind → its definition. */
export const resources: Readonly<Record<Kind, ResourceDefinition>> = {
  AlertProvider: alertProvider,
  Silence: silence,
  MaintenanceWindow: maintenanceWindow,
  AlertConfig: alertConfig,
};

/** Kind → the type of its objects. */
export type ObjectOf = {
  readonly AlertProvider: AlertProvider;
  readonly Silence: Silence;
  readonly MaintenanceWindow: MaintenanceWindow;
  readonly AlertConfig: AlertConfig;
};

/** Kind → the type of its status, from the schema that the API server checks it with: a field it does not have is a type error. */
export type StatusOf = { readonly [K in Kind]: NonNullable<ObjectOf[K]['status']> };

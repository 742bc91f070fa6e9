import { alertConfig } from './alert-config.ts';
import { alertProvider } from './alert-provider.ts';
import type { Kind } from './group.ts';
import { maintenanceWindow } from './maintenance-window.ts';
import type { ResourceDefinition } from './schema/resource.ts';
import { silence } from './silence.ts';

/** Kind → its definition. */
export const resources: Readonly<Record<Kind, ResourceDefinition>> = {
  AlertProvider: alertProvider,
  Silence: silence,
  MaintenanceWindow: maintenanceWindow,
  AlertConfig: alertConfig,
};

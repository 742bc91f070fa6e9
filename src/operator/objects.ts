import type { AlertConfig } from '../api/alert-config.ts';
import type { AlertProvider } from '../api/alert-provider.ts';
import type { Kind } from '../api/group.ts';
import type { MaintenanceWindow } from '../api/maintenance-window.ts';
import type { Silence } from '../api/silence.ts';
import type { RawObject } from '../model/raw-object.ts';
import { kindOf, type Ref } from '../model/ref.ts';

type ObjectOf = {
  readonly AlertProvider: AlertProvider;
  readonly Silence: Silence;
  readonly MaintenanceWindow: MaintenanceWindow;
  readonly AlertConfig: AlertConfig;
};

/** Our own objects as last seen, by kind and ref. */
export type OwnObjects = { readonly [K in Kind]: ReadonlyMap<Ref, ObjectOf[K]> };

/** Our own objects, with the two things that can happen to them. */
export type ObjectBook = OwnObjects & {
  put(ref: Ref, raw: RawObject): void;
  remove(ref: Ref): void;
  /** Whatever kind it is of. */
  find(ref: Ref): ObjectOf[Kind] | undefined;
};

/** An empty book. Refs are of our four kinds only. */
export function createObjectBook(): ObjectBook {
  const maps = {
    AlertProvider: new Map<Ref, AlertProvider>(),
    Silence: new Map<Ref, Silence>(),
    MaintenanceWindow: new Map<Ref, MaintenanceWindow>(),
    AlertConfig: new Map<Ref, AlertConfig>(),
  };
  // Refs here are of our kinds, and the API server has checked each object against our schema, of which its type is made.
  const mapOf = (ref: Ref): Map<Ref, object> => maps[kindOf(ref) as Kind];
  return {
    ...maps,
    put: (ref, raw) => void mapOf(ref).set(ref, raw),
    remove: (ref) => void mapOf(ref).delete(ref),
    find: (ref) => maps[kindOf(ref) as Kind].get(ref),
  };
}

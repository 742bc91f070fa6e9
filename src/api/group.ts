/** API group of the four kinds. */
export const group = 'tocsin.dev';
/** Their only version. */
export const version = 'v1alpha1';
/** As manifests write it. */
export const apiVersion = `${group}/${version}`;
/** `kubectl get tocsin` lists all four. */
export const category = 'tocsin';

/** The four kinds. */
export type Kind = 'AlertProvider' | 'Silence' | 'MaintenanceWindow' | 'AlertConfig';

/** The names of a kind as discovery shows them. */
export type KindNames = { readonly plural: string; readonly singular: string; readonly shortName: string };

/** Kind → its names. */
export const kinds: Readonly<Record<Kind, KindNames>> = {
  AlertProvider: { plural: 'alertproviders', singular: 'alertprovider', shortName: 'ap' },
  Silence: { plural: 'silences', singular: 'silence', shortName: 'sil' },
  MaintenanceWindow: { plural: 'maintenancewindows', singular: 'maintenancewindow', shortName: 'mw' },
  AlertConfig: { plural: 'alertconfigs', singular: 'alertconfig', shortName: 'ac' },
};

/** All kinds, in the order the documentation has them. */
export const kindNames: readonly Kind[] = ['AlertProvider', 'Silence', 'MaintenanceWindow', 'AlertConfig'];

/** Any new value sends one marked test message. */
export const testAnnotation = 'tocsin.dev/test';

/** Any new value sends again what failed for good and is still worth telling. */
export const redeliverAnnotation = 'tocsin.dev/redeliver';

/** The name of the one AlertConfig. */
export const configName = 'default';

/** API group of the four kinds. */
export const group = 'tocsin.dev';
/** The version that manifests are written for. */
export const version = 'v1beta1';
/** As manifests write it. */
export const apiVersion = `${group}/${version}`;
/**
 * The version that objects are kept in, and that Tocsin itself asks for: every release has served it, so that a program that is newer or
 * older than the definitions in the cluster still reads its configuration, and a release can be gone back from.
 */
export const storedVersion = 'v1alpha1';
/** The same as an object of that version has it. */
export const storedApiVersion = `${group}/${storedVersion}`;
/** All versions that are served, the best first. They have the same fields: an object is the same in each. */
export const versions = [version, storedVersion] as const;
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

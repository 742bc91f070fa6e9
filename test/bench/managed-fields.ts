import { changedFields, type ListKeys, listKeysOfBuiltIns } from '../../sandbox/field-sets.ts';
import type { RawObject } from '../../src/model/raw-object.ts';

/** Who wrote an object, by what the API server notes of each: `status` through a door of its own. */
export type Writers = {
  readonly apiVersion: string;
  readonly time: string;
  readonly main: string;
  readonly status?: string;
};

const listKeys: ListKeys = (path) =>
  path.at(-1) === 'ports' ? ['containerPort', 'protocol'] : listKeysOfBuiltIns(path);

/**
 * The object with its managedFields at the end of its metadata, where the API server writes them. A real one, 1.36, gives the
 * same Pod 5.6 KB of them: it also has those of the defaults that are left out here.
 */
export function withManagedFields(object: RawObject, { apiVersion, time, main, status }: Writers): RawObject {
  const { metadata, status: state, apiVersion: _, kind: __, ...rest } = object;
  const { labels, annotations, ownerReferences, generateName } = metadata;
  const entry = (manager: string, fields: object, more: object = {}) => ({
    ...{ manager, operation: 'Update', apiVersion, time, fieldsType: 'FieldsV1' },
    fieldsV1: changedFields(fields, undefined, listKeys) ?? {},
    ...more,
  });
  const managedFields = [
    entry(main, { metadata: { annotations, generateName, labels, ownerReferences }, ...rest }),
    ...(status === undefined ? [] : [entry(status, { status: state }, { subresource: 'status' })]),
  ];
  return { ...object, metadata: { ...metadata, managedFields } };
}

import type { Ref } from '../../../model/ref.ts';
import { fieldsOf, given, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';
import { serviceOf } from './api-service.ts';

/** apiextensions.k8s.io/v1 CustomResourceDefinition, without its schemas. */
export type CustomResourceDefinitionView = Meta & {
  readonly kind: 'CustomResourceDefinition';
  readonly group: string;
  readonly plural: string;
  /** The kind that it defines. */
  readonly defines: string;
  readonly conditions: readonly Condition[];
  /** Who converts between its versions; absent: nobody needs to. */
  readonly converter?: Ref;
};

/** apiextensions.k8s.io/v1 CustomResourceDefinition. */
export const customResourceDefinitions: WatchedKind<CustomResourceDefinitionView> = watched({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  namespaced: false,
  fields({ raw, spec, meta }) {
    const names = fieldsOf(spec.names);
    const conversion = fieldsOf(spec.conversion);
    const { service } = fieldsOf(fieldsOf(conversion.webhook).clientConfig);
    return {
      group: textOf(spec.group) ?? '',
      plural: textOf(names.plural) ?? '',
      defines: textOf(names.kind) ?? '',
      conditions: conditionsOf(raw, meta.createdAt),
      ...given({ converter: conversion.strategy === 'Webhook' ? serviceOf(service) : undefined }),
    };
  },
  links: ({ converter }) => (converter === undefined ? [] : [{ type: 'calls', to: converter }]),
});

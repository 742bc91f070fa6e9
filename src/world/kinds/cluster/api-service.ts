import { type Ref, refOf } from '../../../model/ref.ts';
import { fieldsOf, given, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

/** apiregistration.k8s.io/v1 APIService: a group version that somebody else serves, or the API server itself. */
export type APIServiceView = Meta & {
  readonly kind: 'APIService';
  readonly group: string;
  readonly version: string;
  /** Who serves it; absent: the API server itself. */
  readonly service?: Ref;
  readonly conditions: readonly Condition[];
};

/** The Service of a `service` of a client configuration or an APIService. */
export function serviceOf(value: unknown): Ref | undefined {
  const { namespace, name } = fieldsOf(value);
  const [inNamespace, called] = [textOf(namespace), textOf(name)];
  return inNamespace === undefined || called === undefined ? undefined : refOf('Service', inNamespace, called);
}

/** apiregistration.k8s.io/v1 APIService. */
export const apiServices: WatchedKind<APIServiceView> = watched({
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  namespaced: false,
  managedFields: true,
  fields: ({ raw, spec, meta }) => ({
    group: textOf(spec.group) ?? '',
    version: textOf(spec.version) ?? '',
    conditions: conditionsOf(raw, meta.createdAt),
    ...given({ service: serviceOf(spec.service) }),
  }),
  links: ({ service }) => (service === undefined ? [] : [{ type: 'calls', to: service }]),
});

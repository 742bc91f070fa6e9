import { type Ref, refOf } from '../../../model/ref.ts';
import { type Fields, fieldsOf, given, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta, metaOf } from '../../reading/meta.ts';

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

function project(raw: Fields): APIServiceView {
  const meta = metaOf('APIService', raw);
  const spec = fieldsOf(raw.spec);
  return {
    ...meta,
    kind: 'APIService',
    group: textOf(spec.group) ?? '',
    version: textOf(spec.version) ?? '',
    conditions: conditionsOf(raw, meta.createdAt),
    ...given({ service: serviceOf(spec.service) }),
  };
}

/** apiregistration.k8s.io/v1 APIService. */
export const apiServices: WatchedKind<APIServiceView> = {
  group: 'apiregistration.k8s.io',
  versions: ['v1'],
  plural: 'apiservices',
  kind: 'APIService',
  namespaced: false,
  project,
  links: ({ service }) => (service === undefined ? [] : [{ type: 'calls', to: service }]),
};

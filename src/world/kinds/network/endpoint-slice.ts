import { type Ref, refOf } from '../../../model/ref.ts';
import type { Labels } from '../../../model/subject.ts';
import { type Fields, fieldsOf, given, listOf, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Meta, metaOf } from '../../reading/meta.ts';

/** discovery.k8s.io/v1 EndpointSlice: how many endpoints there are, not which. Terminating ones do not count. */
export type EndpointSliceView = Meta & {
  readonly kind: 'EndpointSlice';
  /** The Service it backs; absent where nobody says which. */
  readonly service?: Ref;
  readonly endpoints: number;
  /** Those that get traffic. */
  readonly ready: number;
  /** Those that answer, on their way out or not. */
  readonly serving: number;
  /** Names of the ports that its endpoints have; `''` for the one without a name. */
  readonly ports: readonly string[];
};

const serviceLabel = 'kubernetes.io/service-name';
const noLabels: Labels = {};

/** A condition of an endpoint: what nobody says is taken for true (discovery/v1 `EndpointConditions`). */
const holds = (condition: unknown): boolean => condition !== false;

function project(raw: Fields): EndpointSliceView {
  // Nobody selects slices, and their Service is a link: of thousands neither labels nor owners are kept.
  const { labels, owner: _, ...meta } = metaOf('EndpointSlice', raw);
  const conditions = listOf(raw.endpoints).map((endpoint) => fieldsOf(endpoint.conditions));
  const lasting = conditions.filter(({ terminating }) => terminating !== true);
  const service = labels[serviceLabel];
  const namespace = textOf(fieldsOf(raw.metadata).namespace);
  return {
    ...meta,
    labels: noLabels,
    kind: 'EndpointSlice',
    endpoints: lasting.length,
    ready: lasting.filter(({ ready }) => holds(ready)).length,
    serving: conditions.filter(({ ready, serving }) => holds(serving ?? ready)).length,
    ports: listOf(raw.ports).map(({ name }) => textOf(name) ?? ''),
    ...given({ service: service === undefined ? undefined : refOf('Service', namespace, service) }),
  };
}

const counts = ({ endpoints, ready, serving, ports }: EndpointSliceView): readonly unknown[] => [
  endpoints,
  ready,
  serving,
  ports,
];

/** discovery.k8s.io/v1 EndpointSlice. */
export const endpointSlices: WatchedKind<EndpointSliceView> = {
  group: 'discovery.k8s.io',
  versions: ['v1'],
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
  withoutManagedFields: true,
  project,
  links: ({ service }) => (service === undefined ? [] : [{ type: 'backs', to: service }]),
  facets: ({ ready }) => (ready === 0 ? empty : none),
  judgedBy: ['Service'],
  judgedThrough: {
    Service: ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'CustomResourceDefinition'],
  },
  fingerprintForDependents: counts,
};

/** Nothing in it gets traffic. */
const empty: readonly string[] = ['empty'];
const none: readonly string[] = [];

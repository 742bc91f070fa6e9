import { kindOf, type Ref, refOf } from '../../../model/ref.ts';
import type { Resource } from '../../../model/resource.ts';
import { type Entrance, entrancesOf, mostEntrances } from '../../reading/entrances.ts';
import { type Fields, fieldsOf, listOf, numberOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';
import type { ObjectLink } from '../../reading/object-links.ts';

/** What a controller says of one part of an object: of a listener, or of a route at one of its parents. */
export type PartStatus = { readonly name: string; readonly conditions: readonly Condition[] };

/** What it says of a route, or policy, at one of those that it names in its spec. */
export type ParentStatus = PartStatus & { readonly parent: Ref };

const group = 'gateway.networking.k8s.io';

/**
 * Conditions that were written after the last edit: older ones judge what is no more. What the CRD itself puts there until a
 * controller comes (`Waiting for controller`) has no generation, and the year 1970 as its time: it holds since there is the object.
 */
function currentConditions(value: unknown, { generation, createdAt }: Meta): readonly Condition[] {
  const conditions = listOf(value).filter(
    ({ observedGeneration }) => (numberOf(observedGeneration) ?? generation) >= generation,
  );
  return conditionsOf({ status: { conditions } }, createdAt).map((condition) => ({
    ...condition,
    since: Math.max(condition.since, createdAt),
  }));
}

/** gateway.networking.k8s.io GatewayClass. */
export type GatewayClassView = Meta & {
  readonly kind: 'GatewayClass';
  readonly controller: string;
  readonly conditions: readonly Condition[];
};

/** GatewayClasses. */
export const gatewayClasses: WatchedKind<GatewayClassView> = watched({
  group,
  versions: ['v1', 'v1beta1'],
  plural: 'gatewayclasses',
  kind: 'GatewayClass',
  namespaced: false,
  fields({ spec, status, meta }) {
    const conditions = currentConditions(status.conditions, meta);
    return { controller: textOf(spec.controllerName) ?? '', conditions };
  },
});

/** gateway.networking.k8s.io Gateway. */
export type GatewayView = Meta & {
  readonly kind: 'Gateway';
  readonly gatewayClass: Ref;
  readonly conditions: readonly Condition[];
  readonly listeners: readonly PartStatus[];
  /** Secrets with the certificates of its listeners. */
  readonly secrets: readonly Ref[];
};

/** Gateways. */
export const gateways: WatchedKind<GatewayView> = watched({
  group,
  versions: ['v1', 'v1beta1'],
  kind: 'Gateway',
  namespaced: true,
  fields({ spec, status: { conditions, listeners }, meta, namespace = '' }) {
    const certificates = listOf(spec.listeners).flatMap(({ tls }) => listOf(fieldsOf(tls).certificateRefs));
    const named = certificates.map((each) => referenceOf(each, 'Secret', namespace));
    return {
      gatewayClass: refOf('GatewayClass', '', textOf(spec.gatewayClassName) ?? ''),
      conditions: currentConditions(conditions, meta),
      listeners: listOf(listeners).map((listener) => ({
        name: textOf(listener.name) ?? '',
        conditions: currentConditions(listener.conditions, meta),
      })),
      secrets: [...new Set(named)].filter((ref) => kindOf(ref) === 'Secret'),
    };
  },
  links: ({ gatewayClass, secrets }) => [
    { type: 'of-class', to: gatewayClass },
    ...secrets.map((to): ObjectLink => ({ type: 'uses', to })),
  ],
  judgedBy: ['Secret'],
  fingerprintForDependents: ({ secrets }) => secrets,
});

/** A route of the Gateway API; which protocol it is for does not matter here. */
export type RouteView = Meta & {
  readonly kind: 'HTTPRoute' | 'GRPCRoute' | 'TLSRoute';
  /** The Gateways, or Services of a mesh, that it wants to be attached to. */
  readonly wanted: readonly Ref[];
  readonly backends: readonly Ref[];
  /** Where traffic comes in, and for whom. */
  readonly entrances: readonly Entrance[];
  /** Of those that it still wants. */
  readonly parents: readonly ParentStatus[];
};

/** What a reference of the Gateway API names; `kind` where it says none. */
function referenceOf(value: unknown, kind: string, namespace: string): Ref {
  const reference = fieldsOf(value);
  return refOf(textOf(reference.kind) ?? kind, textOf(reference.namespace) ?? namespace, textOf(reference.name) ?? '');
}

/** Where traffic comes in, and for whom: by the hosts of a route and the paths of its rules. */
function entrancesIn(spec: Fields, namespace: string): readonly Entrance[] {
  const { hostnames } = spec;
  const hosts = Array.isArray(hostnames) ? hostnames.filter((host) => typeof host === 'string') : [];
  const all = listOf(spec.rules).flatMap(({ matches, backendRefs }) => {
    const paths = listOf(matches).flatMap(({ path }) => textOf(fieldsOf(path).value) ?? []);
    return listOf(backendRefs).flatMap((each) =>
      entrancesOf(referenceOf(each, 'Service', namespace), hosts, paths.length === 0 ? ['/'] : paths),
    );
  });
  return all.slice(0, mostEntrances);
}

/** The row of a kind of route. Of the statuses at parents those are left out whose parents it wants no more: controllers that are gone left them. */
function route<K extends RouteView['kind']>(kind: K, versions: Resource['versions']): WatchedKind<RouteView> {
  return watched({
    group,
    versions,
    kind,
    namespaced: true,
    fields({ spec, status, meta, namespace = '' }) {
      const wanted = new Set(listOf(spec.parentRefs).map((each) => referenceOf(each, 'Gateway', namespace)));
      const references = listOf(spec.rules).flatMap(({ backendRefs }) => listOf(backendRefs));
      return {
        wanted: [...wanted],
        backends: [...new Set(references.map((each) => referenceOf(each, 'Service', namespace)))],
        entrances: entrancesIn(spec, namespace),
        parents: listOf(status.parents).flatMap(({ parentRef, conditions }) => {
          const parent = referenceOf(parentRef, 'Gateway', namespace);
          if (!wanted.has(parent)) return [];
          const name = textOf(fieldsOf(parentRef).sectionName) ?? '';
          return [{ parent, name, conditions: currentConditions(conditions, meta) }];
        }),
      };
    },
    links: ({ wanted, backends }) => [
      ...wanted.map((to): ObjectLink => ({ type: 'attached-to', to })),
      ...backends.map((to): ObjectLink => ({ type: 'routes-to', to })),
    ],
    judgedBy: ['Service'],
  });
}

/** HTTPRoutes. */
export const httpRoutes = route('HTTPRoute', ['v1', 'v1beta1']);
/** GRPCRoutes. */
export const grpcRoutes = route('GRPCRoute', ['v1']);
/** TLSRoutes. */
export const tlsRoutes = route('TLSRoute', ['v1', 'v1alpha3', 'v1alpha2']);

/** gateway.networking.k8s.io BackendTLSPolicy. */
export type BackendTLSPolicyView = Meta & {
  readonly kind: 'BackendTLSPolicy';
  /** The Services to which traffic is encrypted. */
  readonly targets: readonly Ref[];
  readonly ancestors: readonly PartStatus[];
};

/** BackendTLSPolicies. */
export const backendTLSPolicies: WatchedKind<BackendTLSPolicyView> = watched({
  group,
  versions: ['v1', 'v1alpha3'],
  plural: 'backendtlspolicies',
  kind: 'BackendTLSPolicy',
  namespaced: true,
  fields: ({ spec, status, meta, namespace = '' }) => ({
    targets: listOf(spec.targetRefs).map((each) => referenceOf(each, 'Service', namespace)),
    ancestors: listOf(status.ancestors).map(({ ancestorRef, conditions }) => ({
      name: textOf(fieldsOf(ancestorRef).name) ?? '',
      conditions: currentConditions(conditions, meta),
    })),
  }),
});

import { namespaceOf, type Ref, refOf } from '../../../model/ref.ts';
import { type Entrance, entrancesOf, mostEntrances } from '../../reading/entrances.ts';
import { type Fields, fieldsOf, given, listOf, numberOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';
import type { ObjectLink } from '../../reading/object-links.ts';

/** A Service that an Ingress leads to, and the port it asks for; 0 where it names none. */
export type IngressBackend = { readonly service: Ref; readonly port: number | string };

/** networking.k8s.io/v1 Ingress. */
export type IngressView = Meta & {
  readonly kind: 'Ingress';
  /** By `spec.ingressClassName`. */
  readonly ingressClass?: string;
  /** By the annotation of before there were classes. */
  readonly legacyClass?: string;
  /** Each once. Those that are no Service (`resource`) are left out. */
  readonly backends: readonly IngressBackend[];
  /** Where traffic comes in, and for whom. */
  readonly entrances: readonly Entrance[];
  /** Secrets with its certificates. */
  readonly secrets: readonly string[];
  /** By annotation it takes a part of the traffic of another one, or only requests of some kind. */
  readonly isShared?: true;
  /** Addresses that its controller has given it. */
  readonly addresses: number;
};

const legacyAnnotation = 'kubernetes.io/ingress.class';

function backendOf(value: unknown, namespace: string): IngressBackend[] {
  const { service } = fieldsOf(value);
  const { name, port } = fieldsOf(service);
  const own = textOf(name);
  const { name: portName, number } = fieldsOf(port);
  return own === undefined
    ? []
    : [{ service: refOf('Service', namespace, own), port: textOf(portName) ?? numberOf(number) ?? 0 }];
}

function entrancesIn(spec: Fields, namespace: string): readonly Entrance[] {
  const ofRules = listOf(spec.rules).flatMap(({ host, http }) =>
    listOf(fieldsOf(http).paths).flatMap(({ path, pathType, backend }) =>
      backendOf(backend, namespace).flatMap(({ service }) =>
        entrancesOf(service, [textOf(host) ?? ''], [textOf(path) ?? '/']).map(
          (each): Entrance => (pathType === 'Exact' ? { ...each, isExact: true } : each),
        ),
      ),
    ),
  );
  const usual = backendOf(spec.defaultBackend, namespace).flatMap(({ service }) => entrancesOf(service, [], ['/']));
  return [...ofRules, ...usual].slice(0, mostEntrances);
}

/** Annotations that make one share its host: canaries of ingress-nginx, conditions and groups of the AWS controller, minions of NGINX. */
const sharing =
  /^(?:nginx\.ingress\.kubernetes\.io\/canary|alb\.ingress\.kubernetes\.io\/(?:conditions\.|group\.)|nginx\.org\/mergeable-)/;

function links({ ref, backends, ingressClass, secrets }: IngressView): readonly ObjectLink[] {
  const services = [...new Set(backends.map(({ service }) => service))];
  return [
    ...services.map((to) => ({ type: 'routes-to' as const, to })),
    ...secrets.map((name) => ({ type: 'uses' as const, to: refOf('Secret', namespaceOf(ref), name) })),
    ...(ingressClass === undefined ? [] : [{ type: 'of-class' as const, to: refOf('IngressClass', '', ingressClass) }]),
  ];
}

/** networking.k8s.io/v1 Ingress. */
export const ingresses: WatchedKind<IngressView> = watched({
  group: 'networking.k8s.io',
  plural: 'ingresses',
  kind: 'Ingress',
  namespaced: true,
  fields({ raw, spec, status, namespace = '' }) {
    const annotations = fieldsOf(fieldsOf(raw.metadata).annotations);
    const paths = listOf(spec.rules).flatMap(({ http }) => listOf(fieldsOf(http).paths));
    const backends = [spec.defaultBackend, ...paths.map(({ backend }) => backend)].flatMap((each) =>
      backendOf(each, namespace),
    );
    const secrets = listOf(spec.tls).flatMap(({ secretName }) => textOf(secretName) ?? []);
    return {
      backends: [...new Map(backends.map((each) => [`${each.service} ${each.port}`, each])).values()],
      entrances: entrancesIn(spec, namespace),
      secrets: [...new Set(secrets)],
      addresses: listOf(fieldsOf(status.loadBalancer).ingress).length,
      ...given({
        ingressClass: textOf(spec.ingressClassName),
        legacyClass: textOf(annotations[legacyAnnotation]),
        isShared: Object.keys(annotations).some((key) => sharing.test(key)) ? true : undefined,
      }),
    };
  },
  links,
  facets: ({ addresses }) => (addresses === 0 ? unaddressed : none),
  judgedBy: ['Service', 'Secret'],
  fingerprintForDependents: ({ secrets }) => secrets,
});

/** No controller has given it an address. */
const unaddressed: readonly string[] = ['unaddressed'];
const none: readonly string[] = [];

/** networking.k8s.io/v1 IngressClass. */
export type IngressClassView = Meta & {
  readonly kind: 'IngressClass';
  readonly controller: string;
  /** Ingresses that name no class get this one. */
  readonly isDefault: boolean;
};

const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';

/** networking.k8s.io/v1 IngressClass. */
export const ingressClasses: WatchedKind<IngressClassView> = watched({
  group: 'networking.k8s.io',
  plural: 'ingressclasses',
  kind: 'IngressClass',
  namespaced: false,
  fields: ({ raw, spec }) => ({
    controller: textOf(spec.controller) ?? '',
    isDefault: fieldsOf(fieldsOf(raw.metadata).annotations)[defaultAnnotation] === 'true',
  }),
  judgedBy: ['Ingress'],
});

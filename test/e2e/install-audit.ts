import { readFileSync } from 'node:fs';

/** One request as the API server's audit log has it. */
export type Asked = {
  readonly verb: string;
  /** `pods`, `deployments.apps`, `pods/log`; `''` when it is no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly code: number;
};

/** What a role allows: one verb on one resource, perhaps in one namespace and on named objects only. */
export type Permission = {
  readonly verb: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly names?: readonly string[];
};

/** Logs every request of one user, with what it wrote but without what it read; nothing of anybody else. */
export function auditPolicy(user: string): object {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Request', users: [user] }, { level: 'None' }],
  };
}

type Entry = {
  readonly auditID: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: Readonly<
    Partial<Record<'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name', string>>
  >;
  readonly responseStatus?: { readonly code?: number };
};

/** Every request in an audit log; a watch counts from its first answer. */
export function readAudit(file: string): readonly Asked[] {
  const requests = new Map<string, Asked>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const { auditID, verb, requestURI, objectRef, responseStatus } = JSON.parse(line) as Entry;
    requests.set(auditID, {
      verb,
      resource:
        objectRef?.resource === undefined
          ? ''
          : nameOfResource(objectRef.apiGroup, objectRef.resource, objectRef.subresource),
      namespace: objectRef?.namespace ?? '',
      name: objectRef?.name ?? '',
      path: requestURI,
      code: responseStatus?.code ?? 0,
    });
  }
  return [...requests.values()];
}

function nameOfResource(group: string | undefined, resource: string, subresource?: string): string {
  return `${resource}${group ? `.${group}` : ''}${subresource ? `/${subresource}` : ''}`;
}

/** A Role or ClusterRole. */
export type Role = {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?:
    | readonly {
        readonly apiGroups?: readonly string[];
        readonly resources?: readonly string[];
        readonly resourceNames?: readonly string[];
        readonly verbs: readonly string[];
      }[]
    | null;
};

/** Every single permission of a role. */
export function permissionsOf({ metadata, rules }: Role): readonly Permission[] {
  return (rules ?? []).flatMap(({ apiGroups = [], resources = [], resourceNames, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((written) => {
        const [resource = '', subresource] = written.split('/');
        return verbs.map((verb) => ({
          verb,
          resource: nameOfResource(group, resource, subresource),
          ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
          ...(resourceNames && { names: resourceNames }),
        }));
      }),
    ),
  );
}

/** Whether a permission allows a request. */
export function allows(permission: Permission, asked: Asked): boolean {
  return (
    permission.verb === asked.verb &&
    permission.resource === asked.resource &&
    (permission.namespace === undefined || permission.namespace === asked.namespace) &&
    (permission.names === undefined || permission.names.includes(asked.name))
  );
}

/** `get secrets in tocsin`: for messages and tables. */
export function wordsOf({ verb, resource, namespace }: Permission): string {
  return `${verb} ${resource}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

/** Permissions of ours that a run on this server does not use, with why they are granted. */
export const unused: Readonly<Record<string, string>> = {
  'patch events': 'an Event that is repeated within ten minutes is counted, not written again',
  'create tokenreviews.authentication.k8s.io': 'only when an endpoint asks for a token',
  'create subjectaccessreviews.authorization.k8s.io': 'only when an endpoint asks for a token',
};

/** Answers that are no failure. */
export const expected: readonly { readonly is: (request: Asked) => boolean; readonly why: string }[] = [
  {
    is: ({ code, resource }) => code === 404 && resource === 'leases.coordination.k8s.io',
    why: 'the lock does not exist at the first start',
  },
  {
    is: ({ code, verb }) => code === 429 && verb === 'watch',
    why: 'the API server still prepares to serve custom resources that were installed seconds ago; it is asked again',
  },
  {
    is: ({ code, path }) => code === 422 && path.includes('sendInitialEvents=true'),
    why: 'API servers before 1.34 stream no lists: each kind is asked for once, then listed in pages',
  },
];

import { ApiFailure } from './failure.ts';
import { type Fields, fieldAt } from './object.ts';
import { type Resource, resourceKey } from './resources.ts';

/** Who asks. */
export type User = { readonly username: string; readonly groups: readonly string[] };

/** What authorization looks at; `resource` is `pods`, `deployments.apps`, with a subresource after a slash. */
export type Attributes = {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
};

/** Known bearer tokens; `undefined`: everybody is the administrator. */
export type Tokens =
  | Readonly<Record<string, { readonly username: string; readonly groups?: readonly string[] }>>
  | undefined;

const administrator: User = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

function userOf(tokens: NonNullable<Tokens>, token: string): User | undefined {
  const found = Object.hasOwn(tokens, token) ? tokens[token] : undefined;
  return found && { username: found.username, groups: [...(found.groups ?? []), 'system:authenticated'] };
}

/** The user of an Authorization header; 401 without a known token where tokens are asked for. */
export function authenticate(tokens: Tokens, authorization: string | undefined): User {
  if (!tokens) return administrator;
  const user = userOf(tokens, /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
  if (!user) throw new ApiFailure(401, 'Unauthorized', 'Unauthorized');
  return user;
}

/** 403 in the API server's words. */
export function forbidden(
  user: User,
  verb: string,
  resource: Resource,
  namespace: string | undefined,
  name: string,
): ApiFailure {
  const key = resourceKey(resource);
  const subject = name ? `${key} "${name}"` : key;
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope';
  const message = `${subject} is forbidden: User "${user.username}" cannot ${verb} resource "${resource.plural}" in API group "${resource.group}" ${where}`;
  const details = {
    ...(name ? { name } : {}),
    ...(resource.group ? { group: resource.group } : {}),
    kind: resource.plural,
  };
  return new ApiFailure(403, 'Forbidden', message, details);
}

const text = (value: unknown, field: string): string => String(fieldAt(value, field) ?? '');

/** Answers of the review kinds, by plural. `allowed` says what the deny rules leave. */
export const reviews: Readonly<
  Record<
    string,
    {
      readonly kind: string;
      review(spec: unknown, user: User, allowed: (a: Attributes) => boolean, tokens: Tokens): Fields;
    }
  >
> = {
  selfsubjectaccessreviews: {
    kind: 'SelfSubjectAccessReview',
    review: (spec, _user, allowed) => accessStatus(spec, allowed),
  },
  subjectaccessreviews: { kind: 'SubjectAccessReview', review: (spec, _user, allowed) => accessStatus(spec, allowed) },
  selfsubjectreviews: {
    kind: 'SelfSubjectReview',
    review: (_spec, user) => ({ userInfo: { username: user.username, groups: user.groups } }),
  },
  tokenreviews: {
    kind: 'TokenReview',
    review(spec, _user, _allowed, tokens) {
      const user = tokens ? userOf(tokens, text(spec, 'token')) : administrator;
      if (!user) return { user: {}, error: 'invalid bearer token' };
      return { authenticated: true, user: { username: user.username, groups: user.groups } };
    },
  },
};

function accessStatus(spec: unknown, allowed: (attributes: Attributes) => boolean): Fields {
  const asked = fieldAt(spec, 'resourceAttributes');
  const key = resourceKey({ group: text(asked, 'group'), plural: text(asked, 'resource') });
  const subresource = text(asked, 'subresource');
  const verdict = allowed({
    verb: text(asked, 'verb'),
    resource: subresource ? `${key}/${subresource}` : key,
    namespace: text(asked, 'namespace') || undefined,
    name: text(asked, 'name'),
  });
  return verdict
    ? { allowed: true, reason: 'allowed by default' }
    : { allowed: false, reason: 'denied by an injected rule' };
}

/** The API group a review kind is in. */
export function reviewGroup(plural: string): string {
  return plural === 'tokenreviews' || plural === 'selfsubjectreviews'
    ? 'authentication.k8s.io'
    : 'authorization.k8s.io';
}

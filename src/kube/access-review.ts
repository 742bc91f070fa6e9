import type { ApiClient } from './api-client.ts';

/** What the cluster says of whoever presents a token. */
export type Access = 'allowed' | 'forbidden' | 'unauthenticated';

type Review<S> = { readonly status?: S };
type UserInfo = {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

/** A review that takes longer helps nobody who waits for a page. Milliseconds. */
const deadlineMs = 5_000;

/** What somebody may `get`, or post to: a path that is no resource; or objects of a namespace. */
type Asked =
  | { readonly path: string; readonly verb?: 'post' }
  | { readonly namespace: string; readonly resource: string; readonly subresource?: string };

/**
 * Asks the API server who presents a bearer token (TokenReview), and whether they may `get` something (SubjectAccessReview).
 * Rejects with `ApiError` when it cannot be asked; nobody is let in then.
 */
export function createAccessReview(client: ApiClient): (token: string, asked: Asked) => Promise<Access> {
  async function create<S>(group: string, kind: string, spec: object): Promise<S | undefined> {
    const apiVersion = `${group}/v1`;
    const { status } = await client.json<Review<S>>({
      method: 'POST',
      path: `/apis/${apiVersion}/${kind.toLowerCase()}s`,
      body: { apiVersion, kind, spec },
      deadlineMs,
      attempts: 1,
    });
    return status;
  }
  return async (token, asked) => {
    const authenticated = await create<{ readonly authenticated?: boolean; readonly user?: UserInfo }>(
      'authentication.k8s.io',
      'TokenReview',
      { token },
    );
    if (authenticated?.authenticated !== true || !authenticated.user?.username) return 'unauthenticated';
    const { username: user, uid, groups, extra } = authenticated.user;
    const verdict = await create<{ readonly allowed?: boolean }>('authorization.k8s.io', 'SubjectAccessReview', {
      user,
      ...(uid !== undefined && { uid }),
      ...(groups && { groups }),
      ...(extra && { extra }),
      ...('path' in asked
        ? { nonResourceAttributes: { verb: 'get', ...asked } }
        : { resourceAttributes: { ...asked, verb: 'get' } }),
    });
    return verdict?.allowed === true ? 'allowed' : 'forbidden';
  };
}

/** What somebody asks of the API server. `namespace`: `''` for all of the cluster; `name`: absent for a whole collection. */
export type AccessRequest = {
  readonly verb: string;
  /** `''` is the core group. */
  readonly group: string;
  /** With its subresource: `pods/log`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name?: string;
};

/** How the API server refuses what RBAC does not grant: whom, and what (`responsewriters.forbiddenMessage`). */
const refusal =
  /(?:[a-z0-9.-]{1,100} "(?<name>[^"\s]{1,253})" )?is forbidden: User "system:serviceaccount:(?<home>[a-z0-9-]{1,63}):(?<account>[a-z0-9.-]{1,253})" cannot (?<verb>[a-z]{1,30}) resource "(?<resource>[a-z0-9./-]{1,120})" in API group "(?<group>[a-z0-9.-]{0,253})" (?:at the cluster scope|in the namespace "(?<namespace>[a-z0-9-]{1,63})")/;

/** Whom the API server refused what. */
export type Refusal = { readonly home: string; readonly account: string; readonly request: AccessRequest };

/** What a text says that the API server refused to a ServiceAccount; `undefined`: nothing, or in other words. */
export function refusalIn(text: string): Refusal | undefined {
  if (!text.includes('is forbidden: User')) return undefined;
  const said = refusal.exec(text.replaceAll('\\"', '"'))?.groups;
  if (said === undefined) return undefined;
  const { home = '', account = '', verb = '', resource = '', group = '', namespace = '', name } = said;
  return { home, account, request: { verb, group, resource, namespace, ...(name !== undefined && { name }) } };
}

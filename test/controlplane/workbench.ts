import assert from 'node:assert/strict';
import { type Fields, fieldAt } from '../../sandbox/object.ts';
import type { Answer, Environment } from './environment.ts';

/** An environment with the small things every chapter needs. */
export type Workbench = Environment & {
  /** A new, empty namespace. */
  namespace(): Promise<string>;
  /** POST; fails unless it is created. */
  create(path: string, body: object): Promise<Fields>;
  /** GET; fails unless it is there. */
  get(path: string): Promise<Fields>;
  patch(path: string, type: PatchType, body: unknown): Promise<Answer>;
  /** The server's minor version: 36. */
  minor(): Promise<number>;
};

/** The ways to patch. */
export type PatchType = 'merge' | 'json' | 'strategic' | 'apply';

const contentTypes: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Adds the tools to an environment. */
export function createWorkbench(environment: Environment): Workbench {
  const { ask } = environment;
  const run = Math.floor(Date.now() / 1000).toString(36);
  let count = 0;
  const expect = async (status: number, method: string, path: string, body?: object): Promise<Fields> => {
    const answer = await ask(method, path, body ? { body } : {});
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as Fields;
  };
  const create = (path: string, body: object): Promise<Fields> => expect(201, 'POST', path, body);
  return {
    ...environment,
    create,
    get: (path) => expect(200, 'GET', path),
    patch: (path, type, body) => ask('PATCH', path, { body, contentType: contentTypes[type] }),
    minor: async () => {
      const { minor, gitVersion } = await expect(200, 'GET', '/version');
      return Number.parseInt(String(minor ?? String(gitVersion).split('.')[1]), 10);
    },
    async namespace() {
      count += 1;
      const name = `contract-${run}-${count}`;
      await create('/api/v1/namespaces', { metadata: { name } });
      return name;
    },
  };
}

/** `metadata.resourceVersion`. */
export const versionOf = (object: unknown): string => String(fieldAt(object, 'metadata', 'resourceVersion'));
/** `metadata.name`. */
export const nameOf = (object: unknown): string => String(fieldAt(object, 'metadata', 'name'));
/** The items of a list. */
export function itemsOf<T extends Fields = Fields>(list: unknown): T[] {
  const items = fieldAt(list, 'items');
  assert.ok(Array.isArray(items), `not a list: ${JSON.stringify(list)}`);
  return items;
}
/** A condition of an object's status. */
export function conditionOf(object: unknown, type: string): Fields | undefined {
  const conditions = fieldAt(object, 'status', 'conditions');
  return Array.isArray(conditions) ? conditions.find((condition) => fieldAt(condition, 'type') === type) : undefined;
}
/** What a Status answer says: code, reason and details.kind. */
export function statusOf({ status, body }: Answer): Fields {
  return {
    status,
    kind: fieldAt(body, 'kind'),
    code: fieldAt(body, 'code'),
    reason: fieldAt(body, 'reason'),
    message: fieldAt(body, 'message'),
  };
}

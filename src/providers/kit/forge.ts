import type { Outcome } from '../../model/delivery.ts';
import type { Answer, Attempt, MaybeSecret, Send, SendRequest } from '../provider.ts';
import { type AnyConfig, objectOf } from './block.ts';
import { endpoint } from './endpoint.ts';
import { boolean } from './fields.ts';
import type { Sought } from './marker.ts';
import { findInPages, maxPageBytes, type PagedList } from './pages.ts';
import { sendFollowing } from './redirect.ts';
import type { Support } from './supports.ts';
import { doneIfGone, goneIfRefused, type Item, type Tracker, unlessRefused } from './tracker.ts';

/** Whether the end of an incident is the end of its issue. */
export const closeOnResolve = boolean({
  default: false,
  description: 'Whether the end of an incident closes its issue, and a relapse opens it again.',
});

/** What the issues of every forge can. */
export const issueSupports = [
  'thread',
  { can: 'update', when: 'the severity changes' },
  { can: 'close', with: ['closeOnResolve'] },
  { can: 'reopen', with: ['closeOnResolve'] },
  'dedup',
] as const satisfies readonly Support<'closeOnResolve'>[];

/** What becomes of an issue at the end of what it tells of, by how it is moved there. Who may comment may not always reopen what somebody else closed. */
export function endsByMoving(
  move: (item: Item, to: 'closed' | 'open') => Promise<Outcome | 'gone'>,
  config: { readonly closeOnResolve: boolean },
): Pick<Tracker, 'endTest' | 'close' | 'reopen'> {
  return {
    endTest: async (item) => unlessRefused(doneIfGone(await move(item, 'closed'))),
    ...(config.closeOnResolve && {
      close: async (item: Item) => doneIfGone(await move(item, 'closed')),
      reopen: async (item: Item) => goneIfRefused(await move(item, 'open')),
    }),
  };
}

/** Issues come back with their whole text and many addresses; bytes. */
const maxItemBytes = 512 * 1024;

/** One call of the API of a forge, by its path below the address of the API. */
export type ForgeCall = (
  method: SendRequest['method'],
  path: string,
  options?: {
    readonly json?: unknown;
    readonly query?: Readonly<Record<string, string>>;
    readonly maxAnswerBytes?: number;
  },
) => Promise<Answer>;

/** How calls go to the API at an address. `follows`: a renamed repository or a moved issue is followed on the same host. */
export function forgeCall(
  send: Send,
  api: string,
  headers: Readonly<Record<string, MaybeSecret>>,
  { follows }: { readonly follows: boolean },
): ForgeCall {
  return (method, path, { json, query, maxAnswerBytes = maxItemBytes } = {}) => {
    const url = endpoint(api, path, query);
    const request = { method, url, headers, maxAnswerBytes, ...(json !== undefined && { json }) };
    return follows ? sendFollowing(send, request) : send(request);
  };
}

/** Where issues are looked for, and how a list of them is read. `open`: the state of those that are, where only these are asked for. */
type Shelf = Pick<PagedList, 'isLast' | 'reading'> & {
  readonly call: ForgeCall;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly open: string;
};

/** Looks through the issues of a list page by page: all of them where an opening or a relapse may go on with a closed one. */
export function lookThrough(
  { call, path, query, open, ...list }: Shelf,
  sought: Sought,
  { delivery }: Pick<Attempt<unknown>, 'delivery'>,
  isTheOne: (issue: AnyConfig) => boolean,
): ReturnType<typeof findInPages> {
  const state = sought === 'alert' && delivery.act !== 'reopen' ? open : 'all';
  const ask = (page: number): Promise<Answer> =>
    call('GET', path, { query: { state, ...query, page: String(page) }, maxAnswerBytes: maxPageBytes });
  return findInPages({ ask, ...list }, isTheOne);
}

/** The path of a repository in an API. */
export function repositoryPath({ owner, repo }: { readonly owner: string; readonly repo: string }): string {
  return `repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
}

/** The number of an issue, as an API returns the issue. */
export function issueNumber(issue: unknown, field: 'number' | 'iid' = 'number'): Item | undefined {
  const number = objectOf(issue)?.[field];
  return Number.isInteger(number) ? { item: String(number) } : undefined;
}

/** The name of the account that the token is of; `undefined` where the token may not ask. */
export async function loginOf(call: ForgeCall): Promise<string | undefined> {
  const answer = await call('GET', 'user');
  const login = objectOf(answer.json())?.login;
  return answer.status === 200 && typeof login === 'string' && login !== '' ? login : undefined;
}

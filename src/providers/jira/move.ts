import type { Outcome } from '../../model/delivery.ts';
import { type AnyConfig, type Item, objectOf, rejected, unlessRefused } from '../kit.ts';
import type { Answer } from '../provider.ts';
import type { Jira } from './api.ts';

/** Where an issue is to go. Transitions are named or by their number. */
type Move = {
  readonly to: 'done' | 'open';
  readonly transition: string;
  /** The one that closes. */
  readonly closing: string;
  readonly projectKey: string;
};

/**
 * Takes an issue through a transition of its workflow. A person may have been there first: what is done is not closed again, what
 * is open not reopened, and what was moved to another project is left alone. `gone`: there is no such issue, or none that could be
 * reopened.
 */
export async function moveIssue(
  jira: Jira,
  item: Item,
  { to, transition, closing, projectKey }: Move,
): Promise<Outcome | 'gone'> {
  const looked = await jira.call('GET', issuePath(item), { query: { fields: 'status,project' } });
  const seen = looked.outcome(jira.reading, item);
  if (seen.is !== 'delivered') return looked.status === 404 ? 'gone' : seen;
  const fields = objectOf(objectOf(looked.json())?.fields);
  const status = objectOf(fields?.status);
  const done = isDone(status);
  if (to === 'done' && done) return seen;
  const offered = await transitionsOf(jira, item);
  if ('failed' in offered) return offered.failed;
  if (to === 'open' && !done && leadsElsewhere(find(offered.transitions, closing), status)) return seen;
  const found = find(offered.transitions, transition);
  if (found) return take(jira, item, found);
  const project = objectOf(fields?.project)?.key;
  const elsewhere = typeof project === 'string' && project !== projectKey;
  if (to === 'open' && done && elsewhere) return 'gone';
  if (elsewhere || (to === 'open' && !done)) return seen;
  const names = offered.transitions.map(({ name }) => `"${name}"`).join(', ');
  return rejected(`the issue offers no transition "${transition}"; it offers ${names === '' ? 'none' : names}`);
}

/** Takes the first transition that ends an issue, if there is one that the account may take. */
export async function endIssue(jira: Jira, item: Item): Promise<Outcome> {
  const offered = await transitionsOf(jira, item);
  const ending = 'failed' in offered ? undefined : offered.transitions.find(({ ends }) => ends);
  return ending ? unlessRefused(await take(jira, item, ending)) : { is: 'delivered' };
}

/** The path of an issue in the API. */
export function issuePath({ item }: Item): string {
  return `issue/${encodeURIComponent(item)}`;
}

/** `leadsTo`: the name of the status after it. */
type Transition = {
  readonly id: string;
  readonly name: string;
  readonly ends: boolean;
  readonly leadsTo: unknown;
};

function find(transitions: readonly Transition[], wanted: string): Transition | undefined {
  return transitions.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase());
}

/**
 * Whether an issue could be closed, which tells that somebody has reopened it. In workflows where every status can be reached from
 * everywhere, the transition that reopens would take it out of their hands. Where closing leads to a status that Jira does not
 * count as done, an issue in that status is closed.
 */
function leadsElsewhere(closing: Transition | undefined, status: AnyConfig | undefined): boolean {
  return closing?.leadsTo !== undefined && closing.leadsTo !== status?.name;
}

async function transitionsOf(
  jira: Jira,
  item: Item,
): Promise<{ readonly transitions: readonly Transition[] } | { readonly failed: Outcome }> {
  const answer = await jira.call('GET', `${issuePath(item)}/transitions`);
  const outcome = answer.outcome(jira.reading, item);
  if (outcome.is !== 'delivered') return { failed: outcome };
  const list = objectOf(answer.json())?.transitions;
  const transitions = Array.isArray(list) ? list.map(objectOf).filter((each) => each !== undefined) : [];
  return {
    transitions: transitions.map(({ id, name, to }) => ({
      id: String(id),
      name: String(name),
      ends: isDone(objectOf(to)),
      leadsTo: objectOf(to)?.name,
    })),
  };
}

/** Many workflows ask for a resolution on the way; most have one of this name. */
async function take(jira: Jira, item: Item, { id }: Transition): Promise<Outcome> {
  const post = (more: object): Promise<Answer> =>
    jira.call('POST', `${issuePath(item)}/transitions`, { json: { transition: { id }, ...more } });
  const answer = await post({});
  const wantsResolution = answer.status === 400 && /resolution/i.test(answer.body);
  return (wantsResolution ? await post({ fields: { resolution: { name: 'Done' } } }) : answer).outcome(
    jira.reading,
    item,
  );
}

function isDone(status: AnyConfig | undefined): boolean {
  return objectOf(status?.statusCategory)?.key === 'done';
}

import type { Outcome } from '../../model/delivery.ts';
import { objectOf } from './block.ts';
import { rejected } from './codes.ts';
import { string } from './fields.ts';

/** A name of a repository or its owner: people tend to write both into one field. RE2 and JavaScript read it alike. */
const noSlash = '^[^/]+$';
/** Where issues are opened. */
export const repositoryFields = {
  owner: string({
    required: true,
    pattern: noSlash,
    description: 'Account or organization that owns the repository.',
  }),
  repo: string({ required: true, pattern: noSlash, description: 'Name of the repository.' }),
} as const;

/** Why no issue can be opened in a repository, as GitHub and Gitea describe it; `undefined` when one can. */
export function unfitRepository(repository: unknown): Extract<Outcome, { is: 'permanent' }> | undefined {
  const { archived, has_issues } = objectOf(repository) ?? {};
  if (archived === true) return rejected('the repository is archived: choose another, or unarchive it');
  return has_issues === false ? rejected('the repository has no issues: switch them on in its settings') : undefined;
}

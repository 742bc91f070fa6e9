import { fieldsOf, given, listOf, messageOf, numberOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** A check of the API server that fails; `why` where it says that. */
export type FailingCheckView = { readonly name: string; readonly why?: string };

/**
 * What the API server last said of itself. It is no object of the API: the runtime asks for `/version` and `/readyz`, and puts what
 * is to be judged into this form, so that a recording holds it.
 */
export type APIServerView = Meta & {
  readonly kind: 'APIServer';
  /** `v1.36.3`. */
  readonly version?: string;
  /** What fails, since when (epoch milliseconds), and how many answers in a row have said so, 3 at most. */
  readonly failing?: {
    readonly since: number;
    readonly answers: number;
    readonly checks: readonly FailingCheckView[];
  };
};

function checksOf(raw: unknown): readonly FailingCheckView[] {
  return listOf(raw).flatMap((check) => {
    const name = textOf(check.name);
    return name === undefined ? [] : [{ name, ...given({ why: textOf(check.why) && messageOf(check.why) }) }];
  });
}

/** What the API server says of itself; asked for, not watched. */
export const apiServers: WatchedKind<APIServerView> = watched({
  group: '',
  kind: 'APIServer',
  namespaced: false,
  fields({ raw }) {
    const failing = fieldsOf(raw.failing);
    const [since, checks] = [timeOf(failing.since), checksOf(failing.checks)];
    const fails = since !== undefined && checks.length > 0;
    return given({
      version: textOf(raw.version),
      failing: fails ? { since, answers: numberOf(failing.answers) ?? 1, checks } : undefined,
    });
  },
});

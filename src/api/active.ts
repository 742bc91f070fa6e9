import { type Edition, includes } from '../model/edition.ts';
import type { Ref } from '../model/ref.ts';
import { refOf } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { ConditionReason } from './conditions.ts';
import type { ProviderCandidate } from './settings.ts';

/**
 * A provider that may become active. `createdAt`: epoch milliseconds. `invalid`: its spec cannot work. `secretsFound`: the
 * Secrets it names were there when last read; a missing one does not move the choice to another provider.
 */
export type Contender = {
  readonly settings: ProviderCandidate;
  readonly createdAt: number;
  readonly invalid: boolean;
  readonly secretsFound: boolean;
};

/** Who receives, and what is wrong with `app.communityProvider`, if anything. */
export type Choice = {
  readonly providers: readonly ProviderSettings[];
  /** The one active provider on Community and why it is: `app.communityProvider` names it, it is the only one, the oldest. */
  readonly chosen?: { readonly ref: Ref; readonly why: 'Named' | 'Only' | 'Oldest' };
  readonly problem?: {
    readonly reason: Extract<ConditionReason<'AlertConfig', 'Stalled'>, `CommunityProvider${string}`>;
    readonly message: string;
  };
};

/** What decides who is active. */
export type ChoiceRules = {
  readonly edition: Edition;
  readonly operatorNamespace: string;
  /** `app.communityProvider` of the AlertConfig. */
  readonly communityProvider?: string;
};

/**
 * Decides which providers receive. On Pro, all that are valid and not suspended. On Community one of the operator's namespace:
 * the one that AlertConfig names (a wrong name chooses nobody: it must be seen), else the only one, else the oldest by
 * creation, then name; those that others name as fallback come last.
 */
export function chooseActive(contenders: readonly Contender[], rules: ChoiceRules): Choice {
  const usable = contenders.filter(({ settings, invalid }) => !invalid && !settings.suspended);
  const takesAll = includes(rules.edition, 'manyProviders');
  const { chosen: choice, problem } = takesAll ? {} : chooseOne(contenders, usable, rules);
  const chosen = choice?.ref;
  const behind = chosen === undefined ? new Set<Ref>() : fallbacksOf(chosen, contenders);
  const reasonOf = ({ settings, invalid }: Contender): ProviderSettings['active']['reason'] => {
    if (invalid) return 'Invalid';
    if (settings.suspended) return 'Suspended';
    if (takesAll || settings.ref === chosen) return 'Selected';
    return behind.has(settings.ref) ? 'FallbackOnly' : 'CommunityLimit';
  };
  const providers = contenders.map((contender) => {
    const reason = reasonOf(contender);
    const canBeUsed = !contender.invalid && contender.secretsFound;
    return { ...contender.settings, usable: canBeUsed, active: { is: reason === 'Selected', reason } };
  });
  return { providers, ...(choice && { chosen: choice }), ...(problem && { problem }) };
}

function chooseOne(
  all: readonly Contender[],
  usable: readonly Contender[],
  { communityProvider, operatorNamespace }: ChoiceRules,
): Pick<Choice, 'chosen' | 'problem'> {
  const local = usable.filter(({ settings }) => settings.namespace === operatorNamespace);
  if (communityProvider === undefined) {
    const backups = new Set(all.flatMap(({ settings }) => (settings.fallback ? [settings.fallback] : [])));
    const rank = (contender: Contender): readonly [number, number, string] => [
      backups.has(contender.settings.ref) ? 1 : 0,
      contender.createdAt,
      contender.settings.ref,
    ];
    const [first] = local.toSorted((a, b) => compare(rank(a), rank(b)));
    return first ? { chosen: { ref: first.settings.ref, why: local.length === 1 ? 'Only' : 'Oldest' } } : {};
  }
  const named = refOf('AlertProvider', operatorNamespace, communityProvider);
  if (local.some(({ settings }) => settings.ref === named)) return { chosen: { ref: named, why: 'Named' } };
  const exists = all.some(({ settings }) => settings.ref === named);
  const field = `\`app.communityProvider\` is "${communityProvider}"`;
  return {
    problem: exists
      ? {
          reason: 'CommunityProviderUnusable',
          message: `${field}, which is suspended or invalid, so nobody is notified: repair it or name another AlertProvider`,
        }
      : {
          reason: 'CommunityProviderNotFound',
          message: `${field}, but the namespace ${operatorNamespace} has no such AlertProvider, so nobody is notified: correct the name`,
        },
  };
}

function compare(a: readonly [number, number, string], b: readonly [number, number, string]): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1);
}

/** Every provider that failed deliveries of this one may reach; a cycle is walked once. */
function fallbacksOf(start: Ref, all: readonly Contender[]): ReadonlySet<Ref> {
  const next = new Map(all.map(({ settings }) => [settings.ref, settings.fallback]));
  const found = new Set<Ref>();
  for (let ref = next.get(start); ref !== undefined && !found.has(ref); ref = next.get(ref)) found.add(ref);
  return found;
}

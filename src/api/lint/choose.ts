import { nameOf, type Ref } from '../../model/ref.ts';
import { didYouMean } from '../../model/suggest.ts';
import { type Choice, type Contender, chooseActive } from '../active.ts';
import { providerOf } from '../check-provider.ts';
import { providerSettings } from '../settings.ts';
import { asProvider, type Draft } from './draft.ts';
import type { Remark } from './remark.ts';

/** Every AlertProvider of a known type, as the operator would see it. */
export function contendersOf(drafts: readonly Draft[]): readonly Contender[] {
  const seen = new Map<Ref, Contender>();
  for (const draft of drafts) {
    if (draft.manifest.kind !== 'AlertProvider') continue;
    const object = asProvider(draft);
    const definition = providerOf(String(object.spec.type));
    if (!definition) continue;
    const createdAt = Date.parse(object.metadata.creationTimestamp);
    // Of a spec that the schema has refused only what is sure.
    const spec = draft.readable ? object.spec : { type: definition.type, suspend: object.spec.suspend === true };
    seen.set(draft.ref, {
      settings: providerSettings({ ...object, spec }, definition),
      // What is not in the cluster yet is younger than what is.
      createdAt: Number.isNaN(createdAt) ? Number.MAX_SAFE_INTEGER : createdAt,
      invalid: draft.remarks.some(({ rule }) => rule === 'InvalidSpec' || rule === 'InvalidDestination'),
      // A missing Secret does not move the choice to another provider.
      secretsFound: true,
    });
  }
  return [...seen.values()];
}

/** Who is active on Community, and what is wrong with `app.communityProvider`. */
export function chooseOnCommunity(
  contenders: readonly Contender[],
  asked: string | undefined,
  operatorNamespace: string,
): { readonly choice: Choice; readonly remarks: readonly Remark[] } {
  const local = contenders.filter(({ settings }) => settings.namespace === operatorNamespace);
  // Without any of them, nobody can tell whether the name is right.
  const named = local.length > 0 ? asked : undefined;
  const choice = chooseActive(contenders, {
    edition: 'Community',
    operatorNamespace,
    ...(named !== undefined && { communityProvider: named }),
  });
  if (!choice.problem) return { choice, remarks: [] };
  const { reason: rule, message } = choice.problem;
  const names = local.map(({ settings }) => nameOf(settings.ref));
  const meant = rule === 'CommunityProviderNotFound' ? didYouMean(named ?? '', names) : '';
  return { choice, remarks: [{ rule, path: 'spec.app.communityProvider', message: `${message}${meant}` }] };
}

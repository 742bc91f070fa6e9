import type { Explanation } from '../model/explanation.ts';
import type { Audience, Disposition } from '../model/incident.ts';
import { noMarks } from '../model/maintenance.ts';
import { picks } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { viewFor } from '../model/view.ts';
import { contextOf, type StepContext } from './context.ts';
import { ruleAlone } from './muting.ts';

/** What would become of an incident for one audience, were it told at that time. */
export type Prospect = {
  readonly audience: Audience;
  readonly disposition: Disposition;
  readonly by?: string;
  /** Active providers whose routes pick it. */
  readonly takers: readonly ProviderSettings[];
};

/** What is asked: the settings, and when (`now`: epoch milliseconds). */
export type ProspectInput = Pick<StepContext, 'settings' | 'now' | 'clusterId' | 'traits'> &
  Partial<Pick<StepContext, 'marks'>>;

/** What would become of an explanation, by itself, for each audience that it concerns. Nothing is remembered of the question. */
export function prospectsOf(explanation: Explanation, input: ProspectInput): readonly Prospect[] {
  const context = contextOf({ marks: noMarks, ...input, knownAudiences: new Set() });
  return context.audiences.flatMap((audience): Prospect[] => {
    const view = viewFor(audience, explanation);
    if (view === undefined) return [];
    const { disposition, by } = ruleAlone(view, audience, context);
    const takers = (context.activeIn.get(audience) ?? []).filter((one) => picks(one, view, context.settings));
    return [{ audience, disposition, takers, ...(by !== undefined && { by }) }];
  });
}

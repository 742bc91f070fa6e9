import type { Explanation, ExplanationPart } from '../model/explanation.ts';
import type { Audience } from '../model/incident.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import { type Selectable, selectorMatches } from '../model/selector.ts';
import type { StepContext } from './context.ts';

/** What is ruled on: what a selector is matched against, and what fails. */
export type Face = Selectable & Pick<Explanation | ExplanationPart, 'members'>;

/** What a Silence or a window says, as far as it decides whom it mutes. */
type Scoped = { readonly namespace: string } & Pick<StepContext['silences'][number], 'selector'>;

/**
 * Whether a Silence or window mutes something for an audience. One of a tenant mutes elsewhere only what is wholly its own:
 * nobody can mute somebody else's.
 */
export function covers({ namespace, selector }: Scoped, face: Face, audience: Audience, context: StepContext): boolean {
  const isInScope =
    namespace === context.settings.operatorNamespace ||
    namespace === audience ||
    [face.root, ...face.affected].every(({ ref }) => namespaceOf(ref) === namespace);
  return isInScope && selectorMatches(selector, face);
}

/** What is in maintenance by annotation: its root is, or all that fails is. */
function markOf({ root, members }: Face, { marks }: StepContext): Ref | undefined {
  const ofRoot = marks.coverOf(root.ref);
  if (ofRoot !== undefined) return ofRoot;
  let first: Ref | undefined;
  for (const { subject } of members) {
    const cover = marks.coverOf(subject.ref);
    if (cover === undefined) return undefined;
    first ??= cover;
  }
  return first;
}

/** The maintenance that holds something back for an audience, and who says so: a window, or an annotated object. */
export function maintenanceOf(
  face: Face,
  audience: Audience,
  context: StepContext,
): { readonly reasonCode: 'MaintenanceWindow' | 'MaintenanceAnnotation'; readonly by: Ref } | undefined {
  const window = context.windows.find((one) => covers(one, face, audience, context));
  if (window) return { reasonCode: 'MaintenanceWindow', by: window.ref };
  const by = markOf(face, context);
  return by && { reasonCode: 'MaintenanceAnnotation', by };
}

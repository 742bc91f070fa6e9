import type { DispatchedType } from '../../delivery/types.ts';
import type { Traits, TypeTraits } from '../../model/traits.ts';
import { joinConfig } from '../../providers/kit/config.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import { editingFields } from '../../providers/kit/supports.ts';
import { providers } from '../../providers/registry.ts';

/** A provider type as the dispatcher runs it. */
export function dispatched(definition: AnyProvider): DispatchedType {
  return {
    ...definition,
    // The dispatcher hands `deliver` exactly what `join` made, which is the type's own configuration.
    deliver: definition.deliver as DispatchedType['deliver'],
    ...(definition.find && { find: definition.find as NonNullable<DispatchedType['find']> }),
    ...edits(definition),
    join: (config, secrets) => joinConfig(definition, config, secrets),
  };
}

/** Every provider type as the dispatcher runs it. */
export const dispatchedTypes: ReadonlyMap<string, DispatchedType> = new Map(
  providers.map((definition) => [definition.type, dispatched(definition)]),
);

/** What deciding whom to tell needs to know of each type. A pager's key is its own; a tracker looks for it. */
export const providerTraits: Traits = new Map(
  providers.map((definition) => {
    const { type, family, plain, find } = definition;
    const closesByKey = family === 'pager' || (family === 'tracker' && find !== undefined);
    return [type, { plain, family, closesByKey, ...edits(definition) }];
  }),
);

/** With which fields a chat keeps its message up to date, if it does. */
function edits({ family, supports }: AnyProvider): Pick<TypeTraits, 'edits'> {
  const fields = editingFields(family, supports);
  return fields ? { edits: fields } : {};
}

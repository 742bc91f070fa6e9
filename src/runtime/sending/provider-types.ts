import type { DispatchedType } from '../../delivery/types.ts';
import type { Traits } from '../../model/traits.ts';
import { joinConfig } from '../../providers/kit/config.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import { providers } from '../../providers/registry.ts';

/** A provider type as the dispatcher runs it. */
export function dispatched(definition: AnyProvider): DispatchedType {
  return {
    ...definition,
    // The dispatcher hands `deliver` exactly what `join` made, which is the type's own configuration.
    deliver: definition.deliver as DispatchedType['deliver'],
    ...(definition.find && { find: definition.find as NonNullable<DispatchedType['find']> }),
    join: (config, secrets) => joinConfig(definition, config, secrets),
  };
}

/** Every provider type as the dispatcher runs it. */
export const dispatchedTypes: ReadonlyMap<string, DispatchedType> = new Map(
  providers.map((definition) => [definition.type, dispatched(definition)]),
);

/** What deciding whom to tell needs to know of each type. A pager's key is its own; a tracker looks for it. */
export const providerTraits: Traits = new Map(
  providers.map(({ type, family, plain, find }) => [
    type,
    { plain, family, closesByKey: family === 'pager' || (family === 'tracker' && find !== undefined) },
  ]),
);

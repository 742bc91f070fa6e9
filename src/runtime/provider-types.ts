import type { DispatchedType } from '../delivery/types.ts';
import { joinConfig } from '../providers/kit/config.ts';
import type { AnyProvider } from '../providers/kit/define.ts';
import { providers } from '../providers/registry.ts';

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

/** Types that get every incident even in a storm: a tracker or a pager must not miss one in an overview. */
export const everyIncidentTypes: ReadonlySet<string> = new Set(
  providers
    .filter(({ family }) => family === 'tracker' || family === 'pager' || family === 'log')
    .map(({ type }) => type),
);

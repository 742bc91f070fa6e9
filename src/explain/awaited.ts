import type { Finding } from '../model/finding.ts';
import type { World } from '../world/world.ts';
import { lackingSince } from './needs.ts';
import { saysOf } from './says.ts';
import { unanswered } from './unanswered.ts';

/**
 * By then (ms after a Service has lost its last endpoint) there is a finding of what stands behind it, or of the Service itself
 * (`detect/service.ts`: 100 s while its Pods fail).
 */
const foundWithinMs = 105_000;
/** Findings of an explanation that are asked: siblings that fail alike need the same. */
const asked = 4;

/**
 * Until when (epoch milliseconds) something is to be found of what the failing programs need: nobody answers there, they say no other
 * reason, and of a server that fails at the same time as a hundred clients one of these is often found first. `undefined`: nothing is
 * waited for.
 */
export function awaitedUntil(members: readonly Finding[], world: World): number | undefined {
  for (const finding of members.slice(0, asked)) {
    const since = lackingSince(finding, world);
    if (since === undefined) continue;
    const said = saysOf(finding, world);
    if (said.length === 0 || said.some(({ kind }) => unanswered.includes(kind))) return since + foundWithinMs;
  }
  return undefined;
}

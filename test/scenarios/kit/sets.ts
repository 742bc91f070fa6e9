/**
 * What scenarios are for. `labelled`: the core is tuned on them. `quiet`: normal days, nobody may hear of anything. `held-out`: written
 * before anybody looks at the rules, scored and never tuned to; once looked at, they are labelled, and the set may be empty. `storm`: one
 * cause and a hundred Pods.
 */
export const scenarioSets = ['labelled', 'quiet', 'held-out', 'storm'] as const;
export type ScenarioSet = (typeof scenarioSets)[number];

/** The set of a scenario. */
export function setOf(name: string): ScenarioSet {
  const set = scenarioSets.find((each) => name.startsWith(`${each}/`));
  if (!set) throw new Error(`${name} is in none of the sets ${scenarioSets.join(', ')}`);
  return set;
}

import { type Finding, referredBy } from '../../model/finding.ts';
import type { Bundle } from '../candidates/bundle.ts';
import type { Group } from './group.ts';

/** How many of the findings of a group name what another is of. */
function namesIn({ bundles, loose }: Group, { subject }: Finding): number {
  let count = 0;
  const note = (member: Finding): void => {
    if (referredBy(member).includes(subject.ref)) count += 1;
  };
  for (const { members } of bundles) members.forEach(note);
  loose.forEach(note);
  return count;
}

/**
 * What is only said of an object goes where those are who say it, if these fail for another reason: it is no incident of its own. Returns
 * what nobody says here.
 */
export function joinSayers(said: readonly Bundle[], groups: readonly Group[]): readonly Finding[] {
  return said.flatMap(({ members }) =>
    members.filter((finding) => {
      let most: { readonly group: Group; readonly count: number } | undefined;
      for (const group of groups) {
        const count = namesIn(group, finding);
        if (count > (most?.count ?? 0)) most = { group, count };
      }
      most?.group.loose.push(finding);
      return most === undefined;
    }),
  );
}

import type { GivenLicense } from '../../api/lint/license.ts';
import type { Verdict } from '../../api/lint/lint.ts';
import { type Level, type LintRule, lintRules, type Remark } from '../../api/lint/remark.ts';
import type { Edition } from '../../model/edition.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { Gathered, LocatedManifest, Place } from './gather.ts';
import { plain, plainStart } from './plain.ts';

/** One line of the report. */
export type Problem = Place & {
  readonly level: Level;
  readonly rule: LintRule;
  /** The object it is about; absent where there is none to read. */
  readonly object?: Ref;
  /** The field, empty for the whole object. */
  readonly path: string;
  /** One line. */
  readonly message: string;
};

/** Who would receive on Community. */
export type ActiveRow = { readonly provider: Ref; readonly active: boolean; readonly why: string };

/** Everything lint has to say. */
export type Report = {
  /** By file, line and column. */
  readonly problems: readonly Problem[];
  readonly providers: readonly ActiveRow[];
  /** What the given licence gives; absent where none is given. */
  readonly edition?: Edition;
  /** Objects judged, Secrets read, and objects of other kinds, which are left alone. */
  readonly counts: { readonly objects: number; readonly secrets: number; readonly foreign: number } & Readonly<
    Record<Level, number>
  >;
};

/** What a report is made of besides the verdict. `strict`: warnings count as errors. `tested`: what `--check` found, by provider. */
type ReportParts = {
  readonly tested: ReadonlyMap<Ref, Remark>;
  readonly license: GivenLicense | undefined;
  readonly strict: boolean;
};

/** Makes the report. */
export function reportOf(
  gathered: Gathered,
  verdict: Verdict<LocatedManifest>,
  { tested, license, strict }: ReportParts,
): Report {
  const levelOf = (rule: LintRule): Level => {
    const { level } = lintRules[rule];
    return strict && level === 'warning' ? 'error' : level;
  };
  const problems = [
    ...gathered.misread.map((misread): Problem => ({ ...misread, level: levelOf(misread.rule), path: '' })),
    ...verdict.judged.flatMap(({ manifest, ref, remarks }) =>
      [...remarks, ...(tested.has(ref) && !manifest.background ? [tested.get(ref)] : [])]
        .filter((remark) => remark !== undefined)
        .map(
          (remark): Problem => ({
            ...manifest.place(remark.path),
            ...remark,
            level: levelOf(remark.rule),
            object: ref,
          }),
        ),
    ),
  ]
    .map((problem): Problem => ({ ...problem, path: plain(problem.path), message: plain(problem.message) }))
    .toSorted(
      (a, b) =>
        compare(a.file ?? '', b.file ?? '') ||
        (a.position?.line ?? 0) - (b.position?.line ?? 0) ||
        (a.position?.column ?? 0) - (b.position?.column ?? 0) ||
        compare(a.object ?? '', b.object ?? ''),
    );
  const count = (level: Level): number => problems.filter((problem) => problem.level === level).length;
  return {
    problems,
    providers: activeRows(verdict),
    ...(license && { edition: license.edition }),
    counts: {
      error: count('error'),
      warning: count('warning'),
      note: count('note'),
      objects: verdict.judged.filter(({ manifest }) => !manifest.background).length,
      secrets: gathered.secretCount,
      foreign: gathered.foreign,
    },
  };
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Why the active one is it. */
const chosenBecause = {
  Named: 'active: `app.communityProvider` names it',
  Only: 'active: the only one that can be',
  Oldest:
    'active: the oldest (by name among equals) that is not only a fallback; `app.communityProvider` chooses another',
} as const;
const otherwise = {
  Selected: 'active',
  CommunityLimit: 'not active: Community has one active provider',
  Suspended: 'not active: suspended',
  Invalid: 'not active: invalid',
  FallbackOnly: 'fallback only: gets what the active one could not deliver',
} as const;

function activeRows({ choice }: Verdict): readonly ActiveRow[] {
  return choice.providers
    .map(({ ref, active }) => ({
      provider: ref,
      active: active.is,
      why:
        choice.chosen?.ref === ref
          ? chosenBecause[choice.chosen.why]
          : active.reason === 'CommunityLimit' && !choice.chosen
            ? 'not active: `app.communityProvider` names none of these'
            : otherwise[active.reason],
    }))
    .toSorted((a, b) => Number(b.active) - Number(a.active) || compare(a.provider, b.provider));
}

/** `tocsin/oncall`. */
export function shortName(ref: Ref): string {
  return plainStart(`${namespaceOf(ref)}/${nameOf(ref)}`);
}

/** `AlertProvider tocsin/oncall`. */
export function longName(ref: Ref): string {
  return `${kindOf(ref)} ${shortName(ref)}`;
}

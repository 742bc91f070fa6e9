/**
 * What the histories must notice: one line of `src/` made wrong, each by itself. `from` occurs exactly once in the file; `wrong` says what
 * people would notice.
 */
export type Mutation = { readonly file: string; readonly from: string; readonly to: string; readonly wrong: string };

/** The mutations. Whoever rewrites one of these lines writes the row anew. */
export const mutations: readonly Mutation[] = [
  {
    wrong: 'what was refused is taken for heard',
    file: 'src/incident/hearing.ts',
    from: "if (ended === 'delivered') {",
    to: "if (ended === 'delivered' || ended === 'failed') {",
  },
  {
    wrong: 'what is in doubt is taken for not told',
    file: 'src/incident/hearing.ts',
    from: 'const inDoubt = mayHaveArrived ? afterDoubt(hearing, message) : hearing;',
    to: 'const inDoubt = hearing;',
  },
  {
    wrong: 'an end that could not be told is not told later',
    file: 'src/incident/owed-ends.ts',
    from: 'if (!isOwedEnd(incident, provider) || !isWithin(extent, incident, provider)) continue;',
    to: 'continue;',
  },
  {
    wrong: 'what was given up is never tried again, however well the product is',
    file: 'src/incident/reach.ts',
    from: 'if (probeAt <= now && this.#known.has(uid)) probed.add(uid);',
    to: 'if (probeAt <= 0) probed.add(uid);',
  },
  {
    wrong: 'a rise is told to nobody',
    file: 'src/incident/news.ts',
    from: "if (compareSeverity(view.severity, told.severity) < 0)\n    yield { reasonCode: 'SeverityRaised', at: told.at + worsensMs[view.severity] };",
    to: '',
  },
  {
    wrong: 'another failure of the same thing is told to nobody',
    file: 'src/incident/news.ts',
    from: "if (isAnotherFailure(view, told)) yield { reasonCode: 'AnotherFailure', at: after(holdMs.changed) };\n  else if",
    to: 'if',
  },
  {
    wrong: 'a fallback that was told discharges the provider',
    file: 'src/incident/hearing.ts',
    from: "if (ended === 'pending') return afterTrouble(inDoubt, report);",
    to: "if (ended === 'pending') return report.overdue ? { knows: 'open', told: message.told } : afterTrouble(inDoubt, report);",
  },
  {
    wrong: 'no fallback is ever told',
    file: 'src/incident/stand-ins.ts',
    from: "return trouble?.overdue === true && trouble.code !== 'NamespaceLimit';",
    to: 'return trouble === null;',
  },
  {
    wrong: 'the end of one incident may come after the opening of the next under its key',
    file: 'src/model/delivery.ts',
    from: "export function laneOf({ alertKey, providerUid }: Pick<Delivery, 'alertKey' | 'providerUid'>): string {",
    to: 'export function laneOf({ stream: alertKey, providerUid }: Delivery): string {',
  },
  {
    wrong: 'a refused digest is made anew at once',
    file: 'src/incident/digest.ts',
    from: 'const dueAt = Math.max(first, lastAt) + settings.digest.intervalSeconds * 1000;',
    to: 'const dueAt = first + settings.digest.intervalSeconds * 1000;',
  },
  {
    wrong: 'who is not active any more does not hear the end',
    file: 'src/incident/context.ts',
    from: "return !suspended && active.reason !== 'Suspended' && active.reason !== 'Invalid';",
    to: 'return !suspended && active.is;',
  },
  {
    wrong: 'what may have been read since is forgotten',
    file: 'src/model/hearing.ts',
    from: 'return [...(told ? [told] : []), ...(hearing.perhaps && !isFollowed ? [hearing.perhaps] : [])];',
    to: 'return told ? [told] : [];',
  },
  {
    wrong: 'an update is sent though its opening was refused for good',
    file: 'src/state/collapse.ts',
    from: 'if (!begins(opening) || opening.mayHaveArrived) return [];',
    to: 'return [];',
  },
  {
    wrong: 'what was dropped counts as told after a restart',
    file: 'src/incident/hearing.ts',
    from: 'const arrived = gone.filter((message) => ended?.has(idOf(message)) !== false);',
    to: 'const arrived = gone;',
  },
  {
    wrong: 'a debt that is muted when it could be paid is forgotten',
    file: 'src/incident/debts.ts',
    from: 'if (isDue && reading?.isMuted &&',
    to: 'if (isDue && reading?.isMuted === undefined &&',
  },
  {
    wrong: 'a pager is told of a flood by nothing',
    file: 'src/model/announcement.ts',
    from: "if (act === 'startup' || isAlert) return",
    to: "if (act === 'startup') return",
  },
  {
    wrong: 'who was away while it lasted is woken for what is over',
    file: 'src/state/collapse.ts',
    from: 'drops: waiting.filter((stored) => endable.has(stored.delivery.act)),',
    to: "drops: waiting.filter((stored) => stored.delivery.act === 'update'),",
  },
];

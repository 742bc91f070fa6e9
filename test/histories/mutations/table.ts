/**
 * What the histories must notice: one line of `src/` made wrong, each by itself. `from` occurs exactly once in the file; `wrong` says what
 * people would notice.
 */
export type Mutation = { readonly file: string; readonly from: string; readonly to: string; readonly wrong: string };

/** The mutations. Whoever rewrites one of these lines writes the row anew. */
export const mutations: readonly Mutation[] = [
  {
    wrong: 'what was refused is not told when the provider works again',
    file: 'src/delivery/fallback.ts',
    from: 'if (mayHaveArrived || ',
    to: "if (ended === 'failed' || ",
  },
  {
    wrong: 'an end that could not be told is not told later',
    file: 'src/incident/incidents.ts',
    from: 'this.#pipeline.payOwedEnds(arrived, context, step);',
    to: '',
  },
  {
    wrong: 'a rise is told to nobody',
    file: 'src/incident/updates.ts',
    from: "< 0) return { reasonCode: 'SeverityRaised' };",
    to: "< -9) return { reasonCode: 'SeverityRaised' };",
  },
  {
    wrong: 'an opening is sent though its end was dropped with it',
    file: 'src/state/collapse.ts',
    from: 'drops: needless ? [...openings, ...updates] : updates, needless }',
    to: 'drops: updates, needless }',
  },
];

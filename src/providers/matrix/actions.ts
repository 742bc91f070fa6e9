import { group, list, mention } from '../kit.ts';

/** Who may act by reactions and replies. */
export const matrixActions = group(
  {
    description:
      'Reactions and replies that acknowledge an incident or silence its object; only for an AlertProvider in the namespace of Tocsin.',
  },
  {
    users: list({
      pattern: mention.matrix.pattern,
      description: 'IDs of the users who may (@ada:example.com). Nobody else may.',
    }),
  },
);

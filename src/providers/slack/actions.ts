import { group, list, secret } from '../kit.ts';

/** Who may press what stands below a message, and how Slack tells of it. */
export const slackActions = group(
  {
    description:
      'Buttons on its messages that acknowledge an incident or silence its object for an hour, by Socket Mode; only for an AlertProvider in the namespace of Tocsin, and not with `compact`.',
    rules: [{ cel: '!has(self.users) || has(self.appToken)', message: 'set `appToken` with `users`' }],
  },
  {
    users: list({
      pattern: '^[UW][A-Z0-9]{2,20}$',
      description:
        'IDs of the Slack users who may press them (U…, W…): *Copy member ID* of their profile. Nobody else may.',
    }),
    appToken: secret({ description: 'App-level token (xapp-…) with the scope `connections:write`.' }),
  },
);

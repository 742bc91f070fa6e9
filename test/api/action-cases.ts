/** Manifests with `actions`: who acts from messages, and what is read back. */
import { type Case, cel, type Manifest, manifest, type Spec, schema } from './case.ts';

const token = { secretKeyRef: { name: 'oncall', key: 'token' } };
const blocks: Readonly<Record<string, Spec>> = {
  opsgenie: { apiKey: token },
  pagerduty: { integrationKey: token },
  jira: { url: 'https://acme.atlassian.net', user: 'a@b.example', apiToken: token, projectKey: 'OPS' },
  matrix: { homeServer: 'https://matrix.example.org', accessToken: token, internalRoomId: '!abc:example.org' },
};
const acting = (type: string, actions: unknown, more: Spec = {}): Manifest =>
  manifest('AlertProvider', { type, [type]: { ...blocks[type], actions, ...more } });

/** What can be read back, and of whom. */
export const actionCases: readonly Case[] = [
  { name: 'Opsgenie that is read back', manifest: acting('opsgenie', { readBack: true }) },
  {
    name: 'Jira Service Management that is read back',
    manifest: acting('opsgenie', { readBack: true }, { region: 'jsm' }),
    refused: cel('spec.opsgenie', 'leave `actions.readBack` out'),
  },
  {
    name: 'Jira Service Management that is not read back',
    manifest: acting('opsgenie', { readBack: false }, { region: 'jsm' }),
  },
  { name: 'PagerDuty that is read back', manifest: acting('pagerduty', { readBack: true, apiToken: token }) },
  {
    name: 'PagerDuty that is read back without a token',
    manifest: acting('pagerduty', { readBack: true }),
    refused: cel('spec.pagerduty.actions', 'set `apiToken` with `readBack`'),
  },
  { name: 'PagerDuty that is not read back', manifest: acting('pagerduty', {}) },
  { name: 'Jira that is read back', manifest: acting('jira', { readBack: true }) },
  {
    name: 'a switch as text',
    manifest: acting('jira', { readBack: 'yes' }),
    refused: schema('spec.jira.actions.readBack'),
  },
  {
    name: 'members of a room who may act',
    manifest: acting('matrix', { users: ['@ada:example.org', '@b-c.d=1:h:8448'] }),
  },
  ...['ada', '@ada', '@Ada:example.org', '@*:example.org', '@ada:example.org,@bob:example.org'].map(
    (user): Case => ({
      name: `"${user}" who may act`,
      manifest: acting('matrix', { users: [user] }),
      refused: schema('spec.matrix.actions.users[0]'),
    }),
  ),
];

import { field, item, none, noneOf, secret, setting, shared, type Target, type Tool } from './rule.ts';

const group = 'communications.*';
const webhook = none(
  'make an incoming webhook of the product and an AlertProvider of its type: Tocsin posts and reads no chat',
);
const sources = 'sources.*.*';

/** Names stay; a pattern for everything is no filter. Botkube takes regular expressions, Tocsin globs: what is no glob is named, and not guessed. */
const glob =
  (exclude: boolean) =>
  (value: unknown): Target => {
    const text = String(value).replace(/^\^/, '').replace(/\$$/, '').replaceAll('.*', '*');
    if (!/^[a-z0-9*-]*$/.test(text))
      return none('it is a regular expression: `filters.namespaces` takes names with the wildcards * and ?');
    return item('filters.namespaces', () => (text === '*' || text === '' ? undefined : `${exclude ? '!' : ''}${text}`));
  };

/** Botkube: the values of its chart. */
export const botkube: Tool = {
  title: 'Botkube',
  rules: [
    [`${group}.socketSlack.channels.*/name`, field('slack', 'channel')],
    [`${group}.socketSlack/botToken`, shared(secret('slack', 'token'))],
    [`${group}.socketSlack.appToken`, none('an app token lets Botkube read commands: Tocsin takes none')],
    [`${group}.slack.channels.*/name`, field('slack', 'channel')],
    [`${group}.slack/token`, shared(secret('slack', 'token'))],
    [`${group}.pagerDuty/integrationKey`, secret('pagerduty', 'integrationKey')],
    [`${group}.webhook/url`, secret('webhook', 'url')],
    [`${group}.*.enabled`, none('an AlertProvider that must not send has `suspend: true`')],
    [`${group}.*.channels.*.bindings.executors.**`, none('Tocsin changes nothing and takes no commands')],
    [`${group}.*.channels.*.bindings.sources.**`, none('say it as `routes` of the AlertProvider (Pro): docs/teams.md')],
    [`${group}.*.bindings.**`, none('say it as `routes` of the AlertProvider (Pro): docs/teams.md')],
    [`${group}.*.channels.*.notification.**`, none('an AlertProvider that must not send has `suspend: true`')],
    [`${group}.mattermost.**`, webhook],
    [`${group}.discord.**`, webhook],
    [`${group}.teams.**`, webhook],
    [`${group}.cloudTeams.**`, webhook],
    [
      `${group}.cloudSlack.**`,
      none('it goes through the service of Botkube: make an app of your own (docs/reference/providers/slack.md)'),
    ],
    ...noneOf([`${group}.elasticsearch.**`, `${group}.*.indices.**`], 'write the log or the audit log (Pro) there'),
    [`${group}.*.notification.**`, none('messages have one layout, which says the cause')],
    ['communications.*.enabled', none('an AlertProvider that must not send has `suspend: true`')],
    ['existingCommunicationsSecretName', none('give the content of that Secret to `tocsin import` as well')],
    ['settings.clusterName', setting('app.clusterName')],
    ['settings.**', none('it is about Botkube itself')],
    [`${sources}.config.namespaces.include.*`, glob(false)],
    [`${sources}.config.namespaces.exclude.*`, glob(true)],
    [
      `${sources}.config.event.types.**`,
      none('errors are told as incidents; that something was made or changed is told as the cause of one'),
    ],
    [`${sources}.config.namespaces.**`, none('every namespace is watched')],
    ...noneOf(
      [`${sources}.config.labels.**`, `${sources}.config.annotations.**`, `${sources}.config.event.**`],
      'say it as `routes` of the AlertProvider (Pro), or as `filters` of the AlertConfig: docs/teams.md',
    ),
    [`${sources}.config.recommendations.**`, none('what nobody suffers from is not told')],
    [`${sources}.config.resources.**`, none('every kind that Tocsin knows is watched: docs/noticed')],
    ['sources.**', none('what fails is found by itself')],
    ['executors.**', none('Tocsin changes nothing and takes no commands')],
    ['actions.**', none('Tocsin changes nothing and takes no commands')],
    ['aliases.**', none('Tocsin takes no commands')],
    ['analytics.**', none('nothing is sent home')],
    ['plugins.**', none('there are no plug-ins')],
    ['rbac.**', none('its roles come with it: docs/security.md')],
    ['configWatcher.**', none('changes of its objects count within seconds')],
    ['filters.**', none('annotations of an object that is not to be told are in docs/maintenance.md')],
    ...noneOf(
      [
        ...['image.**', 'deployment.**', 'replicaCount', 'extraAnnotations.**', 'extraLabels.**', 'priorityClassName'],
        ...[
          'nameOverride',
          'fullnameOverride',
          'resources.**',
          'extraEnv.**',
          'extraVolumes.**',
          'extraVolumeMounts.**',
        ],
        ...[
          'nodeSelector.**',
          'tolerations.**',
          'affinity.**',
          'serviceAccount.**',
          'extraObjects.**',
          'kubeconfig.**',
        ],
        ...['podSecurityPolicy.**', 'securityContext.**', 'containerSecurityContext.**', 'service.**', 'ingress.**'],
        ...['ssl.**', 'serviceMonitor.**', 'config.**', 'e2eTest.**', 'crashLoopBackOff.**', 'initContainers.**'],
      ],
      'it is about the Pod of Botkube: docs/install.md has that of Tocsin',
    ),
  ],
};

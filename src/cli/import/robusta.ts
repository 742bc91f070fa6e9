import { field, name, none, secret, setting, type Tool } from './rule.ts';

const sinks = 'sinksConfig.*';
const routed = none('say it as `routes` of the AlertProvider (Pro), or as `filters` of the AlertConfig: docs/teams.md');

/** Robusta: the values of its chart, `generated_values.yaml`. */
export const robusta: Tool = {
  title: 'Robusta',
  rules: [
    [`${sinks}.*/name`, name],
    [`${sinks}.slack_sink/api_key`, secret('slack', 'token')],
    [`${sinks}.slack_sink/slack_channel`, field('slack', 'channel')],
    [`${sinks}.ms_teams_sink/webhook_url`, secret('teams', 'webhook')],
    [`${sinks}.telegram_sink/bot_token`, secret('telegram', 'token')],
    [`${sinks}.telegram_sink/chat_id`, field('telegram', 'chatId', String)],
    [`${sinks}.telegram_sink/thread_id`, field('telegram', 'topicId')],
    [`${sinks}.discord_sink/url`, secret('discord', 'webhook')],
    [`${sinks}.pagerduty_sink/api_key`, secret('pagerduty', 'integrationKey')],
    [`${sinks}.opsgenie_sink/api_key`, secret('opsgenie', 'apiKey')],
    [`${sinks}.google_chat_sink/webhook_url`, secret('googlechat', 'webhook')],
    [`${sinks}.webhook_sink/url`, secret('webhook', 'url')],
    [`${sinks}.pushover_sink/token`, secret('pushover', 'token')],
    [`${sinks}.pushover_sink/user`, secret('pushover', 'user')],
    [`${sinks}.jira_sink/url`, field('jira', 'url')],
    [`${sinks}.jira_sink/username`, field('jira', 'user')],
    [`${sinks}.jira_sink/api_key`, secret('jira', 'apiToken')],
    [`${sinks}.jira_sink/project_name`, field('jira', 'projectKey')],
    [`${sinks}.webex_sink/bot_access_token`, secret('webex', 'accessToken')],
    [`${sinks}.webex_sink/room_id`, field('webex', 'roomId')],
    [
      `${sinks}.robusta_sink.**`,
      none('the service of Robusta has no counterpart: `tocsin status` and the page /status are in the cluster'),
    ],
    [`${sinks}.*.scope.**`, routed],
    [`${sinks}.*.match.**`, routed],
    [`${sinks}.*.activity.**`, none('say it as a MaintenanceWindow (Pro)')],
    [`${sinks}.*.default`, none('an AlertProvider without routes gets everything')],
    [`${sinks}.*.stop`, none('each AlertProvider judges by itself')],
    [`${sinks}.*.grouping.**`, none('what has one cause is one incident')],
    [`${sinks}.*.thread_messages`, none('an incident is one thread where the product has threads')],
    [
      `${sinks}.*.*`,
      none('this field of the sink has no counterpart; look at the page of its type in docs/reference/providers'),
    ],
    [`${sinks}.*.**`, none('this part of the sink has no counterpart')],
    ['clusterName', setting('app.clusterName')],
    ['isSmallCluster', none('the requests of the Pod fit 5,000 Pods')],
    ['clusterZone', none('Tocsin knows the zones of the Nodes')],
    ['globalConfig.**', none('it is of the service of Robusta')],
    ['enablePrometheusStack', none('Tocsin needs no Prometheus; one that is there is left as it is')],
    ['enabledManagedConfiguration', none('it is of the service of Robusta')],
    ['enablePlatformPlaybooks', none('it is of the service of Robusta')],
    ['disableCloudRouting', none('nothing is routed through anybody’s cloud')],
    ['enableHolmesGPT', none('no language model is used')],
    [
      'customPlaybooks.**',
      none('what fails is found by itself; what a playbook changes in the cluster stays with Robusta'),
    ],
    ['builtinPlaybooks.**', none('what fails is found by itself')],
    ['kube-prometheus-stack.**', none('Tocsin needs no Prometheus')],
    ['rsa.**', none('nobody is let in from outside')],
    ['playbookRepos.**', none('there are no playbooks')],
  ],
};

import { field, name, none, noneOf, type Rule, secret, setting, type Tool } from './rule.ts';

/** The key has been written both ways. */
const lists = ['sinksConfig', 'sinks_config'];
const routed = none('say it as `routes` of the AlertProvider (Pro), or as `filters` of the AlertConfig: docs/teams.md');
const ofService = 'it is of the service of Robusta';
const service = none(ofService);
const byLabels = none('`routes` of AlertProviders (Pro) choose by namespace, owner and label: docs/teams.md');
const make = (type: string, how: string): string =>
  `make an AlertProvider of the type ${type}: ${how} (docs/reference/providers/${type}.md)`;

/** Below one sink: its type, `/` and its field. */
const fields: readonly Rule[] = [
  ['*/name', name],
  ['slack_sink/api_key', secret('slack', 'token')],
  ['slack_sink/slack_channel', field('slack', 'channel')],
  ['ms_teams_sink/webhook_url', secret('teams', 'webhook')],
  ['telegram_sink/bot_token', secret('telegram', 'token')],
  ['telegram_sink/chat_id', field('telegram', 'chatId', String)],
  ['telegram_sink/thread_id', field('telegram', 'topicId')],
  ['discord_sink/url', secret('discord', 'webhook')],
  ['pagerduty_sink/api_key', secret('pagerduty', 'integrationKey')],
  ['opsgenie_sink/api_key', secret('opsgenie', 'apiKey')],
  ['google_chat_sink/webhook_url', secret('googlechat', 'webhook')],
  ['webhook_sink/url', secret('webhook', 'url')],
  ['pushover_sink/token', secret('pushover', 'token')],
  ['pushover_sink/user', secret('pushover', 'user')],
  ['jira_sink/url', field('jira', 'url')],
  ['jira_sink/username', field('jira', 'user')],
  ['jira_sink/api_key', secret('jira', 'apiToken')],
  ['jira_sink/project_name', field('jira', 'projectKey')],
  ['jira_sink/issue_type', field('jira', 'issueType')],
  ['webex_sink/bot_access_token', secret('webex', 'accessToken')],
  ['webex_sink/room_id', field('webex', 'roomId')],
  ['rocketchat_sink/server_url', field('rocketchat', 'url')],
  ['rocketchat_sink/user_id', field('rocketchat', 'userId')],
  ['rocketchat_sink/token', secret('rocketchat', 'token')],
  ['rocketchat_sink/channel', field('rocketchat', 'channel')],
  ['zulip_sink/api_url', field('zulip', 'url')],
  ['zulip_sink/bot_email', field('zulip', 'email')],
  ['zulip_sink/bot_api_key', secret('zulip', 'token')],
  ['zulip_sink/stream_name', field('zulip', 'channel')],
  ['zulip_sink/topic_name', field('zulip', 'title')],
  ['datadog_sink/api_key', secret('datadog', 'apiKey')],
  ['plivo_sink/auth_id', secret('plivo', 'authId')],
  ['plivo_sink/auth_token', secret('plivo', 'authToken')],
  ['plivo_sink/from_number', field('plivo', 'from', String)],
  ['plivo_sink/to_number', field('plivo', 'to', (value) => String(value).replaceAll('<', ','))],
];

/** The same, of what has no counterpart. The order counts: what is said of one sink goes before what is said of all. */
const nowhere: readonly Rule[] = [
  [
    'mail_sink.**',
    none(make('email', 'the address holds a password, which belongs into a Secret; with `use_ses`, of the type ses')),
  ],
  ['mattermost_sink.**', none(make('mattermost', 'address and token of the bot, and the id of the channel'))],
  ['victorops_sink.**', none(make('splunkoncall', 'key and routing key are the last two parts of the address'))],
  ['incidentio_sink.**', none(make('incidentio', 'its address and key, by secretKeyRef'))],
  ['service_now_sink.**', none('there is no such type: send to an integration of it that takes a webhook')],
  ['kafka_sink.**', none('there is no such type: a webhook can reach a bridge to Kafka')],
  ['yamessenger_sink.**', none('there is no such type: choose another product')],
  ['file_sink.**', none('the audit log (Pro) writes every decision as one JSON line: `auditLog` of the AlertConfig')],
  ['ms_teams_graph_sink.**', none(make('teamsworkflows', 'a workflow with a webhook in each channel'))],
  [
    'robusta_sink.**',
    none('the service of Robusta has no counterpart: `tocsin status` and the page /status are in the cluster'),
  ],
  ['*.scope.**', routed],
  ['*.match.**', routed],
  ['*.activity.**', none('say it as a MaintenanceWindow (Pro)')],
  ['*.mute_intervals.**', none('say it as a MaintenanceWindow (Pro)')],
  ['*.default', none('an AlertProvider without routes gets everything')],
  ['*.stop', none('each AlertProvider judges by itself')],
  ['*.grouping.**', none('what has one cause is one incident')],
  ['*.thread_messages', none('an incident is one thread where the product has threads')],
  ['*.channel_override', byLabels],
  ['*.webhook_override', byLabels],
  ['*.topic_override', byLabels],
  ['*.room_id_override', byLabels],
  ['*.namespace_room_id_override', byLabels],
  ['*.send_to_default_if_missing', byLabels],
  ['opsgenie_sink.teams.**', none('the integration of the API key belongs to a team')],
  ['opsgenie_sink.default_team', none('the integration of the API key belongs to a team')],
  ['webhook_sink.authorization', none('name it in `webhook.headers` of the AlertProvider, by secretKeyRef')],
  ['*.send_files', none('log lines stand in the message')],
  ['*.max_log_file_limit_kb', none('log lines stand in the message: `evidence.logLines` of the AlertConfig')],
  ['*.log_preview_char_limit', none('log lines stand in the message: `evidence.logLines` of the AlertConfig')],
  ['*.investigate_link', service],
  ['*.prefer_redirect_to_platform', service],
  ['*.disable_platform_links', service],
  ['opsgenie_sink.tags.**', none('namespace, owner and severity are the tags of an alert')],
  ['opsgenie_sink.host', none('say it as `opsgenie.region` of the AlertProvider')],
  ['opsgenie_sink.extra_details_labels', none('what is known of the incident is in the details of an alert')],
  ['webhook_sink.format', none('the body is JSON: docs/reference/providers/webhook.md')],
  ['webhook_sink.size_limit', none('the body is JSON: docs/reference/providers/webhook.md')],
  ['webhook_sink.slack_webhook', none('for Slack make an AlertProvider of the type slack')],
  ['pushover_sink.device', none('it goes to all devices of the user or group')],
  ['pushover_sink.send_as_html', none('messages have one layout, which says the cause')],
  ['pushover_sink.pushover_url', none('the address of the product is known')],
  ['jira_sink.sendResolved', none('name the transition in `jira.closeTransition` of the AlertProvider')],
  ['jira_sink.doneStatusName', none('name the transition in `jira.closeTransition` of the AlertProvider')],
  ['jira_sink.reopenIssues', none('name the transition in `jira.reopenTransition` of the AlertProvider')],
  ['jira_sink.reopenStatusName', none('name the transition in `jira.reopenTransition` of the AlertProvider')],
  [
    'jira_sink.noReopenResolution',
    none('a relapse within `incidents.cooldownSeconds` of the AlertConfig is the same incident'),
  ],
  ['jira_sink.dedups.**', none('an incident is one issue')],
  ...noneOf(
    ['assignee', 'epic', 'priority_mapping.**', 'project_type_id_override', 'issue_type_id_override'].map(
      (key) => `jira_sink.${key}`,
    ),
    'further fields of an issue are `jira.fields` of the AlertProvider',
  ),
  // An outdented sink, as the page of Jira shows it.
  ['*', none('its fields stand beside it: indent them')],
  ['name', none('it stands beside its sink and not in it: indent it')],
];

const sinks: readonly Rule[] = lists.flatMap((list) => [
  ...[...fields, ...nowhere].map(([path, target]): Rule => [`${list}.*.${path}`, target]),
  [list, none('it has no sinks')],
]);

/** Robusta: the values of its chart, `generated_values.yaml`. */
export const robusta: Tool = {
  title: 'Robusta',
  rules: [
    ...sinks,
    ['clusterName', setting('app.clusterName')],
    ['isSmallCluster', none('the requests of the Pod fit 5,000 Pods')],
    ['clusterZone', none('Tocsin knows the zones of the Nodes')],
    ...noneOf(
      [
        'globalConfig.**',
        'enabledManagedConfiguration',
        'enablePlatformPlaybooks',
        'platformPlaybooks.**',
        'lightActions.**',
      ],
      ofService,
    ),
    ['enablePrometheusStack', none('Tocsin needs no Prometheus; one that is there is left as it is')],
    ['kube-prometheus-stack.**', none('Tocsin needs no Prometheus')],
    ['alertRelabel.**', none('alerts of Prometheus name their objects by `alertsIn.rules` of the AlertConfig')],
    ['scaleAlertsProcessing', none('one process judges everything')],
    ['disableCloudRouting', none('nothing is routed through anybody’s cloud')],
    ...noneOf(['enableHolmesGPT', 'holmes.**'], 'no language model is used'),
    ...noneOf(
      ['customPlaybooks.**', 'namedCustomPlaybooks.**'],
      'what fails is found by itself; what a playbook changes in the cluster stays with Robusta',
    ),
    ...noneOf(
      ['builtinPlaybooks.**', 'priorityBuiltinPlaybooks.**', 'monitorHelmReleases', 'argoRollouts'],
      'what fails is found by itself',
    ),
    ['disabledPlaybooks.**', none('what is not to be told is a Silence, or `filters.reasons` of the AlertConfig')],
    ...noneOf(
      [
        'playbookRepos.**',
        'playbooksPersistentVolume',
        'playbooksPersistentVolumeSize',
        'playbooksPersistentVolumeStorageClass',
      ],
      'there are no playbooks',
    ),
    [
      'enableServiceMonitors',
      none('its PodMonitor and alert rules are in config/ and in the chart: docs/monitoring.md'),
    ],
    ['rsa.**', none('nobody is let in from outside')],
    ...noneOf(
      [
        ...['runner.**', 'runnerServiceAccount.**', 'kubewatch.**', 'grafanaRenderer.**', 'image.**', 'global.**'],
        ...['openshift.**', 'fullnameOverride', 'nameOverride', 'automountServiceAccountToken'],
      ],
      'it is about the Pods of Robusta: docs/install.md has those of Tocsin',
    ),
  ],
};

import { field, name, none, noneOf, type Rule, secret, shared, type Target, type Tool } from './rule.ts';

const receivers = 'receivers.*';
/** Without the path of the API. */
const site = (value: unknown): string => String(value).replace(/\/rest\/api\/[^/]+\/?$/, '');
const layoutWhy = 'messages have one layout, which says the cause';
const layout = none(layoutWhy);

/** The same of a setting of every kind of receiver. */
const inEach = (keys: readonly string[], why: string): readonly Rule[] =>
  noneOf(
    keys.map((key) => `${receivers}.*.*.${key}.**`),
    why,
  );

/** `mail.example.org:587`. */
const smarthost = {
  ...field('email', 'host', (value) => String(value).replace(/:\d+$/, '')),
  also: { field: 'port', read: (value: unknown) => Number(/:(\d+)$/.exec(String(value))?.[1] ?? 25) },
} as Target;

/** A bot posts to an address that all bots share, with a token that stands elsewhere. */
const slackAddress = (value: unknown): Target =>
  /\/api\/chat\.postMessage$/.test(String(value))
    ? none('with a bot token no address is needed')
    : secret('slack', 'webhook');
const credentials = 'http_config.authorization.credentials';

/** Alertmanager: its configuration file. */
export const alertmanager: Tool = {
  title: 'Alertmanager',
  rules: [
    [`${receivers}/name`, name],
    [`${receivers}.slack_configs.*/api_url`, slackAddress],
    [`${receivers}.slack_configs.*/app_token`, secret('slack', 'token')],
    [`${receivers}.slack_configs.*/${credentials}`, secret('slack', 'token')],
    [`${receivers}.slack_configs.*/channel`, field('slack', 'channel')],
    [
      '/global.slack_api_url',
      (value) => (slackAddress(value).is === 'none' ? slackAddress(value) : shared(secret('slack', 'webhook'))),
    ],
    ['/global.slack_app_token', shared(secret('slack', 'token'))],
    [`${receivers}.pagerduty_configs.*/routing_key`, secret('pagerduty', 'integrationKey')],
    [`${receivers}.pagerduty_configs.*/service_key`, secret('pagerduty', 'integrationKey')],
    [`${receivers}.opsgenie_configs.*/api_key`, secret('opsgenie', 'apiKey')],
    ['/global.opsgenie_api_key', shared(secret('opsgenie', 'apiKey'))],
    [`${receivers}.email_configs.*/to`, field('email', 'to')],
    [`${receivers}.email_configs.*/from`, field('email', 'from')],
    [`${receivers}.email_configs.*/smarthost`, smarthost],
    [`${receivers}.email_configs.*/auth_username`, field('email', 'username')],
    [`${receivers}.email_configs.*/auth_password`, secret('email', 'password')],
    ['/global.smtp_from', shared(field('email', 'from'))],
    ['/global.smtp_smarthost', shared(smarthost)],
    ['/global.smtp_auth_username', shared(field('email', 'username'))],
    ['/global.smtp_auth_password', shared(secret('email', 'password'))],
    [`${receivers}.webhook_configs.*/url`, secret('webhook', 'url')],
    [`${receivers}.telegram_configs.*/bot_token`, secret('telegram', 'token')],
    [`${receivers}.telegram_configs.*/chat_id`, field('telegram', 'chatId', String)],
    [`${receivers}.telegram_configs.*/message_thread_id`, field('telegram', 'topicId')],
    ['/global.telegram_bot_token', shared(secret('telegram', 'token'))],
    [`${receivers}.discord_configs.*/webhook_url`, secret('discord', 'webhook')],
    [`${receivers}.msteams_configs.*/webhook_url`, secret('teams', 'webhook')],
    [`${receivers}.msteamsv2_configs.*/webhook_url`, secret('teamsworkflows', 'webhook')],
    [`${receivers}.pushover_configs.*/user_key`, secret('pushover', 'user')],
    [`${receivers}.pushover_configs.*/token`, secret('pushover', 'token')],
    [`${receivers}.sns_configs.*/topic_arn`, field('sns', 'topicArn')],
    [`${receivers}.sns_configs.*/target_arn`, field('sns', 'targetArn')],
    [`${receivers}.sns_configs.*/sigv4.region`, field('sns', 'region')],
    [`${receivers}.sns_configs.*/sigv4.access_key`, secret('sns', 'accessKeyId')],
    [`${receivers}.sns_configs.*/sigv4.secret_key`, secret('sns', 'secretAccessKey')],
    [`${receivers}.mattermost_configs.*/webhook_url`, secret('mattermost', 'webhook')],
    ['/global.mattermost_webhook_url', shared(secret('mattermost', 'webhook'))],
    [`${receivers}.incidentio_configs.*/url`, secret('incidentio', 'url')],
    [`${receivers}.incidentio_configs.*/alert_source_token`, secret('incidentio', 'apiKey')],
    [`${receivers}.rocketchat_configs.*/api_url`, field('rocketchat', 'url')],
    [`${receivers}.rocketchat_configs.*/channel`, field('rocketchat', 'channel')],
    [`${receivers}.rocketchat_configs.*/token_id`, field('rocketchat', 'userId')],
    [`${receivers}.rocketchat_configs.*/token`, secret('rocketchat', 'token')],
    ['/global.rocketchat_api_url', shared(field('rocketchat', 'url'))],
    ['/global.rocketchat_token_id', shared(field('rocketchat', 'userId'))],
    ['/global.rocketchat_token', shared(secret('rocketchat', 'token'))],
    [`${receivers}.victorops_configs.*/api_key`, secret('splunkoncall', 'apiKey')],
    [`${receivers}.victorops_configs.*/routing_key`, secret('splunkoncall', 'routingKey')],
    ['/global.victorops_api_key', shared(secret('splunkoncall', 'apiKey'))],
    [`${receivers}.webex_configs.*/room_id`, field('webex', 'roomId')],
    [`${receivers}.webex_configs.*/${credentials}`, secret('webex', 'accessToken')],
    [`${receivers}.jira_configs.*/api_url`, field('jira', 'url', site)],
    ['/global.jira_api_url', shared(field('jira', 'url', site))],
    [`${receivers}.jira_configs.*/http_config.basic_auth.username`, field('jira', 'user')],
    [`${receivers}.jira_configs.*/http_config.basic_auth.password`, secret('jira', 'apiToken')],
    [`${receivers}.jira_configs.*/${credentials}`, secret('jira', 'apiToken')],
    [`${receivers}.jira_configs.*/resolve_transition`, field('jira', 'closeTransition')],
    [`${receivers}.jira_configs.*/reopen_transition`, field('jira', 'reopenTransition')],
    [
      `${receivers}.jira_configs.*.fields.**`,
      none('further fields of an issue are `jira.fields` of the AlertProvider'),
    ],
    [`${receivers}.jira_configs.*.labels.**`, none('labels of an issue are `jira.fields.labels` of the AlertProvider')],
    [`${receivers}.jira_configs.*/project`, field('jira', 'projectKey')],
    [`${receivers}.jira_configs.*/issue_type`, field('jira', 'issueType')],
    [
      `${receivers}.*.*.send_resolved`,
      none('the end is told, once it has stayed over, unless the AlertProvider has `sendResolved: false`'),
    ],
    ...inEach(
      [
        ...[
          'title',
          'text',
          'message',
          'html',
          'description',
          'summary',
          'subject',
          'content',
          'details',
          'fields',
          'note',
        ],
        ...['actions', 'headers', 'color', 'emoji', 'username', 'icon_emoji', 'icon_url', 'avatar_url', 'title_link'],
        ...[
          'fallback',
          'pretext',
          'footer',
          'client',
          'client_url',
          'class',
          'component',
          'group',
          'source',
          'entity',
          'tags',
        ],
        ...[
          'parse_mode',
          'images',
          'links',
          'image_url',
          'thumb_url',
          'link_names',
          'short_fields',
          'callback_id',
          'mrkdwn_in',
        ],
        ...['entity_display_name', 'state_message', 'monitoring_tool', 'custom_fields', 'attributes', 'monospace'],
        ...['author_name', 'author_link', 'author_icon', 'attachments', 'props', 'blocks', 'metadata', 'threading'],
      ],
      layoutWhy,
    ),
    ...inEach(['severity', 'priority', 'message_type'], 'severity follows from whom it hits'),
    ...inEach(
      [
        'device',
        'sound',
        'retry',
        'expire',
        'ttl',
        'responders',
        'disable_notifications',
        'update_alerts',
        'update_message',
      ],
      'the product’s own settings say whom it calls and how; what Tocsin can choose is on the page of its type in docs/reference/providers',
    ),
    ...inEach(
      ['api_url', 'url', 'region'],
      'the address of the product is known; where it has regions the AlertProvider has one, too',
    ),
    [`${receivers}.mattermost_configs.*.channel`, none('the webhook has its channel')],
    ...inEach(
      ['wont_fix_resolution', 'reopen_duration'],
      'a relapse within `incidents.cooldownSeconds` of the AlertConfig is the same incident',
    ),
    ...inEach(['max_alerts'], 'one message is about one incident'),
    ...inEach(['timeout'], 'say it as `delivery.timeoutSeconds` of the AlertConfig, for all'),
    ...inEach(
      ['hello', 'auth_identity', 'auth_secret', 'require_tls', 'tls_config', 'force_implicit_tls'],
      'mail goes over TLS: `tls` of the AlertProvider chooses how; user and password are what it signs in with',
    ),
    ...inEach(
      [
        ...[
          'api_url_file',
          'routing_key_file',
          'service_key_file',
          'api_key_file',
          'auth_password_file',
          'auth_secret_file',
        ],
        ...[
          'url_file',
          'bot_token_file',
          'webhook_url_file',
          'user_key_file',
          'token_file',
          'token_id_file',
          'app_token_file',
        ],
        ...['alert_source_token_file', 'chat_id_file'],
      ],
      'put the content of the file into the Secret of the AlertProvider',
    ),
    ...noneOf(
      [`${receivers}.webhook_configs.*.${credentials}`, `${receivers}.webhook_configs.*.http_config.http_headers.**`],
      'name it in `webhook.headers` of the AlertProvider, by secretKeyRef',
    ),
    [
      `${receivers}.webhook_configs.*.http_config.basic_auth.**`,
      none('name it in `webhook.basicAuth` of the AlertProvider, by secretKeyRef'),
    ],
    [
      `${receivers}.*.*.http_config.tls_config.**`,
      none('mount a CA bundle and name it in NODE_EXTRA_CA_CERTS, a variable of the Pod'),
    ],
    [`${receivers}.*.*.http_config.proxy_url`, none('set `app.proxyURL` of the AlertConfig, for all')],
    [
      `${receivers}.wechat_configs.**`,
      none('take an AlertProvider of the type wecom, whose group bots have a webhook'),
    ],
    ...noneOf(
      [`${receivers}.sns_configs.*.sigv4.role_arn`, `${receivers}.sns_configs.*.sigv4.profile`],
      'its role is in the annotations of the service account',
    ),
    [`${receivers}.sns_configs.*.phone_number`, none('subscribe the number to a topic, and name that')],
    ...noneOf(
      [`${receivers}.*.*.http_config.oauth2.**`, `${receivers}.*.*.http_config.authorization.**`],
      'a product is asked with its own credential; a webhook takes headers or basic authentication',
    ),
    [
      `${receivers}.*.*.http_config.**`,
      none('one connection to the Internet serves all: `app.proxyURL` of the AlertConfig'),
    ],
    [
      'route.**',
      none(
        'routes go by labels of alerts, and Tocsin has incidents: `routes` of an AlertProvider (Pro), docs/teams.md',
      ),
    ],
    ['inhibit_rules.**', none('what has one cause is one incident')],
    ['time_intervals.**', none('say it as a MaintenanceWindow (Pro)')],
    ['mute_time_intervals.**', none('say it as a MaintenanceWindow (Pro)')],
    ['templates.**', layout],
    ['tracing.**', none('it is about Alertmanager itself')],
    ['global.resolve_timeout', none('an incident ends when what failed has stayed healthy')],
    ['global.**', none('say it at the AlertProvider that needs it')],
  ],
};

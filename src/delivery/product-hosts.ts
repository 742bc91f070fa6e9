/**
 * Names that belong to a product and to no customer of it: whoever sends there has not chosen where they lead. Of `*.` any name below it.
 * Not among them: domains in which customers get names for addresses of their own (`*.amazonaws.com` with its load balancers).
 */
const productHosts: readonly string[] = [
  '*.api.powerplatform.com',
  '*.atlassian.net',
  '*.ghe.com',
  '*.logic.azure.com',
  '*.platform.bird.com',
  '*.webhook.office.com',
  '*.zulipchat.com',
  'alert.victorops.com',
  'api.atlassian.com',
  'api.clickup.com',
  'api.flock.com',
  'api.github.com',
  'api.ilert.com',
  'api.incident.io',
  'api.mailgun.net',
  'api.eu.mailgun.net',
  'api.opsgenie.com',
  'api.eu.opsgenie.com',
  'api.plivo.com',
  'api.pushbullet.com',
  'api.pushover.net',
  'api.resend.com',
  'api.sendgrid.com',
  'api.eu.sendgrid.com',
  'api.squadcast.com',
  'api.eu.squadcast.com',
  'api.telegram.org',
  'api.twilio.com',
  'chat.googleapis.com',
  'connect.signl4.com',
  'discord.com',
  'discordapp.com',
  'events.pagerduty.com',
  'events.eu.pagerduty.com',
  'events.zenduty.com',
  'gitea.com',
  'github.com',
  'gitlab.com',
  'hooks.slack.com',
  'hooks.slack-gov.com',
  'hooks.zapier.com',
  'insights-collector.newrelic.com',
  'insights-collector.eu01.nr-data.net',
  'login.microsoftonline.com',
  'maker.ifttt.com',
  'matrix-client.matrix.org',
  'msgapi.threema.ch',
  'ntfy.sh',
  'oapi.dingtalk.com',
  'oauth2.googleapis.com',
  'open.feishu.cn',
  'open.larksuite.com',
  'outlook.office.com',
  'outlook.office365.com',
  'qyapi.weixin.qq.com',
  'rest.messagebird.com',
  'rest.nexmo.com',
  'slack.com',
  'webexapis.com',
];
const exact: ReadonlySet<string> = new Set(productHosts);
/** Of Datadog's sites and of the two services of AWS that are sent to, by region. */
const byRegion =
  /^(?:api\.(?:[a-z\d]+\.)?(?:datadoghq\.(?:com|eu)|ddog-gov\.com)|(?:sns|email)\.[a-z\d-]+\.(?:amazonaws\.com(?:\.cn)?|amazonaws\.eu))$/;

/** Whether a host is one of these. */
export function isProductHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (exact.has(name) || byRegion.test(name)) return true;
  return productHosts.some((each) => each.startsWith('*.') && name.endsWith(each.slice(1)));
}

import {
  type AwsConfig,
  askAws,
  awsAddress,
  awsAtHomeOnly,
  awsFields,
  awsRole,
  awsRules,
  defineProvider,
  queryError,
  rejected,
  string,
} from './kit.ts';
import type { Answer, CheckParts } from './provider.ts';
import { isSubjectRefused, reading } from './sns/answers.ts';
import { publishFields } from './sns/publish.ts';

/** Amazon SNS, query API. Sources: docs.aws.amazon.com/sns, Publish, GetTopicAttributes; botocore sns/2010-03-31. */
export const sns = defineProvider({
  type: 'sns',
  product: 'Amazon SNS',
  family: 'mail', // people read it by mail and SMS: a storm is one overview
  description: 'Publishes each notification to an Amazon SNS topic.',
  behaviour: 'every act is a new message',
  supports: [{ can: 'dedup', when: 'the topic is a FIFO topic' }],
  credentials: [
    'The policy of the key or role must allow `sns:Publish` on the topic; with `sns:GetTopicAttributes` the test of the credentials also sees whether the topic is there. An encrypted topic needs `kms:GenerateDataKey*` and `kms:Decrypt`. `region` must be that of the ARN.',
    awsRole,
  ],
  notes: [
    'Filter policies of subscriptions can use the attributes `severity`, `status` (`open`, `update`, `resolved`, `reopened`, or `digest`, `startup`, `overview`, `test`), `incident`, `cluster` and `namespace`. Subscriptions by SMS get a short text; phones (`targetArn` of an endpoint) too.',
    'On a FIFO topic the messages of an incident keep their order, and a repeat within 5 minutes is dropped; on others a message may come twice after an interrupted attempt.',
    'SNS accepts a message that nobody is subscribed to, and does not send mail before the subscriber has confirmed.',
    'Temporary credentials need `sessionToken`, and end: keep their Secret fresh, it is read again.',
  ],
  sample: {
    accessKeyId: { secretKeyRef: { name: 'sns', key: 'accessKeyId' } },
    secretAccessKey: { secretKeyRef: { name: 'sns', key: 'secretAccessKey' } },
    region: 'eu-west-1',
    topicArn: 'arn:aws:sns:eu-west-1:123456789012:alerts',
  },
  fields: {
    ...awsFields,
    topicArn: string({
      pattern: '^arn:aws(-[a-z]+)*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}([.]fifo)?$',
      maxLength: 400,
      description: 'Topic to publish to.',
    }),
    targetArn: string({
      pattern: '^arn:aws(-[a-z]+)*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_./-]+$',
      maxLength: 400,
      description: 'Endpoint of a phone, or a topic, instead of `topicArn`.',
    }),
    subject: string({ maxLength: 99, description: 'Subject for subscriptions by mail; by default the title.' }),
  },
  atHomeOnly: awsAtHomeOnly,
  rules: [
    ...awsRules,
    { cel: 'has(self.topicArn) != has(self.targetArn)', message: 'set exactly one of `topicArn` and `targetArn`' },
    {
      cel: "[has(self.topicArn) ? self.topicArn : '', has(self.targetArn) ? self.targetArn : ''].all(arn, arn == '' || arn.split(':')[3] == self.region)",
      message: 'set `region` to the region inside the ARN',
    },
  ],
  limits: { Subject: { characters: 99 }, Message: { bytes: 262_144 } },
  hosts: ['sns.*.amazonaws.com', 'sns.*.amazonaws.com.cn', 'sns.*.amazonaws.eu'],
  pacing: { perSecond: 10, burst: 50 }, // hundreds a second in the smallest regions; mail and SMS behind it are slower

  async deliver(attempt) {
    const { notification, delivery, config } = attempt;
    const { Subject, ...fields } = publishFields(notification, delivery, config);
    const subject = Subject === undefined ? {} : { Subject };
    const first = await ask(attempt, { ...fields, ...subject });
    // Pages of SNS differ on what a subject may hold: ASCII, or UTF-8. The message is worth more than its subject.
    const anew = Subject !== undefined && isSubjectRefused(first);
    const answer = anew ? await ask(attempt, fields) : first;
    return answer.outcome(reading);
  },

  async check(parts) {
    const { topicArn, targetArn = '' } = parts.config;
    const endpoint = topicArn === undefined && targetArn.includes(':endpoint/');
    const what = endpoint
      ? { Action: 'GetEndpointAttributes', EndpointArn: targetArn }
      : { Action: 'GetTopicAttributes', TopicArn: topicArn ?? targetArn };
    const answer = await ask(parts, { ...what, Version: '2010-03-31' });
    // A key that may only publish is known, and its signature was right.
    if (queryError(answer)?.code === 'AuthorizationError') return { is: 'delivered' };
    const disabled = endpoint && /<key>Enabled<\/key>\s*<value>false</i.test(answer.body);
    if (!disabled) return answer.outcome(reading);
    return rejected('SNS has disabled the endpoint of this phone; register it again');
  },
});

/** One action of the query API. */
async function ask(
  parts: Pick<CheckParts<AwsConfig>, 'config' | 'send' | 'now' | 'aws'>,
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const body = new URLSearchParams(fields).toString();
  const url = `${awsAddress('sns', parts.config.region)}/`;
  return askAws(parts, { method: 'POST', url, headers, body }, { service: 'sns', errorOf: queryError });
}

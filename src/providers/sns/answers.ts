import { type AwsError, awsReading } from '../kit.ts';
import type { Answer } from '../provider.ts';

/** `<ErrorResponse><Error><Code>…</Code><Message>…</Message>`: the query protocol answers in XML of this shape alone. */
export function snsError({ body }: Answer): AwsError | undefined {
  const code = /<Code>([\w.]{1,100})<\/Code>/.exec(body)?.[1];
  const message = /<Message>([^<]{0,2000})/.exec(body)?.[1] ?? '';
  return code === undefined ? undefined : { code, message: unescaped(message) };
}

/** Whether a message was refused for its subject alone: `Invalid parameter: Subject`. */
export function isSubjectRefused(answer: Answer): boolean {
  const error = snsError(answer);
  return error?.code === 'InvalidParameter' && /\bsubject\b/i.test(error.message);
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '');
}

/** Errors of Publish and the reads of attributes (API reference of SNS). */
export const reading = awsReading(
  snsError,
  {
    rateLimited: ['KMSThrottling'],
    credential: ['KMSOptInRequired'],
    refused: [
      ...['EndpointDisabled', 'PlatformApplicationDisabled', 'KMSDisabled', 'KMSInvalidState', 'KMSNotFound'],
      'KMSAccessDenied',
    ],
  },
  {
    AuthorizationError: 'the policy of the key must allow sns:Publish on this topic',
    NotFound: 'correct the ARN',
    EndpointDisabled: 'the phone has left: register it again',
    KMSAccessDenied: 'the key of the topic must allow kms:GenerateDataKey* and kms:Decrypt',
  },
);

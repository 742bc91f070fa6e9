import { type AwsError, awsReading } from '../kit.ts';
import type { Answer } from '../provider.ts';

/** The name of the error is in a header or in the body, with words of the protocol around it. */
export function sesError(answer: Answer): AwsError | undefined {
  const { __type, message, Message }: { __type?: unknown; message?: unknown; Message?: unknown } = Object(
    answer.json(),
  );
  const named = answer.headers['x-amzn-errortype'] ?? (typeof __type === 'string' ? __type : '');
  const code = named.replace(/:.*$/s, '').replace(/^.*#/s, '');
  const words = message ?? Message;
  return code === '' ? undefined : { code, message: typeof words === 'string' ? words : '' };
}

/** Errors of SendEmail and GetAccount (API reference of SES v2). */
export const reading = awsReading(
  sesError,
  {
    retryable: ['LimitExceeded'],
    refused: ['MessageRejected', 'MailFromDomainNotVerified', 'BadRequest', 'AccountSuspended', 'SendingPaused'],
  },
  {
    AccessDenied: 'the policy of the key must allow ses:SendEmail for the identity of `from`',
    MessageRejected: 'identities are verified per region, and in the sandbox recipients too',
    MailFromDomainNotVerified: 'verify the MAIL FROM domain in SES',
    AccountSuspended: 'SES has suspended the account',
    SendingPaused: 'an administrator must resume sending in SES',
    NotFound: 'correct `region`, or the configuration set of the identity',
  },
);

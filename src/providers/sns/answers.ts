import { awsReading, queryError } from '../kit.ts';
import type { Answer } from '../provider.ts';

/** Whether a message was refused for its subject alone: `Invalid parameter: Subject`. */
export function isSubjectRefused(answer: Answer): boolean {
  const error = queryError(answer);
  return error?.code === 'InvalidParameter' && /\bsubject\b/i.test(error.message);
}

/** Errors of Publish and the reads of attributes (API reference of SNS). */
export const reading = awsReading(
  queryError,
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

import { cleanText, redact } from '../../model/redact.ts';
import type { Answer, Reading } from '../provider.ts';
import { type CodeClass, classes, failureOfCode } from './codes.ts';

/** What AWS calls an error, and what it says of it. */
export type AwsError = { readonly code: string; readonly message: string };

/** Errors that all products of Amazon share ("Common Error Types" of their API references). Never is a wait named. */
const common: Readonly<Record<CodeClass, readonly string[]>> = {
  retryable: [
    ...['InternalError', 'InternalFailure', 'InternalServerError', 'InternalServiceError'],
    ...['ServiceUnavailable', 'RequestExpired', 'RequestTimeTooSkewed'],
  ],
  rateLimited: ['Throttling', 'Throttled', 'TooManyRequests', 'RequestLimitExceeded', 'RequestThrottled'],
  credential: [
    ...['UnrecognizedClient', 'InvalidClientTokenId', 'InvalidSignature', 'SignatureDoesNotMatch'],
    ...['IncompleteSignature', 'MissingAuthenticationToken', 'ExpiredToken', 'InvalidSecurity', 'OptInRequired'],
    ...['AccessDenied', 'AuthorizationError', 'NotAuthorized', 'InvalidAccessKeyId'],
  ],
  refused: ['InvalidParameter', 'ParameterValueInvalid', 'Validation', 'ValidationError', 'NotFound', 'MalformedInput'],
};

const commonAdvice: Readonly<Record<string, string>> = {
  ExpiredToken: 'the temporary credentials are over: renew all three values',
  InvalidSignature: 'correct `secretAccessKey`',
  SignatureDoesNotMatch: 'correct `secretAccessKey`',
  UnrecognizedClient: 'correct `accessKeyId` and `sessionToken`',
  InvalidClientTokenId: 'correct `accessKeyId` and `sessionToken`',
  OptInRequired: 'the region is not enabled for the account',
};

/** Some services say that their clock and ours differ in the words of a wrong signature. */
const clock = /signature (?:expired|not yet current)/i;
/** A rate is that of a second; a quota of a day comes back bit by bit. Milliseconds. */
const rateWaitMs = 5_000;
const dailyWaitMs = 10 * 60_000;

/**
 * Reads answers by the name of the error, since its status says little: throttling is a 400 as well as a 429. `errorOf`: where
 * the protocol has it; `own` and `advice`: of one product, by names without `Exception` at their end.
 */
export function awsReading(
  errorOf: (answer: Answer) => AwsError | undefined,
  own: Readonly<Partial<Record<CodeClass, readonly string[]>>>,
  advice: Readonly<Record<string, string>>,
): Reading {
  const known = new Map([...classes(common), ...classes(own)]);
  return {
    failure(answer) {
      const error = answer.status < 300 ? undefined : errorOf(answer);
      if (!error) return undefined;
      const code = error.code.replace(/Exception$/, '');
      if (known.get(code) === 'rateLimited')
        return { is: 'rateLimited', afterMs: /daily/i.test(error.message) ? dailyWaitMs : rateWaitMs };
      if (clock.test(error.message) || code === 'RequestExpired' || code === 'RequestTimeTooSkewed') {
        const reason = `HTTP ${answer.status}: ${code} (check the clock of the node)`;
        return { is: 'retryable', reason, code: 'ServerError', mayHaveArrived: false };
      }
      const said = cleanText(redact(error.message).replace(/\s+/g, ' ').trim(), 150);
      const hint = { ...commonAdvice, ...advice }[code];
      const words = [...(said === '' ? [] : [said]), ...(hint === undefined ? [] : [hint])].join('; ');
      return failureOfCode(answer, code, known, words === '' ? {} : { [code]: words });
    },
  };
}

/** `<ErrorResponse><Error><Code>…</Code><Message>…</Message>`: the query protocol answers in XML of this shape alone. */
export function queryError({ body }: Answer): AwsError | undefined {
  const code = /<Code>([\w.]{1,100})<\/Code>/.exec(body)?.[1];
  const message = /<Message>([^<]{0,2000})/.exec(body)?.[1] ?? '';
  return code === undefined ? undefined : { code, message: unescaped(message) };
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '');
}

/** All that a provider file imports: `defineProvider`, the fields, and the helpers that may open a Secret. */
export {
  addressesPattern,
  addressPattern,
  asciiMailbox,
  bareAddress,
  domainOf,
  mailboxOf,
  splitAddresses,
} from './kit/addresses.ts';
export { retryAfterMs, untilUnixSecond, waitAfter429 } from './kit/answer.ts';
export { type AwsConfig, askAws, awsAddress, awsAtHomeOnly, awsFields, awsRole, awsRules } from './kit/aws.ts';
export { type AwsError, awsReading, queryError } from './kit/aws-answers.ts';
export { beforehand } from './kit/beforehand.ts';
export { type AnyConfig, objectOf } from './kit/block.ts';
export {
  type CodeClass,
  classes,
  denied,
  failureOfCode,
  hasKey,
  isPage,
  misdirected,
  notOf,
  refusal,
  rejected,
  wrongCredential,
} from './kit/codes.ts';
export { defineProvider, type Ending, type Flaw } from './kit/define.ts';
export {
  editUrl,
  hasParameter,
  keyDestination,
  readDestination,
  secretEndpoint,
  secretUrl,
} from './kit/destination.ts';
export { endpoint } from './kit/endpoint.ts';
export { type WebhookEvent, writeEvent } from './kit/event.ts';
export {
  boolean,
  type ConfigOf,
  group,
  headers,
  httpUrl,
  integer,
  json,
  list,
  openObject,
  secret,
  string,
} from './kit/fields.ts';
export {
  closeOnResolve,
  endsByMoving,
  type ForgeCall,
  forgeCall,
  issueNumber,
  issueSupports,
  loginOf,
  lookThrough,
  repositoryPath,
} from './kit/forge.ts';
export { authorization, bearer, refuseUnsendable, tokenHeader } from './kit/headers.ts';
export { issueBody, issueTitle, withoutLogIfTooLarge } from './kit/issue.ts';
export { keptLog, withKeptLog } from './kit/kept-log.ts';
export { isLoud } from './kit/loud.ts';
export {
  mailHeaders,
  mailNotes,
  mailOf,
  mailProvider,
  mailSender,
  mailSubject,
  threadReference,
} from './kit/mail-content.ts';
export { isMarked, marker, markerParts, type Sought } from './kit/marker.ts';
export { calling, callOf, mention } from './kit/mention.ts';
export { alertName, isSilentUpdate, noAlert, placeOf, raiseOrClear } from './kit/pager.ts';
export { findInPages, hasNoNextLink, maxPageBytes } from './kit/pages.ts';
export { orWithout, type People } from './kit/people.ts';
export { phoneNumbers, senderField, senderOf, smsProvider, splitPhoneNumbers } from './kit/phone.ts';
export { matches, openPart, startsWith } from './kit/prefix.ts';
export { priorityOf } from './kit/priority.ts';
export { readBackSwitch, takenBy } from './kit/read-back.ts';
export { tellEach } from './kit/recipients.ts';
export { Refused } from './kit/refused.ts';
export { repositoryFields, unfitRepository } from './kit/repository.ts';
export { isTooMuch, type Robot, robotCode, robotReading } from './kit/robot.ts';
export { dingtalkSignature, feishuSignature } from './kit/robot-signature.ts';
export { splitSecret, tidySecretList } from './kit/secret-list.ts';
export { whenNoWorse } from './kit/supports.ts';
export {
  doneIfGone,
  type Item,
  soughtBy,
  type Tracker,
  tellTracker,
  unlessRefused,
} from './kit/tracker.ts';
export { uuidOf } from './kit/uuid.ts';

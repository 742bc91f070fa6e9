import { type CardOptions, cardMessage } from '../../message/render/adaptive-card.ts';
import type { Outcome } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import { classes, failureOfCode, isPage, notOf, wrongCredential } from '../kit.ts';
import type { Answer, Reading, Send, SendRequest } from '../provider.ts';

/** Posts a notification as a card, which flows and connectors take alike. */
export function postCard(
  send: Send,
  url: SendRequest['url'],
  notification: Notification,
  options: CardOptions,
): Promise<Answer> {
  return send({ method: 'POST', url, json: cardMessage(notification, options) });
}

/** A body without a card: a flow that lives takes it and has nothing to post, a connector that lives refuses it. */
export function postNothing(send: Send, url: SendRequest['url']): Promise<Answer> {
  return send({ method: 'POST', url, json: { text: '' } });
}

type Failure = Exclude<Outcome, { is: 'delivered' }>;

/** Error codes of the trigger of a flow. Source: Azure Logic Apps, request trigger. */
const known = classes({
  credential: [
    ...['DirectApiAuthorizationRequired', 'AuthorizationFailed', 'InvalidSasToken', 'MissingApiVersionParameter'],
    ...['WorkflowNotFound', 'ResourceNotFound'],
  ],
  refused: ['TriggerInputSchemaMismatch', 'InvalidRequestContent', 'WorkflowTriggerIsNotEnabled'],
});

const anew = 'the flow is gone: make a new one and put its address into the Secret';
const copy = 'copy the whole address of the trigger again';
/** What to do about them. */
const advice: Readonly<Record<string, string>> = {
  TriggerInputSchemaMismatch: 'make the flow from the template "Send webhook alerts to a channel"',
  WorkflowTriggerIsNotEnabled: 'the flow is switched off: turn it on',
  MissingApiVersionParameter: copy,
  InvalidSasToken: copy,
  AuthorizationFailed: copy,
  DirectApiAuthorizationRequired: `${copy}, and let anyone trigger the flow`,
  WorkflowNotFound: anew,
  ResourceNotFound: anew,
};

/**
 * Any 2xx that is no page is a run in the queue; what becomes of it nobody says. `ended`: what explains a final failure.
 */
export function flowReading(ended: string | undefined): Reading {
  return {
    failure(answer) {
      if (answer.status < 300) return isPage(answer) ? notOf(answer, 'a flow', copy) : undefined;
      const failure = failureOfCode(answer, codeOf(answer), known, advice) ?? lostAddress(answer, anew);
      return withAdvice(failure, ended);
    },
  };
}

/** A status that says that there is nothing at the address: it is what the Secret holds that is wrong. */
export function lostAddress(answer: Answer, remedy: string): Failure | undefined {
  return answer.status === 404 || answer.status === 410 ? wrongCredential(answer, remedy) : undefined;
}

/** A final failure with more words on what to do. */
export function withAdvice(failure: Failure | undefined, words: string | undefined): Failure | undefined {
  if (failure?.is !== 'permanent' || words === undefined) return failure;
  return { ...failure, reason: `${failure.reason}; ${words}` };
}

/** `error.code` of an answer, `''` when there is none. */
function codeOf(answer: Answer): string {
  const { error } = Object(answer.json());
  const { code } = Object(error);
  return typeof code === 'string' ? code : '';
}

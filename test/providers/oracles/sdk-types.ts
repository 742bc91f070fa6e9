/** The vendors' types of what is sent to them, by a name of our own. Where they lack what the vendor documents, it is added here. */
import type { CreateIssueOptions, EditIssueOptions } from '@gitbeaker/rest';
import type { chat_v1 } from '@googleapis/chat';
import type { ApiMethods } from '@grammyjs/types';
import type { MessageAttachment as MattermostAttachment } from '@mattermost/types/message_attachments';
import type { SmsSendParams } from '@messagebird/sdk';
import type { operations } from '@octokit/openapi-types';
import type { EventPayloadV2 } from '@pagerduty/pdjs/build/src/events.js';
import type { MailJSON } from '@sendgrid/helpers/classes/mail.js';
import type { KnownBlock, MessageAttachment } from '@slack/types';
import type { ChatPostMessageArguments, ChatUpdateArguments } from '@slack/web-api';
import type {
  RESTPatchAPIWebhookWithTokenMessageJSONBody,
  RESTPostAPIWebhookWithTokenJSONBody,
} from 'discord-api-types/v10';
import type { CreateIssueCommentOption, CreateIssueOption, EditIssueOption } from 'gitea-js';
import type Mailgun from 'mailgun.js';
import type { MessageParameters } from 'messagebird/types/messages.js';

/** The arguments of a method of Telegram's Bot API, which uploads no files. */
type Telegram<Method extends keyof ApiMethods<never>> = Parameters<ApiMethods<never>[Method]>[0];
/** The body and the query of an operation of GitHub's REST API. */
type GithubBody<Name extends 'issues/create' | 'issues/update' | 'issues/create-comment' | 'issues/add-labels'> =
  NonNullable<operations[Name]['requestBody']>['content']['application/json'];
type GithubQuery = NonNullable<operations['issues/list-for-repo']['parameters']['query']>;
/** `addLabels` → `add_labels`: the client's names → those on the wire. */
type Snake<Name> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : Name;
type Gitlab<Options> = { [Name in keyof Options as Snake<Name>]: Options[Name] };
/** The fields that are named; the type takes any other, too. Headers and variables have names of one's own. */
type Named<Fields> = Fields extends unknown
  ? { [Name in keyof Fields as string extends Name ? never : Name]: Fields[Name] }
  : never;
type MailgunMail = Named<Parameters<ReturnType<Mailgun['client']>['messages']['create']>[1]> & {
  [own: `${'h' | 'v'}:${string}`]: string;
};
/** The type lacks `client`, and asks for the payload in the end of an alert too; the documentation does neither. */
type PagerdutyEvent =
  | (EventPayloadV2 & { event_action: 'trigger'; client?: string; client_url?: string })
  | (Omit<EventPayloadV2, 'payload'> & { event_action: 'resolve'; dedup_key: string });

/** Name → type. */
export type SdkTypes = {
  slackMessage: ChatPostMessageArguments;
  slackUpdate: ChatUpdateArguments;
  slackWebhook: {
    text: string;
    blocks?: KnownBlock[];
    attachments?: MessageAttachment[];
    unfurl_links?: boolean;
    unfurl_media?: boolean;
  };
  discordMessage: RESTPostAPIWebhookWithTokenJSONBody;
  discordEdit: RESTPatchAPIWebhookWithTokenMessageJSONBody;
  googlechatMessage: chat_v1.Schema$Message;
  mattermostAttachments: MattermostAttachment[];
  telegramSendMessage: Telegram<'sendMessage'>;
  telegramGetChat: Telegram<'getChat'>;
  pagerdutyEvent: PagerdutyEvent;
  githubIssue: GithubBody<'issues/create'>;
  githubEdit: GithubBody<'issues/update'>;
  githubComment: GithubBody<'issues/create-comment'>;
  githubLabels: GithubBody<'issues/add-labels'>;
  githubSearch: GithubQuery;
  giteaIssue: CreateIssueOption;
  giteaEdit: EditIssueOption;
  giteaComment: CreateIssueCommentOption;
  gitlabIssue: Gitlab<CreateIssueOptions> & { title: string };
  gitlabEdit: Gitlab<EditIssueOptions>;
  sendgridMail: MailJSON;
  mailgunMail: MailgunMail;
  messagebirdMessage: MessageParameters;
  birdMessage: SmsSendParams;
};

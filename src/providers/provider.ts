import type { Delivery, Outcome, Reference } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import type { Button, Press, PressedRequest } from '../model/press.ts';
import type { Secret } from '../model/secret.ts';
import type { Family } from '../model/traits.ts';
import type { People, Reaches } from './kit/people.ts';

/** A value of a request that may be secret; only the sender opens it. */
export type MaybeSecret = string | Secret;

/** One HTTP request as a provider describes it. The sender adds the User-Agent, TLS, proxy, time-out and address vetting. */
export type SendRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A Secret where the address itself is one (webhooks). */
  readonly url: URL | MaybeSecret;
  readonly headers?: Readonly<Record<string, MaybeSecret>>;
  /**
   * Serialized once by the sender, Secrets in it opened, as `application/json` unless `headers` names another type. At most
   * one of these.
   */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, MaybeSecret>>;
  readonly body?: string | Uint8Array;
  readonly basic?: { readonly username: MaybeSecret; readonly password: MaybeSecret };
  /** What the request holds as a part of something else (the id of a key in a signature): blanked out of the answer as well. */
  readonly secrets?: readonly Secret[];
  /** How much of the answer is read, where 64 KiB are too little: lists, and items that come back whole. Bytes, at most 4 MiB. */
  readonly maxAnswerBytes?: number;
};

/** How a type reads an answer differently from the shared table of status classes. */
export type Reading = {
  /** Status → class, where the product differs from the table. */
  readonly errors?: Readonly<Record<number, 'delivered' | 'retryable' | 'permanent' | 'rateLimited'>>;
  /** For products that answer 200 with an error inside: the failure, or `undefined` when all is well. */
  readonly failure?: (answer: Answer) => Exclude<Outcome, { is: 'delivered' }> | undefined;
  /** Milliseconds to wait from a field of the body, where `Retry-After` is not the product's way. */
  readonly retryAfterMs?: (answer: Answer) => number | undefined;
  /** Status → what to do about it, added to the product's words. */
  readonly advice?: Readonly<Record<number, string>>;
};

/** What came back. Any status: transport errors are thrown by `send` as `TransportError` and judged by the dispatcher. */
export type Answer = {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB unless the request said more; values of Secrets that the request held are replaced by `***`, since reasons quote it. */
  readonly body: string;
  /** The parsed body, `undefined` when it is not JSON. */
  json(): unknown;
  /** Reads the answer as an outcome by the shared table, `reading` giving the product's exceptions. */
  outcome(reading?: Reading, ref?: Reference): Outcome;
};

/** Sends one request and resolves for any status. Rejects with `TransportError` when there was no whole answer. */
export type Send = (request: SendRequest) => Promise<Answer>;

/** No whole answer: refused, reset, timed out, blocked, or nothing that a connection could be made with. `mayHaveArrived`: the request had been written. */
export class TransportError extends Error {
  readonly code: 'Timeout' | 'Unreachable' | 'BlockedAddress' | 'InvalidCertificate';
  readonly mayHaveArrived: boolean;
  constructor(code: TransportError['code'], message: string, mayHaveArrived: boolean) {
    super(message);
    this.name = 'TransportError';
    this.code = code;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** A look-up that failed, so that nobody knows whether there is something to find: the attempt ends with this outcome. */
export class LookUpFailed extends Error {
  readonly outcome: Exclude<Outcome, { is: 'delivered' }>;
  constructor(outcome: LookUpFailed['outcome']) {
    super('the look-up failed');
    this.name = 'LookUpFailed';
    this.outcome = outcome;
  }
}

/** The SMTP server that takes the mail in. */
export type Relay = {
  readonly host: string;
  readonly port: number;
  /** `required`: TLS from the start on port 465, STARTTLS on any other; `none`: plain text, whatever the server offers. */
  readonly tls: 'required' | 'none';
  /** What the mailer calls itself: strict servers refuse the name of a Pod. */
  readonly name: string;
  /** Absent for a relay without authentication. */
  readonly login?: { readonly username: string } & (
    | { readonly password: Secret }
    /** Of OAuth 2.0. */
    | { readonly accessToken: Secret }
  );
};

/** One e-mail. Addresses are `a@b` or `Name <a@b>`; ids are whole (`<left@domain>`). */
export type MailMessage = {
  readonly from: string;
  readonly to: readonly string[];
  /** Those of `to` who have not got it yet, where an earlier attempt reached the others. */
  readonly recipients?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same on every attempt, so that mailboxes can tell a repeat. */
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  /** Epoch milliseconds. */
  readonly date: number;
  readonly priority?: 'high' | 'low';
  readonly headers?: Readonly<Record<string, string>>;
};

/** How handing in came out. `waiting`: recipients to try again, where others have got it. */
export type Posted = { readonly outcome: Outcome; readonly waiting: readonly string[] };

/** Hands mail to a relay. Both reject with `TransportError` when the conversation broke off without a refusal. */
export type Mail = {
  send(relay: Relay, message: MailMessage): Promise<Posted>;
  /** Connects, secures the connection and logs in; nobody is told anything. */
  check(relay: Relay): Promise<Outcome>;
};

/** Credentials of AWS for a while. */
export type AwsKeys = {
  readonly accessKeyId: Secret;
  readonly secretAccessKey: Secret;
  readonly sessionToken?: Secret;
};

/** Who the process itself is to AWS. */
export type AwsIdentity = {
  /**
   * Its credentials, or why there are none. `region`: whose STS is asked, unless the Pod names one. `fresh`: those known were refused. Rejects
   * with `TransportError`.
   */
  keys(asked: {
    readonly send: Send;
    readonly region: string;
    readonly now: number;
    readonly fresh?: boolean;
  }): Promise<AwsKeys | { readonly refused: Outcome }>;
};

/** Everything a type needs for one attempt. `config` holds opened Secrets for this attempt only. */
export type Attempt<C> = {
  readonly notification: Notification;
  readonly delivery: Pick<Delivery, 'id' | 'stream' | 'act' | 'sequence' | 'attemptKey' | 'alertKey'>;
  readonly config: C;
  /** What an earlier act of this incident returned, unless it was lost. */
  readonly ref?: Reference;
  /** What the product returned for the incident of the same problem before this one, while that is remembered. */
  readonly before?: Reference;
  readonly send: Send;
  readonly mail: Mail;
  /** Epoch milliseconds of this attempt. */
  readonly now: number;
  /** Absent where the provider is not Tocsin's own: it must not come as Tocsin. */
  readonly aws?: AwsIdentity;
  /** Who is asked for with it, by those who answer for what it is about. Absent: nobody. */
  readonly people?: People;
  /** What those who may can do from the message. Absent: nothing. */
  readonly buttons?: readonly Button[];
  /** It rings nobody: it is written into the message that is there (there is a `ref`), and where that is gone, nowhere. For chats that edit. */
  readonly quiet?: true;
};

/** One conversation over a WebSocket (`wss:`). `heard`: each message, with the ways to answer and to end it. */
export type Conversation = {
  readonly url: Secret;
  /** Ends it. */
  readonly signal: AbortSignal;
  heard(text: string, way: { say(text: string): void; end(): void }): void;
};

/** Holds a conversation and resolves when it has ended, whoever ended it. Rejects with `TransportError` where it does not come about. */
export type Converse = (conversation: Conversation) => Promise<void>;

/** A press, and what it takes to answer it, which is not kept. */
export type AnswerablePress = Press & { readonly reply: Reference };

/** What it takes to hear of buttons that were pressed. `config` holds opened Secrets for this time only. */
export type Ears<C> = {
  readonly config: C;
  /** UID of the AlertProvider that listens. */
  readonly uid: string;
  readonly send: Send;
  readonly converse: Converse;
  /** Where to go on from, as the product said last. */
  readonly cursor?: string;
  /** Fires when nobody listens any more. */
  readonly signal: AbortSignal;
  /** Hands on what was pressed. `cursor`: where to go on from next time. */
  heard(presses: readonly AnswerablePress[], cursor?: string): void;
};

/** The way back from a product whose messages have buttons: by connections that are made from here. */
export type Listening<C> = {
  /** Each AlertProvider listens for itself, since the product answers all who ask. Else those that share a credential share one listener. */
  readonly eachForItself?: true;
  /**
   * Asks once what was pressed, as long as the product holds the question; again and again while it is delivered. Nobody is told anything.
   * Rejects with `TransportError`.
   */
  listen(ears: Ears<C>): Promise<Outcome>;
  /** Tells who pressed a button what became of it; `isRefused`: that they may not. */
  answer(
    parts: Pick<Ears<C>, 'config' | 'send'> &
      Pick<PressedRequest, 'says' | 'isRefused'> & { readonly reply: Reference },
  ): Promise<Outcome>;
};

/** What it takes to read back who has taken an incident on in a product. `config` holds opened Secrets for this time only. */
export type Look<C> = {
  readonly config: C;
  readonly send: Send;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly delivery: Pick<Delivery, 'alertKey'>;
  /** What the product returned for the incident, while that is remembered. */
  readonly ref?: Reference;
};

/** How a look went, and who has taken the incident on there; since when (epoch milliseconds) where the product says so. Absent: nobody. */
export type Seen = { readonly outcome: Outcome; readonly taken?: { readonly by: string; readonly since?: number } };

/** The lengths a product takes, in its own unit. */
export type Limits = Readonly<
  Record<string, { readonly characters: number } | { readonly utf16: number } | { readonly bytes: number }>
>;

/** The pace a product allows per destination, from its published limits. */
export type Pacing = { readonly perSecond: number; readonly burst: number };

/** What it takes to test credentials. */
export type CheckParts<C> = Pick<Attempt<C>, 'config' | 'send' | 'mail' | 'now' | 'aws'>;

/** What the dispatcher needs of a type. Field declarations and pages are in the kit's `ProviderDefinition`. */
export type ProviderType<C> = {
  readonly type: string;
  readonly product: string;
  readonly family: Family;
  /** How messages that are no incident are told: as they are, as one alert, or not at all. */
  readonly plain: 'native' | 'alert' | 'none';
  readonly limits: Limits;
  readonly pacing: Pacing;
  /** How owners can be reached there; absent: not at all. */
  readonly reaches?: Reaches;
  /** Milliseconds; the setting never lowers a time-out below it. */
  readonly minTimeoutMs?: number;
  /** Milliseconds until what the product accepted is there. The next act of an incident waits for it: one that overtakes is lost. */
  readonly settlesAfterMs?: number;
  deliver(attempt: Attempt<C>): Promise<Outcome>;
  /**
   * Looks a lost reference up, where the product can. For an opening: what this very opening made, if it arrived. Rejects with
   * `LookUpFailed` when the product does not let itself be asked now.
   */
  find?(attempt: Attempt<C>): Promise<Reference | undefined>;
  /** Where its messages have buttons. */
  readonly listening?: Listening<C>;
  /** Where it can be asked who has taken an incident on. Nobody is told anything. Rejects with `TransportError`. */
  readBack?(look: Look<C>): Promise<Seen>;
  /** Tests the credentials without telling anybody anything. */
  check?(parts: CheckParts<C>): Promise<Outcome>;
};

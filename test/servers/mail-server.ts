import type { Server } from './server.ts';

/** A mail that arrived. */
export type ReceivedMail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly references: readonly string[];
  readonly to: readonly string[];
  readonly raw: string;
};

/**
 * A running mail server. It refuses recipients at `rcpttopermerror@localhost` for good and those at
 * `rcpttotemperror@localhost` for now, and takes every other in.
 */
export type MailServer = Server & {
  /** With STARTTLS and a login, with TLS from the start and a login, and, where there is one, a relay for whoever connects. */
  readonly ports: { readonly submission: number; readonly submissions: number; readonly relay?: number };
  readonly login: { readonly username: string; readonly password: string };
  /** Mails since this was asked last, oldest first. */
  received(): Promise<readonly ReceivedMail[]>;
};

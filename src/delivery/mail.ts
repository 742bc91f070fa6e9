import { isIP, type Socket } from 'node:net';
import { createTransport, type SMTPSentMessageInfo, type SMTPTransportOptions, type Transporter } from 'nodemailer';
import type { Clock } from '../model/clock.ts';
import type { Outcome } from '../model/delivery.ts';
import { openSecret, type Secret } from '../model/secret.ts';
import { type Mail, type MailMessage, type Posted, type Relay, TransportError } from '../providers/provider.ts';
import { type Blank, createBlank } from './blank.ts';
import { connectVetted, type ServerTls } from './connect.ts';
import { secured } from './identity.ts';
import { type FindService, namedService } from './named-service.ts';
import type { Names } from './resolver.ts';
import type { SendFor, SendSettings } from './send.ts';
import { outcomeOfSmtp, type SmtpFailure } from './smtp.ts';
import { createVet, type OwnerOf } from './vet.ts';

/** One conversation with a relay: the library's transport over a connection of ours. */
type Session = {
  readonly transport: Transporter<SMTPSentMessageInfo, SMTPTransportOptions>;
  /** Whether the whole message has been handed over: what fails from then on may have arrived. */
  written(): boolean;
};

/** What the mailer works with. `settings`: as they are at each call. */
export type MailerOptions = {
  readonly clock: Clock;
  readonly resolver: Names;
  readonly settings: () => SendSettings;
  /** Asked for the Services that tenants send to; without it they reach none. */
  readonly findService?: FindService;
  /** Whose the cluster's own addresses are, where they are of public ranges. */
  readonly ownerOf?: OwnerOf;
};

/**
 * The only path by which mail leaves the process: a connection per message, addresses vetted like those of HTTP, whole conversations under one
 * time-out. The proxy of the settings is for HTTP; mail goes to its relay directly.
 */
export class Mailer {
  readonly #options: MailerOptions;
  /** Connections of conversations under way. */
  readonly #open = new Set<Socket>();

  constructor(options: MailerOptions) {
    this.#options = options;
  }

  /** A `Mail` under the settings as they are at each call. */
  for(provider: SendFor): Mail {
    return {
      send: async (relay, message) => {
        if (!isWellAddressed(message)) return { outcome: illAddressed, waiting: [] };
        return this.#converse(
          provider,
          relay,
          async ({ transport }) => judge(await transport.sendMail(compose(message)), blankFor(relay)),
          (outcome) => ({ outcome, waiting: [] }),
        );
      },
      check: (relay) =>
        this.#converse(
          provider,
          relay,
          async ({ transport }): Promise<Outcome> => {
            await transport.verify();
            return { is: 'delivered' };
          },
          (outcome) => outcome,
        ),
    };
  }

  /** Ends all conversations. */
  close(): void {
    for (const socket of this.#open) socket.destroy(new Error('stopping'));
  }

  async #converse<T>(
    provider: SendFor,
    relay: Relay,
    talk: (session: Session) => Promise<T>,
    refused: (outcome: Outcome) => T,
  ): Promise<T> {
    const { clock, resolver, settings, findService, ownerOf } = this.#options;
    const { timeoutMs: asked, allowedPrivateDestinations: cidrs } = settings();
    const timeoutMs = Math.max(asked, provider.minTimeoutMs ?? 0);
    const host = authorityOf(relay);
    const ownTls = provider.tls ? { secureContext: secured(provider.tls) } : {};
    const { allPrivate, tenant } = provider;
    const service = await namedService({ host: relay.host, tenant, proxied: false }, findService);
    const vet = createVet({ cidrs, allPrivate, service }, ownerOf);
    const reach = { vet, resolver, undecided: service?.undecided ?? false };
    const { socket, connected } = connectVetted(reach, relay);
    const session = openSession(relay, socket, connected, { timeoutMs, tls: ownTls });
    let late: TransportError | undefined;
    const cancel = clock.after(timeoutMs, () => {
      const what = `no end of the conversation with ${host} within ${timeoutMs / 1000} s`;
      late = new TransportError('Timeout', what, session.written());
      // Not `late` itself: the library writes its own code into the errors of its socket.
      socket.destroy(new Error(what));
    });
    this.#open.add(socket);
    try {
      return await talk(session);
    } catch (error) {
      if (late) throw late;
      if (error instanceof TransportError) throw error;
      return refused(outcomeOfSmtp(failureOf(error), host, session.written(), blankFor(relay)));
    } finally {
      cancel();
      this.#open.delete(socket);
      socket.destroy();
    }
  }
}

/** Host and port as one text; an IPv6 address in brackets. */
function authorityOf({ host, port }: Relay): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function openSession(
  relay: Relay,
  socket: Socket,
  connected: Promise<void>,
  { timeoutMs, tls: ownTls }: { readonly timeoutMs: number; readonly tls: ServerTls },
): Session {
  const { host, port, tls, name, login } = relay;
  // The library's own clocks only back ours up: each wait of it begins later and ends later.
  const backstopMs = timeoutMs * 2;
  let written = false;
  const transport = createTransport({
    host,
    port,
    name,
    secure: tls === 'required' && port === 465,
    requireTLS: tls === 'required' && port !== 465,
    ignoreTLS: tls === 'none',
    tls: ownTls,
    // Without it, a server that offers no login would get the message all the same.
    forceAuth: login !== undefined,
    ...(login && loginOf(login)),
    getSocket(_, done) {
      connected.then(() => done(null, { connection: socket }), done);
    },
    connectionTimeout: backstopMs,
    greetingTimeout: backstopMs,
    socketTimeout: backstopMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', ({ message }, done) => {
    message.processFunc((input) =>
      input.once('end', () => {
        written = true;
      }),
    );
    done();
  });
  return { transport, written: () => written };
}

type Login = NonNullable<Relay['login']>;

/** How the library logs in. It would send a token that was refused once more. */
function loginOf(login: Login): Pick<SMTPTransportOptions, 'auth' | 'customAuth'> {
  if ('password' in login) return { auth: { user: login.username, pass: openSecret(login.password) } };
  return {
    auth: { type: 'custom', method: 'XOAUTH2', user: login.username, pass: '' },
    customAuth: {
      XOAUTH2: async ({ sendCommand }) => {
        const answer = await sendCommand(`AUTH XOAUTH2 ${bearerOf(login)}`);
        // Why it is refused comes as a challenge, which an empty line ends.
        const { status } = answer.status === 334 ? await sendCommand('') : answer;
        if (status < 200 || status >= 300) throw new Error('refused');
      },
    },
  };
}

/** What XOAUTH2 sends, as Google and Microsoft have it. */
function bearerOf({ username, accessToken }: Extract<Login, { accessToken: Secret }>): string {
  return Buffer.from(`user=${username}\u0001auth=Bearer ${openSecret(accessToken)}\u0001\u0001`).toString('base64');
}

/** Whoever writes line breaks into an address means to add recipients: the library would read them so. */
function isWellAddressed({ from, to, recipients = [] }: MailMessage): boolean {
  return [from, ...to, ...recipients].every((address) => /^[^\p{Cc},]*$/u.test(address));
}
const illAddressed: Outcome = {
  is: 'permanent',
  reason: 'an address in `from` or `to` holds a comma, a line break or another control character; correct it',
  credential: false,
  code: 'Rejected',
};

function compose(message: MailMessage): Parameters<Session['transport']['sendMail']>[0] {
  const { from, to, recipients, subject, text, html, messageId, inReplyTo, references, date, priority } = message;
  return {
    from,
    to: [...to],
    ...(recipients && { envelope: { from, to: [...recipients] } }),
    subject,
    text,
    html,
    messageId,
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(references && { references: [...references] }),
    ...(priority && { priority }),
    date: new Date(date),
    headers: { ...message.headers },
  };
}

/** A message that some recipients did not get is not delivered, although the library says so. */
function judge(info: SMTPSentMessageInfo, blank: Blank): Posted {
  const refusals = (info.rejectedErrors ?? []).map((error) => ({
    recipient: error.recipient ?? '',
    outcome: outcomeOfSmtp(error, '', false, blank),
  }));
  const waiting = refusals.filter(({ outcome }) => outcome.is !== 'permanent').map(({ recipient }) => recipient);
  const [first] = refusals.toSorted(
    (a, b) => Number(a.outcome.is === 'permanent') - Number(b.outcome.is === 'permanent'),
  );
  if (!first) return { outcome: { is: 'delivered' }, waiting };
  const others = info.accepted.length > 0 ? { mayHaveArrived: true } : {};
  return { outcome: { ...first.outcome, ...others }, waiting };
}

/** The library adds its fields to plain errors. */
function failureOf(error: unknown): SmtpFailure {
  return error instanceof Error ? Object.assign<SmtpFailure, Error>({}, error) : {};
}

/** Blanks out what a server could quote of a login, in whatever form. */
function blankFor({ login }: Relay): Blank {
  if (!login) return (text) => text;
  const secret = openSecret('password' in login ? login.password : login.accessToken);
  const sent = 'password' in login ? Buffer.from(`\0${login.username}\0${secret}`).toString('base64') : bearerOf(login);
  return createBlank({ whole: [sent, secret].filter((text) => text !== ''), pieces: [secret] });
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Authority } from '../../sandbox/certificate.ts';
import { type ParsedMail, parseMail } from '../providers/conformance/mime.ts';

/** How a mail came in. */
export type ReceivedMail = ParsedMail & { readonly encrypted: boolean; readonly user: string | undefined };

/** A real SMTP server on loopback. */
export type MailServer = {
  readonly host: string;
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  stop(): Promise<void>;
};

/** The three kinds there are: TLS from the first byte (port 465 alone says so), STARTTLS with a login, a relay in plain text. */
export type MailSecurity = 'tls' | 'starttls' | 'plain';

/** An address of loopback that nobody else listens on. */
const host = '127.0.0.2';

/** Starts one. */
export async function startMailServer(
  security: MailSecurity,
  authority: Authority,
  password: string,
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const pair = authority.sign({ commonName: 'mail', addresses: [host] });
  const server = new SMTPServer({
    cert: pair.certificate,
    key: pair.key,
    secure: security === 'tls',
    logger: false,
    disableReverseLookup: true,
    ...(security === 'plain'
      ? { authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] }
      : { authMethods: ['PLAIN'] }),
    onAuth(login, _session, done) {
      if (login.password === password) done(null, { user: login.username ?? '' });
      else done(Object.assign(new Error('5.7.8 wrong password'), { responseCode: 535 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const mail = parseMail(Buffer.concat(chunks).toString('latin1'));
        mails.push({ ...mail, encrypted: session.secure, user: session.user });
        done();
      });
    },
  });
  server.server.listen(security === 'tls' ? 465 : 0, host);
  await once(server.server, 'listening');
  return {
    host,
    // A TCP server's address is an AddressInfo.
    port: (server.server.address() as AddressInfo).port,
    mails,
    stop: () => new Promise((done) => server.close(() => done())),
  };
}

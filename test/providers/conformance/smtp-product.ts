/** A mail server of the three usual kinds: submission (587, STARTTLS, login), TLS from the start (465), a plain relay (25). */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { mock } from 'node:test';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { Mailer } from '../../../src/delivery/mail.ts';
import { realClock } from '../../delivery/clock.ts';
import type { Answer, SmtpAnswer } from './case-file.ts';
import { parseMail } from './mime.ts';
import { type Arrived, certificateFor, drip, type Fault, HeldClock, reroute, resolver, type Wire } from './wire.ts';

/** The name of the server in fixtures. */
const serverName = 'smtp.example.com';

// The library greets after 100 ms, to catch clients that talk too early; there are hundreds of conversations.
mock.method(SMTPConnection.prototype, 'init', function (this: SMTPConnection) {
  this._setListeners(() => this.connectionReady());
});

/** Starts the servers and leads the usual ports to them. */
export async function startSmtpProduct(): Promise<Wire> {
  let script: readonly (Answer | null)[] | Fault | 'echo' = [];
  let arrived: Arrived[] = [];
  const held = new HeldClock();
  const { certificate: cert, key } = certificateFor(serverName);

  /** The scripted refusal of a step, if there is one. */
  function refusal(at: SmtpAnswer['at'], about = ''): Error | undefined {
    if (typeof script === 'string') return undefined;
    const found = script.find(
      (answer): answer is SmtpAnswer =>
        answer !== null && 'at' in answer && answer.at === at && (answer.to ?? about) === about,
    );
    return found && replyOf(found.reply);
  }

  const common: SMTPServerOptions = {
    cert,
    key,
    logger: false,
    disableReverseLookup: true,
    onConnect: (_session, done) => done(refusal('CONNECT')),
    onMailFrom: (_address, _session, done) => done(refusal('MAIL')),
    onRcptTo: ({ address }, _session, done) => done(refusal('RCPT', address)),
    onAuth(login, _session, done) {
      const username = login.username ?? '';
      const password = login.password ?? '';
      if (script === 'echo') {
        const plain = Buffer.from(`\0${username}\0${password}`).toString('base64');
        done(replyOf(`535 5.7.8 no ${username}/${password} ${plain} ${Buffer.from(password).toString('base64')}`));
        return;
      }
      const wrong = refusal('AUTH');
      if (wrong) done(wrong);
      else done(null, { user: username });
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const wrong = refusal('DATA');
        if (!wrong) arrived.push(arrivedOf(Buffer.concat(chunks).toString('latin1'), session));
        done(wrong);
      });
    },
  };
  const submission = new SMTPServer({ ...common, authMethods: ['PLAIN'] });
  const implicit = new SMTPServer({ ...common, secure: true, authMethods: ['PLAIN'] });
  const relay = new SMTPServer({ ...common, authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] });
  const smtp = [submission, implicit, relay];
  const [submissionPort = 0, implicitPort = 0, relayPort = 0] = await Promise.all(
    smtp.map(({ server }) => listen(server)),
  );

  /** In front of the relay: faults below what a server library can be made to do. */
  const front = createServer((socket) => {
    socket.on('error', () => undefined);
    if (typeof script === 'string' && script !== 'echo') {
      misbehave(socket, script, held);
      return;
    }
    const inner = connect({ port: relayPort, host: '127.0.0.1' }).on('error', () => undefined);
    socket.pipe(inner).pipe(socket);
    socket.on('close', () => inner.destroy());
  });
  reroute(587, submissionPort);
  reroute(465, implicitPort);
  reroute(25, await listen(front));

  const settings = () => ({ timeoutMs: 5_000, allowedPrivateDestinations: [] });
  return {
    ways: (minTimeoutMs, hasty) => ({
      send: () => Promise.reject(new Error('this type sends no HTTP')),
      mail: new Mailer({ clock: hasty ? held : realClock, resolver, settings }).for({
        allPrivate: true,
        ...(minTimeoutMs !== undefined && { minTimeoutMs }),
      }),
    }),
    script(next) {
      script = next;
      arrived = [];
    },
    arrived: () => arrived,
    async [Symbol.asyncDispose]() {
      await Promise.all(smtp.map((server) => new Promise<void>((done) => server.close(done))));
      await new Promise((done) => front.close(done));
    },
  };
}

async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP server's address is an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** `451 4.7.1 later` as the server library takes it. */
function replyOf(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}

function arrivedOf(raw: string, session: SMTPServerSession): Arrived {
  const { headers, text, html } = parseMail(raw);
  const { 'content-type': _boundary, ...kept } = headers;
  const to = session.envelope.rcptTo.map(({ address }) => address);
  const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
  const parsed = { subject: headers.subject ?? '', text, html };
  return {
    golden: {
      envelope: { from, to },
      hello: session.hostNameAppearsAs,
      tls: session.secure,
      user: session.user ?? null,
      headers: kept,
      text: text.split('\n'),
      html: html.split('\n'),
    },
    brief: `${from} → ${to.join(', ')}`,
    body: raw,
    parsed,
  };
}

/** Speaks SMTP up to the fault. */
function misbehave(socket: Socket, fault: Fault, clock: HeldClock): void {
  if (fault === 'silence') {
    // By then the client waits for the greeting; if not, it waits for the connection, and finds the same.
    setTimeout(() => clock.elapse(), 5);
    return;
  }
  socket.write('220 smtp.example.com ESMTP\r\n');
  let inData = false;
  socket.on('data', (chunk: Buffer) => {
    const said = chunk.toString('latin1');
    if (inData) {
      if (!said.endsWith('\r\n.\r\n')) return;
      if (fault === 'reset') socket.resetAndDestroy();
      else
        socket.on(
          'close',
          drip(() => socket.write('2'), clock),
        );
    } else if (said.startsWith('DATA')) {
      inData = true;
      socket.write('354 go on\r\n');
    } else if (fault === 'half') socket.end('250-smtp.example');
    else socket.write('250 fine\r\n');
  });
}

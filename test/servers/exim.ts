/** Exim, the usual mail server of Debian: a relay of the local network, and submission with a login over TLS. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { parseMail } from '../providers/conformance/mime.ts';
import { certificateFor } from '../providers/conformance/wire.ts';
import type { MailServer, ReceivedMail } from './mail-server.ts';
import { directoryFor, freePort, startServer } from './server.ts';

const login = { username: 'tocsin', password: 'a-password-of-tests' };

/** Where it is. */
function findExim(): string {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const found = places.flatMap((place) => [join(place, 'exim4'), join(place, 'exim')]).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    'The tests against real mail servers need Exim, and it is not here: install it (`apt-get install exim4-daemon-light`).\n' +
      'It need not run: the tests start one of their own, on loopback.',
  );
}

/** Where root starts it, it goes on as the account its package made, which then has to own its files. */
function account(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number =>
    Number(spawnSync('id', [flag, 'Debian-exim'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts it with a certificate for `host`. */
export async function startExim(host: string): Promise<MailServer> {
  const path = findExim();
  const directory = directoryFor('exim');
  const ports = { submission: await freePort(), submissions: await freePort(), relay: await freePort() };
  const { certificate, key } = certificateFor(host);
  writeFileSync(join(directory, 'certificate.pem'), certificate);
  writeFileSync(join(directory, 'key.pem'), key);
  writeFileSync(join(directory, 'exim.conf'), configuration(directory, host, ports));
  for (const folder of ['spool', 'log', 'mail']) mkdirSync(join(directory, folder));
  const who = account();
  if (who) for (const name of ['.', ...readdirSync(directory)]) chownSync(join(directory, name), who.uid, who.gid);
  if (who) chownSync(join(directory, 'exim.conf'), 0, 0);
  chmodSync(directory, 0o755);
  const server = await startServer({
    name: 'exim',
    path,
    args: ['-C', join(directory, 'exim.conf'), '-bdf'],
    ...{ directory, cwd: directory },
    healthy: () => accepts(ports.relay),
  });
  const seen = new Set<string>();
  return {
    ...server,
    ports,
    login,
    async received() {
      const kept = join(directory, 'mail', 'new');
      // Named by the time they arrived.
      const names = (existsSync(kept) ? readdirSync(kept) : []).filter((name) => !seen.has(name)).toSorted();
      return names.map((name) => {
        seen.add(name);
        return received(readFileSync(join(kept, name), 'latin1').replace(/\r?\n/g, '\r\n'));
      });
    },
  };
}

function configuration(directory: string, host: string, ports: Readonly<Record<string, number>>): string {
  return `primary_hostname = ${host}
spool_directory = ${directory}/spool
log_file_path = ${directory}/log/%slog
pid_file_path = ${directory}/exim.pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${Object.values(ports).join(' : ')}
tls_on_connect_ports = ${ports.submissions}
tls_advertise_hosts = *
tls_certificate = ${directory}/certificate.pem
tls_privatekey = ${directory}/key.pem
host_lookup =
rfc1413_query_timeout = 0s
keep_environment =
acl_smtp_rcpt = recipients
acl_smtp_data = whole
begin acl
recipients:
  deny local_parts = rcpttopermerror
       message = 5.1.1 no such mailbox
  defer local_parts = rcpttotemperror
        message = 4.2.0 come back later
  accept authenticated = *
  accept condition = \${if eq{$received_port}{${ports.relay}}}
  deny message = 5.7.1 log in first
whole:
  deny !verify = header_syntax
       message = 5.6.0 a header is broken
  accept
begin routers
all:
  driver = accept
  transport = kept
begin transports
kept:
  driver = appendfile
  maildir_format
  directory = ${directory}/mail
  create_directory
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_advertise_condition = \${if def:tls_in_cipher}
  server_condition = \${if and{{eq{$auth2}{${login.username}}}{eq{$auth3}{${login.password}}}}}
  server_set_id = $auth2
`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function received(raw: string): ReceivedMail {
  const { headers, text, html } = parseMail(raw);
  return {
    ...{ subject: headers.subject ?? '', text, html, messageId: headers['message-id'] ?? '' },
    references: (headers.references ?? '').split(/\s+/).filter((id) => id !== ''),
    to: (headers.to ?? '').split(',').map((address) => address.trim()),
    raw,
  };
}

/** mox: a whole mail server, with submission, TLS, DKIM and an interface that tells what is in a mailbox. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateFor } from '../providers/conformance/wire.ts';
import { prepareServer } from './build.ts';
import type { MailServer, ReceivedMail } from './mail-server.ts';
import { directoryFor, freePort, run, startServer } from './server.ts';

/** A mail as mox itself reads it. */
type KeptMail = {
  readonly Subject: string;
  readonly Text: string;
  readonly HTML: string;
  readonly MessageID: string;
  readonly References: readonly string[] | null;
  readonly To: readonly { readonly Address: string }[];
};

/** Starts it with a certificate for `host`. */
export async function startMox(host: string): Promise<MailServer> {
  const program = join(await prepareServer('mox'), 'mox');
  const directory = directoryFor('mox');
  const config = join(directory, 'config');
  run(program, ['localserve', '-initonly', '-ip', '127.0.0.1', '-dir', config], { cwd: directory });
  const { certificate, key } = certificateFor(host);
  writeFileSync(join(config, 'localhost.crt'), certificate);
  writeFileSync(join(config, 'localhost.key'), key);
  // The ports it wrote are fixed; each gets a free one.
  const settings = readFileSync(join(config, 'mox.conf'), 'utf8');
  const ports = new Map<number, number>();
  for (const [, port] of settings.matchAll(/\bPort: (\d+)/g))
    ports.set(Number(port), ports.get(Number(port)) ?? (await freePort()));
  writeFileSync(
    join(config, 'mox.conf'),
    settings.replace(/\bPort: (\d+)/g, (_, port) => `Port: ${ports.get(Number(port))}`),
  );
  // Its filter is strict with senders whose address has no name, as on loopback: it would keep everything from the mailbox.
  const domains = join(config, 'domains.conf');
  writeFileSync(domains, readFileSync(domains, 'utf8').replace(/^\t\tJunkFilter:\n(?:\t{3,}.*\n|\n)*/m, ''));
  const portOf = (usual: number): number => ports.get(usual) ?? 0;

  const login = { username: 'mox@localhost', password: 'moxmoxmox' };
  const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const call = (method: string, request: unknown): Promise<Response> =>
    fetch(`http://127.0.0.1:${portOf(1080)}/webapi/v0/${method}`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ request: JSON.stringify(request) }),
    });
  const server = await startServer({
    name: 'mox',
    path: program,
    args: ['localserve', '-dir', config],
    directory,
    cwd: directory,
    healthy: async () => (await call('SuppressionList', {})).ok,
  });
  let last = 0;
  return {
    ports: { submission: portOf(1587), submissions: portOf(1465) },
    login,
    async received() {
      const found: ReceivedMail[] = [];
      for (;;) {
        const request = { MsgID: last + 1 };
        const answer = await call('MessageGet', request);
        if (!answer.ok) return found;
        const mail: KeptMail = Object(await answer.json()).Message;
        found.push({
          ...{ subject: mail.Subject, text: mail.Text, html: mail.HTML, messageId: mail.MessageID },
          ...{ references: mail.References ?? [], to: mail.To.map(({ Address }) => Address) },
          raw: await (await call('MessageRawGet', request)).text(),
        });
        last += 1;
      }
    },
    log: server.log,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

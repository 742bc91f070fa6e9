import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import type { BlockFields, FieldDeclaration } from '../../src/providers/kit/fields.ts';
import { providers } from '../../src/providers/registry.ts';

/** Secrets that must never be seen, in every place of a provider that takes one. */
export type Canaries = {
  readonly objects: readonly object[];
  /** Providers whose deliveries fail at somebody who says all that he was told. */
  readonly failing: readonly string[];
  readonly values: readonly string[];
  /** Canaries that one of the servers was really sent. */
  sent(): ReadonlySet<string>;
  stop(): Promise<void>;
};

const namespace = 'tocsin';
const secretName = 'canaries';

type Block = Readonly<Record<string, unknown>>;
type Part = (block: Block) => Block;
const whole: Part = (block) => block;
/** Types whose fields exclude each other: the blocks that have all of them together. */
const apart: Readonly<Record<string, readonly Part[]>> = {
  email: [
    ({ oauth: _, ...block }) => block,
    ({ password: _, ...block }) => ({ ...block, oauth: { accessToken: Object(block.oauth).accessToken } }),
    ({ password: _, ...block }) => {
      const { accessToken: __, ...oauth } = Object(block.oauth);
      return { ...block, oauth: { ...oauth, tokenURL: 'https://token.example.com/token' } };
    },
  ],
};

/**
 * The provider `oncall`, which reaches the receiver; one provider per type with a canary in each of its secret fields; and a few
 * whose deliveries fail at servers that repeat, in their refusal, whatever they were sent.
 */
export async function plantCanaries(receiverUrl: string): Promise<Canaries> {
  const planted = new Map<string, string>();
  const data: Record<string, string> = {};
  let heard = '';
  const web = await startTalkativeWebServer((text) => {
    heard += text;
  });
  const mail = await startTalkativeMailServer((text) => {
    heard += text;
  });
  const closed = await startTalkativeMailServer(() => {});
  await closed.stop();

  /** A fresh canary, as it stands in a field that holds a text or an address. */
  function plant(field: string, holds: 'text' | 'url', port = web.port): string {
    const canary = `zq${randomBytes(12).toString('hex')}`;
    planted.set(field, canary);
    return holds === 'url' ? `http://127.0.0.1:${port}/hooks/${canary}` : canary;
  }
  function reference(field: string, holds: 'text' | 'url', port?: number): object {
    data[field] = plant(field, holds, port);
    return { secretKeyRef: { name: secretName, key: field } };
  }
  const inline = (field: string, holds: 'text' | 'url'): object => ({ value: plant(field, holds) });
  const provider = (name: string, type: string, block: object): object => ({
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'AlertProvider',
    metadata: { name, namespace },
    spec: { type, [type]: block, retry: { maxAttempts: 0 } },
  });

  function fill(path: string, field: FieldDeclaration): unknown {
    if (field.is === 'secret') return reference(path, field.holds);
    if (field.is === 'headers') return [{ name: 'X-Canary', ...reference(path, 'text') }];
    if (field.is === 'group') return fillAll(path, field.fields);
    // Names that a group wants beside its secret.
    return field.is === 'string' && path.split('.').length > 2 ? 'someone' : undefined;
  }
  function fillAll(path: string, fields: BlockFields): object {
    const filled = Object.entries(fields).map(([name, field]) => [name, fill(`${path}.${name}`, field)] as const);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  }

  data['oncall.url'] = `${receiverUrl}/${plant('oncall.url', 'text')}`;
  const oncall = provider('oncall', 'webhook', {
    url: { secretKeyRef: { name: secretName, key: 'oncall.url' } },
    basicAuth: { username: 'someone', password: reference('oncall.password', 'text') },
  });
  const everyField = providers.flatMap(({ type, sample, fields }) => {
    const block = { ...sample, ...fillAll(type, fields) };
    return (apart[type] ?? [whole])
      .map((part) => part(block))
      .map((one, index) => provider(index === 0 ? `canary-${type}` : `canary-${type}-${index}`, type, one));
  });
  const mailbox = {
    host: '127.0.0.1',
    port: String(mail.port),
    tls: 'none',
    from: 'a@shop.example',
    to: 'b@shop.example',
  };
  const failing: Readonly<Record<string, object>> = {
    'told-webhook': provider('told-webhook', 'webhook', {
      url: inline('told.url', 'url'),
      headers: [{ name: 'X-Canary', ...inline('told.header', 'text') }],
      basicAuth: { username: 'someone', password: inline('told.password', 'text') },
    }),
    'told-slack': provider('told-slack', 'slack', { webhook: reference('told.slack', 'url') }),
    'told-email': provider('told-email', 'email', {
      ...mailbox,
      username: 'someone',
      password: reference('told.mail', 'text'),
    }),
    'closed-webhook': provider('closed-webhook', 'webhook', { url: reference('closed.url', 'url', closed.port) }),
  };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: secretName, namespace }, stringData: data };
  return {
    objects: [secret, oncall, ...everyField, ...Object.values(failing)],
    failing: Object.keys(failing),
    values: [...planted.values()],
    sent: () => new Set([...planted].filter(([, canary]) => heard.includes(canary)).map(([field]) => field)),
    async stop() {
      await web.stop();
      await mail.stop();
    },
  };
}

type Talkative = { readonly port: number; stop(): Promise<void> };

/** Refuses every request for good and says all it was told, passwords in the clear. */
function startTalkativeWebServer(hear: (text: string) => void): Promise<Talkative> {
  const server = createServer((request, response) => {
    const { authorization = '', ...others } = request.headers;
    const [, credentials = ''] = authorization.split(' ');
    const told = [request.url, JSON.stringify(others), authorization, decoded(credentials)].join('\n');
    hear(told);
    request.resume();
    response.writeHead(400, `refused ${request.url}`).end(told);
  });
  return listening(server);
}

/** Speaks enough SMTP to be given a password, and refuses it aloud. */
function startTalkativeMailServer(hear: (text: string) => void): Promise<Talkative> {
  const server = createTcpServer((socket) => {
    socket.write('220 mail.example ESMTP\r\n');
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const [verb = '', , credentials = ''] = chunk.toString('utf8').trim().split(' ');
      if (verb === 'EHLO') socket.write('250-mail.example\r\n250 AUTH PLAIN\r\n');
      else if (verb === 'AUTH') {
        const told = decoded(credentials).replaceAll('\0', ' ');
        hear(told);
        socket.write(`535 5.7.8 not ${told} (${credentials})\r\n`);
      } else socket.end('221 bye\r\n');
    });
  });
  return listening(server);
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');

async function listening(server: Server): Promise<Talkative> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A TCP server's address is an AddressInfo.
    port: (server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

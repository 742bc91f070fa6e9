import { openSecret, Secret } from '../model/secret.ts';
import { type MaybeSecret, type SendRequest, TransportError } from '../providers/provider.ts';
import { partsOf, type SecretTexts, unescaped } from './blank.ts';
import { mostAnswerBytes, usualAnswerBytes } from './bytes.ts';

/** A request with every Secret opened: lives only inside the sender. */
export type OpenedRequest = {
  readonly method: SendRequest['method'];
  /** Without credentials: they are in the headers. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** Every text of the request that is secret: an answer that echoes one must not carry it further. */
  readonly secrets: SecretTexts;
  /** Bytes of the answer that are read. */
  readonly maxAnswerBytes: number;
};

const open = (value: MaybeSecret): string => (value instanceof Secret ? openSecret(value) : value);

/** Shorter texts are left alone: blanking them out would tear ordinary words apart, and nobody has so short a credential. */
const shortestSecretChars = 6;
/** Of a list; a credential by itself may hold a comma as well. */
const shortestListedChars = 12;

/** The secret texts of a request: opened Secrets, and the parts of an address that is one. */
function secretsOf(
  request: SendRequest,
  url: URL,
  inBody: readonly Secret[],
  authorization: string | undefined,
): SecretTexts {
  const opened = (values: readonly unknown[]): readonly string[] =>
    values.filter((value) => value instanceof Secret).map(openSecret);
  const headers = opened(Object.values(request.headers ?? {}));
  // `Bearer …`: the token is quoted without its scheme as well.
  const tokens = headers.map((text) => text.replace(/^[A-Za-z0-9-]+ /, ''));
  const others = opened([...inBody, ...(request.secrets ?? []), request.basic?.username, request.basic?.password]);
  // One Secret may hold a list of keys, of which a product quotes the one it does not like.
  const listed = [...headers, ...others]
    .flatMap((text) => text.split(','))
    .filter((text) => text.length >= shortestListedChars);
  const basic = authorization === undefined ? [] : [authorization.replace(/^Basic /, ''), url.password];
  const isSecret = request.url instanceof Secret;
  const address = isSecret
    ? [url.href, `${url.pathname}${url.search}`, ...url.pathname.split('/'), ...url.searchParams.values()]
    : [];
  // As a body is written.
  const written = opened(inBody).flatMap((text) => [formEncoded(text), JSON.stringify(text).slice(1, -1)]);
  const whole = [...headers, ...tokens, ...others, ...written, ...listed, ...basic, ...address];
  return {
    whole: whole.filter((text) => text.length >= shortestSecretChars),
    // A header of several words is a signature: it lives for one request, and its words (`Signature=`) are those of messages.
    pieces: [...tokens.filter((text) => !/\s/.test(text)), ...others, ...basic, ...(isSecret ? partsOf(url.href) : [])],
  };
}

/** The address; an error that does not quote it, since it may be a secret. */
function openUrl(url: SendRequest['url']): URL {
  const text = url instanceof URL ? url.href : open(url).trim();
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && (parsed.protocol === 'https:' || parsed.protocol === 'http:')) return parsed;
  throw new TransportError('BlockedAddress', 'the configured address is not an http or https URL', false);
}

function basicAuth(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** The userinfo of an address, which no client may send as part of it. */
function userinfo(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  return basicAuth(unescaped(url.username), unescaped(url.password));
}

const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2);

/** What is written, the Secrets that were opened for it, and its type where that follows. */
type Body = {
  readonly body: string | Uint8Array | null;
  readonly inBody: readonly Secret[];
  readonly type?: string;
};

function bodyOf(request: SendRequest): Body {
  if (request.json !== undefined) return jsonBody(request.json);
  if (request.form !== undefined) {
    const values = Object.values(request.form);
    const fields = Object.entries(request.form).map(([name, value]): [string, string] => [name, open(value)]);
    return {
      body: new URLSearchParams(fields).toString(),
      inBody: values.filter((value) => value instanceof Secret),
      type: 'application/x-www-form-urlencoded',
    };
  }
  return { body: request.body ?? null, inBody: [] };
}

function jsonBody(json: unknown): Body {
  const inBody: Secret[] = [];
  // A Secret writes itself as `***` before a replacer is asked, so it is looked for in its holder.
  const body = JSON.stringify(json, function (this: Readonly<Record<string, unknown>>, key, written: unknown) {
    const held = this[key];
    if (!(held instanceof Secret)) return written;
    inBody.push(held);
    return openSecret(held);
  });
  return { body, inBody, type: 'application/json' };
}

/**
 * Opens a request for one exchange. Headers of the request win over what follows from the rest of it; names are lower case.
 * Throws an error without values for a header that HTTP cannot carry.
 */
export function openRequest(request: SendRequest, userAgent: string): OpenedRequest {
  const url = openUrl(request.url);
  const { body, inBody, type } = bodyOf(request);
  const authorization = request.basic
    ? basicAuth(open(request.basic.username), open(request.basic.password))
    : userinfo(url);
  const secrets = secretsOf(request, url, inBody, authorization);
  url.username = '';
  url.password = '';
  url.hash = '';
  const own = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), open(value)] as const);
  for (const [name, value] of own)
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new Error(`the header ${JSON.stringify(name)} holds a character that HTTP does not allow`);
  return {
    method: request.method,
    url,
    headers: {
      'user-agent': userAgent,
      ...(type !== undefined && { 'content-type': type }),
      ...(authorization !== undefined && { authorization }),
      ...Object.fromEntries(own),
    },
    body,
    secrets,
    maxAnswerBytes: Math.min(request.maxAnswerBytes ?? usualAnswerBytes, mostAnswerBytes),
  };
}
